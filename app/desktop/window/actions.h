#pragma once

#include <QList>
#include <QString>

class QAction;
class QWidget;

namespace kvasir {

/// Everything that the menus, keys and the shortcut overview offer; made once, named anew when the language changes.
class Actions {
public:
    explicit Actions(QWidget* window);

    void retranslate();

    struct Group {
        QString title;
        QList<QAction*> actions;
    };
    /// By menu, for the overview of keys.
    QList<Group> groups() const;

    // File
    QAction* newChat;
    QAction* openModel;
    QAction* chooseModel;
    QAction* settings;
    QAction* quit;
    // Edit
    QAction* copyReply;
    QAction* find;
    QAction* findNext;
    QAction* findPrevious;
    QAction* searchChats;
    // Chat
    QAction* focusComposer;
    QAction* stop;
    QAction* regenerate;
    QAction* editLast;
    QAction* previousVersion;
    QAction* nextVersion;
    QAction* chatSettings;
    QAction* showPrompt;
    QAction* rename;
    QAction* remove;
    QAction* undoRemove;
    QAction* previousChat;
    QAction* nextChat;
    // View
    QAction* showSidebar;
    QAction* showTimeline;
    QAction* showMemory;
    QAction* showPhases;
    QAction* resetLayout;
    QAction* toggleReasoning;
    QAction* larger;
    QAction* smaller;
    QAction* normalSize;
    QAction* fullScreen;
    // Help
    QAction* shortcuts;
    QAction* about;
};

} // namespace kvasir
