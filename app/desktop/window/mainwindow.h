#pragma once

#include "engine/replyvalues.h"
#include "store/storeworker.h"

#include <QMainWindow>
#include <QPointer>
#include <QThread>

#include <memory>

class QLabel;
class QSplitter;
class QToolButton;

namespace kvasir {

class Actions;
class ChatPage;
class ChatSession;
class ChatSettingsDialog;
class Dashboard;
class EngineWorker;
class Language;
class NoticeBar;
class Settings;
class Sidebar;
class TopBar;

/// The window, and the two threads behind it: one for the engine, one for the store. It waits for neither but at its
/// end.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Settings& settings, Language& language, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens conversations and a model: `path`, else the one used last, else the starter model. Returns at once.
    void start(const QString& path);
    void openModel(const QString& path);

    ChatSession& session() { return *m_session; }
    EngineWorker& engine() { return *m_engine; }
    StoreWorker& store() { return *m_store; }
    ChatPage* chatPage() const { return m_page; }
    Dashboard* dashboard() const { return m_dashboard; }
    Sidebar* sidebar() const { return m_sidebar; }
    TopBar* topBar() const { return m_topBar; }
    NoticeBar* modelNotice() const { return m_modelNotice; }
    NoticeBar* storeNotice() const { return m_storeNotice; }
    NoticeBar* undoNotice() const { return m_undoNotice; }
    const Actions& actions() const { return *m_actions; }

signals:
    void modelReady();
    void modelFailed(const QString& sentence);
    void storeReady();

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildLayout();
    void buildMenus();
    void buildStatusBar();
    void connectActions();
    void connectWorkers();
    void restoreWindow();
    void saveWindow();
    void retranslate();
    void setLanguage(const QString& code);
    void applyAppearance();
    void scaleText(double factor);

    void chooseModelFile();
    void showModels();
    void onLoadStarted(const QString& path);
    void onLoaded(const ModelInfo& model);
    void onLoadFailed(const QString& path, const Error& error, bool modelKept);
    void onStoreState(const StoreState& state);
    void removeConversation(qint64 id);
    void openChatSettings(bool systemPrompt);
    void openDefaults();
    void openSettings();
    void openShortcuts();
    void openPrompt();
    void openAbout();
    void escape();
    void updateActions();
    void updateStatus();
    MessageId lastMessage(MessageRole role) const;

    Settings& m_settings;
    Language& m_language;
    QThread m_engineThread;
    QThread m_storeThread;
    EngineWorker* m_engine;
    StoreWorker* m_store;
    std::unique_ptr<Actions> m_actions;
    ChatSession* m_session;

    QSplitter* m_splitter;
    QMainWindow* m_workspace; ///< chat and docks, beside the conversations
    Sidebar* m_sidebar;
    TopBar* m_topBar;
    ChatPage* m_page;
    Dashboard* m_dashboard;
    NoticeBar* m_modelNotice;
    NoticeBar* m_storeNotice;
    NoticeBar* m_undoNotice;
    QLabel* m_costLabel;
    QLabel* m_stateLabel;
    QToolButton* m_languageButton;
    QList<QMenu*> m_menus;
    ConversationId m_removed = 0;
};

} // namespace kvasir
