#pragma once

#include "engine/replyvalues.h"

#include <QDialog>
#include <QTimer>

#include <functional>

class QLabel;
class QPushButton;

namespace kvasir {

class ChatSession;
class EngineWorker;
class TokenView;

/// The conversation as the model receives it, token by token: with what the template writes around the messages. It
/// follows the conversation while it is open.
class PromptDialog : public QDialog {
    Q_OBJECT

public:
    /// `draft` gives what is being written and has not been sent.
    PromptDialog(ChatSession& session, EngineWorker& engine, std::function<QString()> draft, QWidget* parent = nullptr);

    TokenView* view() const { return m_view; }
    QString summary() const;
    const PromptView& prompt() const { return m_prompt; }
    /// Asks for the prompt anew, a moment later: many changes come together.
    void refresh() { m_delay.start(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void ask();
    void show(const PromptView& prompt);
    void retranslate();

    ChatSession& m_session;
    EngineWorker& m_engine;
    std::function<QString()> m_draft;
    PromptView m_prompt;
    QTimer m_delay;
    int m_ticket = 0;
    bool m_isEmpty = false; ///< there is no message
    QLabel* m_summary;
    QLabel* m_token;
    TokenView* m_view;
    QPushButton* m_copyText;
    QPushButton* m_copyIds;
    QPushButton* m_close;
};

} // namespace kvasir
