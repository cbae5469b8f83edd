#include "window/mainwindow.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "chat/chatview.h"
#include "chat/composer.h"
#include "engine/adapters.h"
#include "engine/engineworker.h"
#include "engine/errortext.h"
#include "settings/language.h"
#include "settings/modelpaths.h"
#include "settings/settings.h"
#include "window/actions.h"
#include "window/chatpage.h"
#include "window/chatsession.h"
#include "window/chatsettingsdialog.h"
#include "window/dashboard.h"
#include "window/findbar.h"
#include "window/noticebar.h"
#include "window/promptdialog.h"
#include "window/settingsdialog.h"
#include "window/shortcutsdialog.h"
#include "window/sidebar.h"
#include "window/topbar.h"
#include "window/welcomepage.h"
#include "window/windowstyle.h"

#include <QAction>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QSplitter>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace kvasir {

namespace {

// Of saved layouts: another number when docks come or go.
constexpr int kLayoutVersion = 1;
// Three plots one above the other need this much.
constexpr int kTightHeight = 640;

QString droppedModel(const QMimeData* data)
{
    for (const QUrl& url : data->urls()) {
        if (const QString model = url.isLocalFile() ? modelAt(url.toLocalFile()) : QString(); !model.isEmpty()) {
            return model;
        }
    }
    return {};
}

} // namespace

MainWindow::MainWindow(Settings& settings, Language& language, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_language(language)
    , m_engine(new EngineWorker)
    , m_store(new StoreWorker)
    , m_actions(std::make_unique<Actions>(this))
    , m_session(new ChatSession(*m_store, *m_engine, this))
{
    m_engineThread.setObjectName(QStringLiteral("engine"));
    m_storeThread.setObjectName(QStringLiteral("store"));
    m_engine->moveToThread(&m_engineThread);
    m_store->moveToThread(&m_storeThread);
    connect(&m_engineThread, &QThread::finished, m_engine, &QObject::deleteLater);
    connect(&m_storeThread, &QThread::finished, m_store, &QObject::deleteLater);
    m_engineThread.start();
    m_storeThread.start();

    setAcceptDrops(true);
    setStyleSheet(windowStyleSheet());
    buildLayout();
    buildMenus();
    buildStatusBar();
    connectActions();
    connectWorkers();
    restoreWindow();
    m_session->setDefaults(settings.chatDefaults());
    retranslate();
    updateActions();
}

MainWindow::~MainWindow()
{
    m_engine->cancelLoad();
    // First what may still ask something of the workers: an open title editor commits when it loses the focus.
    hide();
    m_session->finishAll();
    delete m_splitter;
    delete m_session;
    m_store->close();
    m_engineThread.quit();
    m_storeThread.quit();
    m_engineThread.wait();
    m_storeThread.wait();
}

void MainWindow::buildLayout()
{
    m_splitter = new QSplitter(this);
    m_workspace = new QMainWindow(m_splitter, Qt::Widget);
    m_sidebar = new Sidebar(*m_session, *m_store, *m_actions, m_splitter);
    auto* right = new QWidget(m_splitter);
    m_topBar = new TopBar(m_settings, right);
    m_storeNotice = new NoticeBar(right);
    m_modelNotice = new NoticeBar(right);
    m_undoNotice = new NoticeBar(right);
    m_storeNotice->setObjectName(QStringLiteral("storeNotice"));
    m_modelNotice->setObjectName(QStringLiteral("modelNotice"));
    m_undoNotice->setObjectName(QStringLiteral("undoNotice"));
    m_page = new ChatPage(*m_session, *m_engine, m_workspace);
    m_workspace->setCentralWidget(m_page);
    m_workspace->setDockNestingEnabled(true);
    // Only docks of the inner window: it has no menus of its own.
    m_workspace->setContextMenuPolicy(Qt::NoContextMenu);
    m_dashboard = new Dashboard(*m_session, *m_engine, *m_store, m_workspace);
    m_dashboard->setLimitsFile(m_settings.paths().limitsFile());

    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_topBar);
    layout->addWidget(m_storeNotice);
    layout->addWidget(m_modelNotice);
    layout->addWidget(m_undoNotice);
    layout->addWidget(m_workspace, 1);
    m_splitter->addWidget(m_sidebar);
    m_splitter->addWidget(right);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setCollapsible(1, false);
    m_splitter->setHandleWidth(1);
    m_splitter->setSizes({Fonts::px(236), Fonts::px(1100)});
    m_sidebar->setMinimumWidth(Fonts::px(160));
    setCentralWidget(m_splitter);
}

