#include "window/promptdialog.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "chat/tokenview.h"
#include "engine/engineworker.h"
#include "engine/errortext.h"
#include "window/chatsession.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kvasir {

namespace {

constexpr int kDelayMilliseconds = 150;
// Tickets of two dialogs must differ: both hear every answer.
int s_lastTicket = 0;

} // namespace

PromptDialog::PromptDialog(ChatSession& session, EngineWorker& engine, std::function<QString()> draft, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_engine(engine)
    , m_draft(std::move(draft))
    , m_summary(new QLabel(this))
    , m_token(new QLabel(this))
    , m_view(new TokenView(this))
    , m_copyText(new QPushButton(this))
    , m_copyIds(new QPushButton(this))
    , m_close(new QPushButton(this))
{
    setObjectName(QStringLiteral("promptDialog"));
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_token->setTextFormat(Qt::PlainText);
    m_token->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_token, 1);
    buttons->addWidget(m_copyText);
    buttons->addWidget(m_copyIds);
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_summary);
    layout->addWidget(m_view, 1);
    layout->addLayout(buttons);
    resize(Fonts::px(760), Fonts::px(560));

    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMilliseconds);
    connect(&m_delay, &QTimer::timeout, this, &PromptDialog::ask);
    connect(&engine, &EngineWorker::promptDescribed, this, [this](int ticket, const PromptView& prompt) {
        if (ticket == m_ticket) {
            show(prompt);
        }
    });
    connect(&session, &ChatSession::shown, this, &PromptDialog::refresh);
    connect(&session, &ChatSession::messageAdded, this, &PromptDialog::refresh);
    connect(&session, &ChatSession::replyEnded, this, &PromptDialog::refresh);
    connect(&session, &ChatSession::infoChanged, this, &PromptDialog::refresh);
    connect(&session, &ChatSession::modelChanged, this, &PromptDialog::refresh);
    connect(
        m_view, &TokenView::currentChanged, this, [this](int token) { m_token->setText(m_view->description(token)); });
    connect(m_copyText, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_prompt.text); });
    connect(m_copyIds, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_view->ids()); });
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    retranslate();
    m_view->setFocus();
    ask();
}

QString PromptDialog::summary() const
{
    return m_summary->text();
}

void PromptDialog::ask()
{
    m_ticket = ++s_lastTicket;
    const QList<PromptMessage> messages = m_session.promptMessages(m_draft());
    m_isEmpty = messages.isEmpty();
    if (m_isEmpty) { // many templates refuse a conversation without a question
        show({});
    } else {
        m_engine.describePrompt(m_ticket, messages, m_session.info().settings.systemPrompt);
    }
}

void PromptDialog::show(const PromptView& prompt)
{
    m_prompt = prompt;
    QVector<TokenBox> boxes;
    boxes.reserve(prompt.tokens.size());
    for (const PromptToken& token : prompt.tokens) {
        boxes.append({token.id, token.text, token.isSpecial});
    }
    m_view->setTokens(boxes);
    retranslate();
}

void PromptDialog::retranslate()
{
    setWindowTitle(tr("The prompt, token by token"));
    m_copyText->setText(tr("Copy &text"));
    m_copyIds->setText(tr("Copy &ids"));
    m_close->setText(tr("&Close"));
    m_copyText->setEnabled(!m_view->tokens().isEmpty());
    m_copyIds->setEnabled(!m_view->tokens().isEmpty());
    m_token->setText(m_view->description(m_view->current()));
    QString text;
    if (!m_session.model()) {
        text = tr("No model is loaded: open one to see what it would receive.");
    } else if (m_isEmpty) {
        text = tr("There is nothing to send yet: write a message and see here what becomes of it.");
    } else if (m_prompt.failed) {
        text = ErrorText::replyFailed(m_prompt.error);
    } else {
        text = tr("%n token(s)", nullptr, static_cast<int>(m_prompt.tokens.size())) + QStringLiteral(" · ")
            + tr("%n of them special", nullptr, m_view->specialCount()) + QStringLiteral(" · ")
            + (m_prompt.endsWithReply               ? tr("the conversation so far")
                    : m_draft().trimmed().isEmpty() ? tr("as the model receives it")
                                                    : tr("with the message that is being written"));
    }
    m_summary->setText(text);
    m_view->setAccessibleName(tr("Tokens of the prompt"));
}

void PromptDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QDialog::changeEvent(event);
}

} // namespace kvasir
