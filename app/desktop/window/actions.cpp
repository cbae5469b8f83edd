#include "window/actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QWidget>

namespace kvasir {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Actions)
};

QAction* add(QWidget* window, const char* name, const QList<QKeySequence>& keys, bool checkable = false)
{
    auto* action = new QAction(window);
    action->setObjectName(QLatin1String(name));
    action->setShortcuts(keys);
    action->setCheckable(checkable);
    window->addAction(action);
    return action;
}

} // namespace

Actions::Actions(QWidget* window)
    : newChat(add(window, "newChat", {QKeySequence(Qt::CTRL | Qt::Key_N)}))
    , openModel(add(window, "openModel", {QKeySequence(Qt::CTRL | Qt::Key_O)}))
    , chooseModel(add(window, "chooseModel", {QKeySequence(Qt::CTRL | Qt::Key_M)}))
    , settings(add(window, "settings", {QKeySequence(Qt::CTRL | Qt::Key_Comma)}))
    , quit(add(window, "quit", {QKeySequence(Qt::CTRL | Qt::Key_Q)}))
    , copyReply(add(window, "copyReply", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}))
    , find(add(window, "find", {QKeySequence(Qt::CTRL | Qt::Key_F)}))
    , findNext(add(window, "findNext", {QKeySequence(Qt::Key_F3)}))
    , findPrevious(add(window, "findPrevious", {QKeySequence(Qt::SHIFT | Qt::Key_F3)}))
    , searchChats(add(window, "searchChats", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)}))
    , focusComposer(add(window, "focusComposer", {QKeySequence(Qt::CTRL | Qt::Key_L)}))
    , stop(add(window, "stop", {QKeySequence(Qt::Key_Escape)}))
    , regenerate(add(window, "regenerate", {QKeySequence(Qt::CTRL | Qt::Key_R)}))
    , editLast(add(window, "editLast", {QKeySequence(Qt::CTRL | Qt::Key_E)}))
    , previousVersion(add(window, "previousVersion", {QKeySequence(Qt::ALT | Qt::Key_Left)}))
    , nextVersion(add(window, "nextVersion", {QKeySequence(Qt::ALT | Qt::Key_Right)}))
    , chatSettings(add(window, "chatSettings", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}))
    , showPrompt(add(window, "showPrompt", {QKeySequence(Qt::CTRL | Qt::Key_T)}))
    , rename(add(window, "rename", {QKeySequence(Qt::Key_F2)}))
    , remove(add(window, "remove", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Delete)}))
    , undoRemove(add(window, "undoRemove", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)}))
    , previousChat(add(window, "previousChat", {QKeySequence(Qt::CTRL | Qt::Key_PageUp)}))
    , nextChat(add(window, "nextChat", {QKeySequence(Qt::CTRL | Qt::Key_PageDown)}))
    , showSidebar(add(window, "showSidebar", {QKeySequence(Qt::CTRL | Qt::Key_B)}, true))
    , showTimeline(add(window, "showTimeline", {QKeySequence(Qt::CTRL | Qt::Key_1)}, true))
    , showMemory(add(window, "showMemory", {QKeySequence(Qt::CTRL | Qt::Key_2)}, true))
    , showPhases(add(window, "showPhases", {QKeySequence(Qt::CTRL | Qt::Key_3)}, true))
    , resetLayout(add(window, "resetLayout", {}))
    , toggleReasoning(add(window, "toggleReasoning", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}))
    , larger(add(window, "larger", {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)}))
    , smaller(add(window, "smaller", {QKeySequence(Qt::CTRL | Qt::Key_Minus)}))
    , normalSize(add(window, "normalSize", {QKeySequence(Qt::CTRL | Qt::Key_0)}))
    , fullScreen(add(window, "fullScreen", {QKeySequence(Qt::Key_F11)}, true))
    , shortcuts(add(window, "shortcuts", {QKeySequence(Qt::Key_F1)}))
    , about(add(window, "about", {}))
{
    retranslate();
}

void Actions::retranslate()
{
    newChat->setText(Text::tr("&New chat"));
    openModel->setText(Text::tr("&Open model…"));
    chooseModel->setText(Text::tr("&Choose model"));
    settings->setText(Text::tr("&Settings…"));
    quit->setText(Text::tr("&Quit"));
    copyReply->setText(Text::tr("&Copy last reply"));
    find->setText(Text::tr("&Find in this chat"));
    findNext->setText(Text::tr("Find ne&xt"));
    findPrevious->setText(Text::tr("Find pre&vious"));
    searchChats->setText(Text::tr("&Search all chats"));
    focusComposer->setText(Text::tr("&Write a message"));
    stop->setText(Text::tr("&Stop the reply"));
    regenerate->setText(Text::tr("Ask a&gain"));
    editLast->setText(Text::tr("&Edit last message"));
    previousVersion->setText(Text::tr("&Previous version"));
    nextVersion->setText(Text::tr("Ne&xt version"));
    chatSettings->setText(Text::tr("System prompt and sa&mpling…"));
    showPrompt->setText(Text::tr("Prompt, token b&y token…"));
    rename->setText(Text::tr("&Rename…"));
    remove->setText(Text::tr("&Delete"));
    undoRemove->setText(Text::tr("&Undo delete"));
    previousChat->setText(Text::tr("Chat &above"));
    nextChat->setText(Text::tr("Chat &below"));
    showSidebar->setText(Text::tr("&Conversations"));
    showTimeline->setText(Text::tr("&Timeline"));
    showMemory->setText(Text::tr("&Memory"));
    showPhases->setText(Text::tr("&Prefill v decode"));
    resetLayout->setText(Text::tr("&Restore layout"));
    toggleReasoning->setText(Text::tr("Show or fold the last &reasoning"));
    larger->setText(Text::tr("&Larger text"));
    smaller->setText(Text::tr("&Smaller text"));
    normalSize->setText(Text::tr("&Normal text size"));
    fullScreen->setText(Text::tr("&Full screen"));
    shortcuts->setText(Text::tr("&Keys"));
    about->setText(Text::tr("&About Kvasir"));
}

QList<Actions::Group> Actions::groups() const
{
    return {{Text::tr("File"), {newChat, openModel, chooseModel, settings, quit}},
        {Text::tr("Edit"), {copyReply, find, findNext, findPrevious, searchChats}},
        {Text::tr("Chat"),
            {focusComposer, stop, regenerate, editLast, previousVersion, nextVersion, chatSettings, showPrompt, rename,
                remove, undoRemove, previousChat, nextChat}},
        {Text::tr("View"),
            {showSidebar, showTimeline, showMemory, showPhases, toggleReasoning, larger, smaller, normalSize,
                fullScreen}},
        {Text::tr("Help"), {shortcuts}}};
}

} // namespace kvasir