void MainWindow::buildMenus()
{
    const Actions& a = *m_actions;
    const QList<QList<QAction*>> contents{
        {a.newChat, nullptr, a.openModel, a.chooseModel, nullptr, a.settings, nullptr, a.quit},
        {a.copyReply, nullptr, a.find, a.findNext, a.findPrevious, a.searchChats},
        {a.focusComposer, a.stop, nullptr, a.regenerate, a.editLast, a.previousVersion, a.nextVersion, nullptr,
            a.chatSettings, a.showPrompt, nullptr, a.rename, a.remove, a.undoRemove, nullptr, a.previousChat,
            a.nextChat},
        {a.showSidebar, nullptr, a.showTimeline, a.showMemory, a.showPhases, a.resetLayout, nullptr, a.toggleReasoning,
            nullptr, a.larger, a.smaller, a.normalSize, nullptr, a.fullScreen},
        {a.shortcuts, nullptr, a.about}};
    for (const QList<QAction*>& entries : contents) {
        QMenu* menu = menuBar()->addMenu(QString());
        for (QAction* entry : entries) {
            if (entry) {
                menu->addAction(entry);
            } else {
                menu->addSeparator();
            }
        }
        m_menus << menu;
    }
    m_topBar->setOpenAction(a.openModel);
}

void MainWindow::buildStatusBar()
{
    m_costLabel = new QLabel(this);
    m_stateLabel = new QLabel(this);
    m_languageButton = new QToolButton(this);
    m_languageButton->setAutoRaise(true);
    m_languageButton->setObjectName(QStringLiteral("languageButton"));
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_costLabel);
    statusBar()->addPermanentWidget(m_stateLabel);
    statusBar()->addPermanentWidget(m_languageButton);
    connect(m_languageButton, &QToolButton::clicked, this, [this] {
        setLanguage(m_language.current() == QLatin1String("ko") ? QStringLiteral("en") : QStringLiteral("ko"));
    });
}

