#pragma once

#include "store/conversation.h"

#include <QHash>
#include <QTimer>
#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace kvasir {

class ChatSession;
class ChatView;
class Composer;
class EngineWorker;
class FindBar;
class WelcomePage;

/// The middle of the window: the conversation and the place to write. Turns what the session tells into what the view
/// shows, and what the user does into the session's verbs.
class ChatPage : public QWidget {
    Q_OBJECT

public:
    ChatPage(ChatSession& session, EngineWorker& engine, QWidget* parent = nullptr);

    ChatView* view() const { return m_view; }
    Composer* composer() const { return m_composer; }
    FindBar* findBar() const { return m_find; }
    WelcomePage* welcome() const { return m_welcome; }

    void setLoading(bool loading);
    void focusStart();           ///< where the user begins: writing, or opening a model; leaves a field in use alone
    void editMessage(qint64 id); ///< takes the text into the composer; sending makes a new version
    bool cancelEdit();           ///< false: nothing was being edited
    void showHit(qint64 message, const QString& words);
    void copyLastReply();
    void toggleReasoning(); ///< of the last reply that has some

signals:
    void chatSettingsRequested(bool systemPrompt);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showConversation();
    void showLabels();
    void showContext();
    void showTemplateNote();
    void showAvailability();
    void send(const QString& text);
    void onText();
    void confirmLink(const QUrl& url);

    ChatSession& m_session;
    EngineWorker& m_engine;
    QStackedWidget* m_stack;
    WelcomePage* m_welcome;
    ChatView* m_view;
    FindBar* m_find;
    QLabel* m_templateNote;
    QWidget* m_editStrip;
    QLabel* m_editLabel;
    QPushButton* m_editCancel;
    Composer* m_composer;

    bool m_loading = false;
    MessageId m_editing = 0;
    ConversationId m_shown = 0;
    QHash<ConversationId, QString> m_drafts; ///< what was begun in other conversations
    QString m_draftBeforeEdit;
    MessageId m_pendingHit = 0;
    QString m_pendingWords;
    QTimer m_countDelay;
    int m_countTicket = 0;
};

} // namespace kvasir