void MainWindow::connectActions()
{
    const Actions& a = *m_actions;
    connect(a.newChat, &QAction::triggered, m_session, &ChatSession::newConversation);
    connect(a.newChat, &QAction::triggered, m_page->composer(), &Composer::focusInput);
    connect(a.openModel, &QAction::triggered, this, &MainWindow::chooseModelFile);
    connect(a.chooseModel, &QAction::triggered, m_topBar, &TopBar::openMenu);
    connect(a.settings, &QAction::triggered, this, &MainWindow::openSettings);
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connect(a.copyReply, &QAction::triggered, m_page, &ChatPage::copyLastReply);
    connect(a.find, &QAction::triggered, m_page->findBar(), &FindBar::open);
    connect(a.findNext, &QAction::triggered, m_page, [this] { m_page->findBar()->next(false); });
    connect(a.findPrevious, &QAction::triggered, m_page, [this] { m_page->findBar()->next(true); });
    connect(a.searchChats, &QAction::triggered, this, [this] {
        m_sidebar->show();
        m_sidebar->focusSearch();
    });
    connect(a.focusComposer, &QAction::triggered, m_page->composer(), &Composer::focusInput);
    connect(a.stop, &QAction::triggered, this, &MainWindow::escape);
    connect(a.regenerate, &QAction::triggered, this,
        [this] { m_session->regenerate(lastMessage(MessageRole::Assistant)); });
    connect(a.editLast, &QAction::triggered, this, [this] { m_page->editMessage(lastMessage(MessageRole::User)); });
    connect(a.previousVersion, &QAction::triggered, this,
        [this] { m_session->switchBranch(m_session->tree().leaf(), -1); });
    connect(a.nextVersion, &QAction::triggered, this, [this] { m_session->switchBranch(m_session->tree().leaf(), 1); });
    connect(a.chatSettings, &QAction::triggered, this, [this] { openChatSettings(true); });
    connect(a.showPrompt, &QAction::triggered, this, &MainWindow::openPrompt);
    connect(a.toggleReasoning, &QAction::triggered, m_page, &ChatPage::toggleReasoning);
    connect(a.rename, &QAction::triggered, m_sidebar, &Sidebar::editTitle);
    connect(a.remove, &QAction::triggered, this, [this] { removeConversation(m_session->info().id); });
    connect(a.undoRemove, &QAction::triggered, this, [this] {
        if (m_removed != 0) {
            m_session->restore(std::exchange(m_removed, 0));
            m_undoNotice->dismiss();
        }
    });
    connect(a.previousChat, &QAction::triggered, m_sidebar, [this] { m_sidebar->goBy(-1); });
    connect(a.nextChat, &QAction::triggered, m_sidebar, [this] { m_sidebar->goBy(1); });
    connect(a.showSidebar, &QAction::toggled, m_sidebar, &QWidget::setVisible);
    a.showSidebar->setChecked(true);
    const std::pair<QAction*, QDockWidget*> docks[] = {{a.showTimeline, m_dashboard->timelineDock()},
        {a.showMemory, m_dashboard->memoryDock()}, {a.showPhases, m_dashboard->phaseDock()}};
    for (const auto& [action, dock] : docks) {
        action->setChecked(true);
        connect(action, &QAction::triggered, dock, &QWidget::setVisible);
        // Hidden by its own button, not by a window that is minimised.
        connect(dock->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
    }
    connect(a.resetLayout, &QAction::triggered, this, [this] {
        m_dashboard->restoreLayout(m_workspace->height() < Fonts::px(kTightHeight));
        m_splitter->setSizes({Fonts::px(236), width() - Fonts::px(236)});
        m_actions->showSidebar->setChecked(true);
    });
    connect(a.larger, &QAction::triggered, this, [this] { scaleText(m_settings.fontScale() + 0.1); });
    connect(a.smaller, &QAction::triggered, this, [this] { scaleText(m_settings.fontScale() - 0.1); });
    connect(a.normalSize, &QAction::triggered, this, [this] { scaleText(1); });
    connect(a.fullScreen, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    connect(a.shortcuts, &QAction::triggered, this, &MainWindow::openShortcuts);
    connect(a.about, &QAction::triggered, this, &MainWindow::openAbout);

    connect(m_topBar, &TopBar::modelChosen, this, &MainWindow::openModel);
    connect(m_topBar, &TopBar::cancelRequested, this, [this] { m_engine->cancelLoad(); });
    connect(m_page->welcome(), &WelcomePage::openRequested, this, &MainWindow::chooseModelFile);
    connect(m_page->welcome(), &WelcomePage::modelChosen, this, &MainWindow::openModel);
    connect(m_page, &ChatPage::chatSettingsRequested, this, &MainWindow::openChatSettings);
    connect(m_sidebar, &Sidebar::removeRequested, this, &MainWindow::removeConversation);
    connect(m_sidebar, &Sidebar::hitChosen, m_page, &ChatPage::showHit);
}

void MainWindow::connectWorkers()
{
    connect(m_engine, &EngineWorker::loadStarted, this, &MainWindow::onLoadStarted);
    connect(m_engine, &EngineWorker::loadProgressed, m_topBar, &TopBar::setProgress);
    connect(m_engine, &EngineWorker::loaded, this, &MainWindow::onLoaded);
    connect(m_engine, &EngineWorker::loadFailed, this, &MainWindow::onLoadFailed);
    connect(m_store, &StoreWorker::stateChanged, this, &MainWindow::onStoreState);
    connect(m_store, &StoreWorker::conversationsListed, this, &MainWindow::storeReady);
    connect(m_session, &ChatSession::busyChanged, this, &MainWindow::updateActions);
    connect(m_session, &ChatSession::modelChanged, this, &MainWindow::updateActions);
    connect(m_session, &ChatSession::shown, this, &MainWindow::updateActions);
    connect(m_session, &ChatSession::infoChanged, this, &MainWindow::updateActions);
    connect(m_session, &ChatSession::footerChanged, this, &MainWindow::updateStatus);
    connect(m_dashboard, &Dashboard::costChanged, this, &MainWindow::updateStatus);
}

void MainWindow::start(const QString& path)
{
    m_store->open(m_settings.paths().data);
    showModels();
    if (m_settings.bytes(QStringLiteral("window/docks")).isEmpty() && m_workspace->height() < Fonts::px(kTightHeight)) {
        m_dashboard->restoreLayout(true);
    }
    m_page->focusStart();
    if (!path.isEmpty()) {
        openModel(path);
        return;
    }
    const QString crashed = m_settings.crashedWhileLoading();
    if (!crashed.isEmpty()) {
        m_settings.clearLoading();
        m_modelNotice->showNotice(NoticeBar::Kind::Warning,
            [crashed] {
                return tr("Kvasir ended while it loaded “%1” and has not opened it again by itself.")
                    .arg(QFileInfo(crashed).fileName());
            },
            {{[] { return tr("Open it"); }, [this, crashed] { openModel(crashed); }},
                {[] { return tr("Choose another file…"); }, [this] { chooseModelFile(); }}});
        return;
    }
    QStringList candidates = m_settings.recentModels();
    candidates << QDir(m_settings.modelFolder()).filePath(starterModelName());
    for (const QString& candidate : std::as_const(candidates)) {
        if (isPresent(candidate)) {
            openModel(candidate);
            return;
        }
    }
}

void MainWindow::openModel(const QString& path)
{
    m_modelNotice->dismiss();
    const QString model = modelAt(path);
    const QString absolute = QFileInfo(model.isEmpty() ? path : model).absoluteFilePath();
    m_settings.markLoading(absolute);
    m_topBar->setLoading(absolute);
    m_page->setLoading(true);
    m_dashboard->setLoading(true);
    m_engine->load(absolute, m_settings.engineOptions());
    updateStatus();
}

void MainWindow::onLoadStarted(const QString& path)
{
    m_topBar->setLoading(path);
}

void MainWindow::onLoaded(const ModelInfo& model)
{
    m_settings.clearLoading();
    m_settings.addRecentModel(model.path);
    m_topBar->setLoading({});
    m_page->setLoading(false);
    m_dashboard->setLoading(false);
    m_session->setModel(model);
    m_topBar->setModel(model);
    m_page->focusStart();
    const int asked = m_settings.context();
    if (!model.hasTemplate) {
        m_modelNotice->showNotice(NoticeBar::Kind::Information, [templateError = model.summary.templateError] {
            return templateError.empty() ? tr("This model has no chat template: it was not trained to converse. It "
                                              "gets the conversation as plain "
                                              "text with “User:” and “Assistant:”, and may not keep to its turn.")
                                         : tr("This model’s chat template cannot be used (%1). It gets the "
                                              "conversation as plain text with “User:” "
                                              "and “Assistant:”, and may not keep to its turn.")
                                               .arg(QString::fromStdString(templateError));
        });
    } else if (asked > 0 && model.summary.context < asked) {
        m_modelNotice->showNotice(
            NoticeBar::Kind::Information, [asked, got = model.summary.context, trained = model.summary.trainedContext] {
                return got >= trained
                    ? tr("The context is %1 tokens, not the %2 that are set: the model was trained for no more.")
                          .arg(NumberFormat::count(got), NumberFormat::count(asked))
                    : tr("The context is %1 tokens, not the %2 that are set: there is no memory for more.")
                          .arg(NumberFormat::count(got), NumberFormat::count(asked));
            });
    } else if (asked == 0 && !model.summary.contextReason.empty()) {
        m_modelNotice->showNotice(
            NoticeBar::Kind::Information, [got = model.summary.context, trained = model.summary.trainedContext] {
                return tr("The context is %1 tokens instead of the model’s %2: there is no memory for more.")
                    .arg(NumberFormat::count(got), NumberFormat::count(trained));
            });
    }
    updateStatus();
    emit modelReady();
}

void MainWindow::onLoadFailed(const QString& path, const Error& error, bool modelKept)
{
    m_settings.clearLoading();
    m_topBar->setLoading({});
    m_page->setLoading(false);
    m_dashboard->setLoading(false);
    if (!modelKept && m_session->model()) {
        m_session->setModel({});
        m_topBar->setModel({});
    }
    const auto sentence = [path, error] { return ErrorText::loadFailed(path, error); };
    QList<NoticeBar::Button> buttons{{[] { return tr("Choose another file…"); }, [this] { chooseModelFile(); }},
        {[] { return tr("Try again"); }, [this, path] { openModel(path); }}};
    if (error.code == ErrorCode::OutOfMemory) {
        buttons.append({[] { return tr("Settings…"); }, [this] { openSettings(); }});
    }
    m_modelNotice->showNotice(
        error.code == ErrorCode::Cancelled ? NoticeBar::Kind::Information : NoticeBar::Kind::Warning, sentence,
        buttons);
    showModels();
    updateStatus();
    emit modelFailed(sentence());
}

void MainWindow::onStoreState(const StoreState& state)
{
    if (state.saved) {
        m_storeNotice->dismiss();
        return;
    }
    QList<NoticeBar::Button> buttons{{[] { return tr("Try again"); }, [this] { m_store->retry(false); }}};
    if (state.problem.code == ErrorCode::Malformed) {
        buttons.append({[] { return tr("Set aside and start anew"); }, [this] { m_store->retry(true); }});
    }
    m_storeNotice->showNotice(
        NoticeBar::Kind::Warning, [error = state.problem] { return ErrorText::storeFailed(error); }, buttons);
}

void MainWindow::showModels()
{
    m_page->welcome()->setModels(m_settings.modelsInFolder(), m_settings.modelFolder());
}

void MainWindow::chooseModelFile()
{
    const QStringList recent = m_settings.recentModels();
    const QString folder = recent.isEmpty() ? m_settings.modelFolder() : QFileInfo(recent.first()).path();
    auto* dialog = new QFileDialog(
        this, tr("Open a model"), folder, tr("Models (*.gguf *.safetensors config.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("openModelDialog"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openModel);
    dialog->open();
}

void MainWindow::removeConversation(qint64 id)
{
    if (id == 0) {
        return;
    }
    QString title;
    for (const ConversationInfo& info : m_session->conversations()) {
        if (info.id == id) {
            title = info.title;
        }
    }
    m_removed = id;
    m_session->remove(id);
    m_undoNotice->showNotice(NoticeBar::Kind::Information,
        [title] { return tr("“%1” was deleted. It can be brought back until Kvasir is closed.").arg(title); },
        {{[] { return tr("Undo"); }, [this] { m_actions->undoRemove->trigger(); }}});
    updateActions();
}

void MainWindow::openChatSettings(bool systemPrompt)
{
    auto* dialog = new ChatSettingsDialog(m_session->info().settings, false, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { m_session->setChatSettings(dialog->settings()); });
    connect(dialog, &ChatSettingsDialog::defaultsChosen, this, [this](const ChatSettings& settings) {
        m_settings.setChatDefaults(settings);
        m_session->setDefaults(settings);
    });
    dialog->open();
    systemPrompt ? dialog->focusSystemPrompt() : dialog->focusSampling();
}

void MainWindow::openDefaults()
{
    auto* dialog = new ChatSettingsDialog(m_settings.chatDefaults(), true, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_settings.setChatDefaults(dialog->settings());
        m_session->setDefaults(dialog->settings());
    });
    dialog->open();
}

void MainWindow::openSettings()
{
    auto* dialog = new SettingsDialog(m_settings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::languageChosen, this, &MainWindow::setLanguage);
    connect(dialog, &SettingsDialog::appearanceChosen, this, &MainWindow::applyAppearance);
    connect(dialog, &SettingsDialog::modelFolderChanged, this, &MainWindow::showModels);
    connect(dialog, &SettingsDialog::chatDefaultsRequested, this, &MainWindow::openDefaults);
    connect(dialog, &SettingsDialog::engineChanged, this, [this] {
        if (m_session->model()) {
            openModel(m_session->model()->path);
        }
    });
    dialog->open();
}

void MainWindow::openShortcuts()
{
    auto* dialog = new ShortcutsDialog(*m_actions, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::openPrompt()
{
    // Beside the window and not over it: it follows what is being written.
    auto* dialog = new PromptDialog(
        *m_session, *m_engine, [page = m_page] { return page->composer()->text(); }, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_page->composer(), &Composer::textEdited, dialog, &PromptDialog::refresh);
    dialog->QWidget::show();
}

void MainWindow::openAbout()
{
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("About Kvasir"));
    box->setIconPixmap(windowIcon().pixmap(64));
    box->setText(tr("Kvasir %1").arg(QCoreApplication::applicationVersion()));
    box->setInformativeText(tr(
        "Chat with a language model on this computer and see where its time and memory go.\n\nFree software under the "
        "GNU General Public License, version 3 or later. Nothing you write leaves this computer."));
    box->open();
}

void MainWindow::setLanguage(const QString& code)
{
    m_settings.setLanguage(code);
    m_language.set(code);
}

void MainWindow::applyAppearance()
{
    Fonts::setScale(m_settings.fontScale());
    Theme::setMode(m_settings.theme());
}

void MainWindow::scaleText(double factor)
{
    m_settings.setFontScale(std::clamp(factor, 0.5, 3.0));
    applyAppearance();
}

void MainWindow::escape()
{
    // The nearest thing first; the field that has the focus is nearer than a reply.
    FindBar* find = m_page->findBar();
    if (find->isAncestorOf(focusWidget())) {
        find->close();
    } else if (m_sidebar->clearSearch()) {
        m_page->composer()->focusInput();
    } else if (m_page->cancelEdit()) {
        return;
    } else if (m_session->live()) {
        m_session->stop();
    } else if (!find->isHidden()) {
        find->close();
    } else if (isFullScreen()) {
        m_actions->fullScreen->setChecked(false);
    }
}

MessageId MainWindow::lastMessage(MessageRole role) const
{
    const QList<MessageId> branch = m_session->tree().branch();
    for (auto it = branch.crbegin(); it != branch.crend(); ++it) {
        if (m_session->tree().message(*it).role == role) {
            return *it;
        }
    }
    return 0;
}

void MainWindow::updateActions()
{
    const Actions& a = *m_actions;
    const bool stored = m_session->info().id != 0;
    const MessageId leaf = m_session->tree().leaf();
    a.regenerate->setEnabled(m_session->canSend() && lastMessage(MessageRole::Assistant) != 0);
    a.editLast->setEnabled(m_session->canSend() && lastMessage(MessageRole::User) != 0);
    a.showPrompt->setEnabled(m_session->model().has_value());
    a.copyReply->setEnabled(lastMessage(MessageRole::Assistant) != 0);
    a.rename->setEnabled(stored);
    a.remove->setEnabled(stored);
    a.undoRemove->setEnabled(m_removed != 0);
    const bool versions = leaf != 0 && m_session->tree().siblings(leaf).size() > 1 && !m_session->live();
    a.previousVersion->setEnabled(versions);
    a.nextVersion->setEnabled(versions);
    a.find->setEnabled(!m_session->isEmpty());
    const QString title = m_session->info().title;
    setWindowTitle(title.isEmpty() ? QStringLiteral("Kvasir") : tr("%1 – Kvasir").arg(title));
    updateStatus();
}

void MainWindow::updateStatus()
{
    const auto cost = m_dashboard->cost();
    m_costLabel->setText(cost ? tr("dashboard costs %1 of one core").arg(NumberFormat::percent(*cost)) : QString());
    m_costLabel->setToolTip(
        tr("Processor time of this window spent on the panels at the right, over the time of the newest "
           "reply. Hidden panels cost nothing."));
    QString state = tr("engine idle");
    if (m_topBar->isLoading()) {
        state = tr("loading a model");
    } else if (!m_session->model()) {
        state = tr("no model");
    } else if (!m_session->liveReplies().isEmpty()) {
        const bool writing = std::any_of(m_session->liveReplies().begin(), m_session->liveReplies().end(),
            [](const LiveReply& live) { return !live.record.tokens.isEmpty(); });
        state = writing ? tr("writing") : tr("reading the prompt");
    }
    m_stateLabel->setText(state);
}

void MainWindow::retranslate()
{
    m_actions->retranslate();
    const QStringList titles{tr("&File"), tr("&Edit"), tr("&Chat"), tr("&View"), tr("&Help")};
    for (qsizetype i = 0; i < m_menus.size(); ++i) {
        m_menus.at(i)->setTitle(titles.at(i));
    }
    m_dashboard->retranslate();
    const bool korean = m_language.current() == QLatin1String("ko");
    m_languageButton->setText(korean ? QStringLiteral("English") : QStringLiteral("한국어"));
    m_languageButton->setToolTip(tr("Switch the language to %1").arg(m_languageButton->text()));
    m_languageButton->setAccessibleName(m_languageButton->toolTip());
    updateActions();
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    if (Theme::isThemeChange(event)) {
        // Setting a style sheet is a change of style itself.
        if (const QString sheet = windowStyleSheet(); sheet != styleSheet()) {
            setStyleSheet(sheet);
        }
    }
    QMainWindow::changeEvent(event);
}

void MainWindow::restoreWindow()
{
    if (!restoreGeometry(m_settings.bytes(QStringLiteral("window/geometry")))) {
        resize(1360, 860);
    }
    m_workspace->restoreState(m_settings.bytes(QStringLiteral("window/docks")), kLayoutVersion);
    m_splitter->restoreState(m_settings.bytes(QStringLiteral("window/splitter")));
    m_actions->showSidebar->setChecked(m_settings.bytes(QStringLiteral("window/sidebar")) != "hidden");
    m_actions->showTimeline->setChecked(!m_dashboard->timelineDock()->isHidden());
    m_actions->showMemory->setChecked(!m_dashboard->memoryDock()->isHidden());
    m_actions->showPhases->setChecked(!m_dashboard->phaseDock()->isHidden());
}

void MainWindow::saveWindow()
{
    m_settings.setBytes(QStringLiteral("window/geometry"), saveGeometry());
    m_settings.setBytes(QStringLiteral("window/docks"), m_workspace->saveState(kLayoutVersion));
    m_settings.setBytes(QStringLiteral("window/splitter"), m_splitter->saveState());
    m_settings.setBytes(QStringLiteral("window/sidebar"), m_actions->showSidebar->isChecked() ? "shown" : "hidden");
    m_settings.sync();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    saveWindow();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!droppedModel(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (const QString path = droppedModel(event->mimeData()); !path.isEmpty()) {
        event->acceptProposedAction();
        openModel(path);
    }
}

} // namespace kvasir
