#include "window/chatpage.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "chat/chatview.h"
#include "chat/composer.h"
#include "engine/adapters.h"
#include "engine/engineworker.h"
#include "window/chatsession.h"
#include "window/findbar.h"
#include "window/welcomepage.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace kvasir {

namespace {

constexpr int kCountMilliseconds = 150;
constexpr int kPromptLabelLength = 24;

} // namespace

ChatPage::ChatPage(ChatSession& session, EngineWorker& engine, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_engine(engine)
    , m_stack(new QStackedWidget(this))
    , m_welcome(new WelcomePage(this))
    , m_view(new ChatView(this))
    , m_find(new FindBar(m_view, this))
    , m_templateNote(new QLabel(this))
    , m_editStrip(new QWidget(this))
    , m_editLabel(new QLabel(m_editStrip))
    , m_editCancel(new QPushButton(m_editStrip))
    , m_composer(new Composer(this))
{
    m_view->setObjectName(QStringLiteral("chatView"));
    m_composer->setObjectName(QStringLiteral("composer"));
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_welcome);
    m_templateNote->setObjectName(QStringLiteral("templateNote"));
    m_templateNote->setForegroundRole(QPalette::PlaceholderText);
    m_templateNote->setFont(Fonts::font(Fonts::Role::Small));
    m_templateNote->setAlignment(Qt::AlignCenter);
    m_templateNote->setWordWrap(true);
    m_templateNote->setContentsMargins(16, 4, 16, 0);
    m_templateNote->hide();
    auto* strip = new QHBoxLayout(m_editStrip);
    strip->setContentsMargins(16, 4, 16, 0);
    strip->addStretch(1);
    strip->addWidget(m_editLabel);
    strip->addWidget(m_editCancel);
    strip->addStretch(1);
    m_editLabel->setForegroundRole(QPalette::PlaceholderText);
    m_editStrip->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_find);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_templateNote);
    layout->addWidget(m_editStrip);
    layout->addWidget(m_composer);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    connect(&session, &ChatSession::shown, this, &ChatPage::showConversation);
    connect(&session, &ChatSession::messageAdded, this, [this](const ChatMessage& message) {
        m_view->appendMessage(message);
        m_view->jumpToLatest();
        showAvailability();
    });
    connect(&session, &ChatSession::messageChanged, m_view, &ChatView::updateMessage);
    connect(&session, &ChatSession::textArrived, m_view, &ChatView::appendText);
    connect(&session, &ChatSession::reasoningArrived, m_view, &ChatView::appendReasoning);
    connect(&session, &ChatSession::reasoningChanged, m_view, &ChatView::setReasoningLabel);
    connect(&session, &ChatSession::footerChanged, m_view, &ChatView::setFooter);
    connect(&session, &ChatSession::infoChanged, this, &ChatPage::showLabels);
    connect(&session, &ChatSession::busyChanged, this, &ChatPage::showAvailability);
    connect(&session, &ChatSession::modelChanged, this, &ChatPage::showAvailability);
    connect(&session, &ChatSession::replyGrew, this, &ChatPage::showContext);
    connect(&session, &ChatSession::replyEnded, this, &ChatPage::showContext);

    connect(m_view, &ChatView::examplePicked, this, &ChatPage::send);
    connect(m_view, &ChatView::editRequested, this, &ChatPage::editMessage);
    connect(m_view, &ChatView::regenerateRequested, &session, &ChatSession::regenerate);
    connect(m_view, &ChatView::actionRequested, &session, &ChatSession::regenerate);
    connect(m_view, &ChatView::branchRequested, &session, &ChatSession::switchBranch);
    connect(m_view, &ChatView::linkActivated, this, &ChatPage::confirmLink);
    connect(m_composer, &Composer::sendRequested, this, &ChatPage::send);
    connect(m_composer, &Composer::stopRequested, &session, &ChatSession::stop);
    connect(m_composer, &Composer::textEdited, this, &ChatPage::onText);
    connect(m_composer, &Composer::systemPromptRequested, this, [this] { emit chatSettingsRequested(true); });
    connect(m_composer, &Composer::samplingRequested, this, [this] { emit chatSettingsRequested(false); });
    connect(m_editCancel, &QPushButton::clicked, this, &ChatPage::cancelEdit);

    m_countDelay.setSingleShot(true);
    m_countDelay.setInterval(kCountMilliseconds);
    connect(
        &m_countDelay, &QTimer::timeout, this, [this] { m_engine.countTokens(++m_countTicket, m_composer->text()); });
    connect(&m_engine, &EngineWorker::tokensCounted, this, [this](int ticket, int tokens) {
        if (ticket == m_countTicket) {
            m_composer->setTokenCount(tokens);
        }
    });
    m_composer->setTokenCount(-1);
    retranslate();
}

void ChatPage::setLoading(bool loading)
{
    m_loading = loading;
    m_welcome->setLoading(loading);
    showAvailability();
}

void ChatPage::focusStart()
{
    if (qobject_cast<QLineEdit*>(window()->focusWidget())) {
        return;
    }
    if (m_session.model()) {
        m_composer->focusInput();
    } else {
        m_welcome->setFocus();
    }
}

void ChatPage::showConversation()
{
    const ConversationId id = m_session.info().id;
    if (id != m_shown) {
        cancelEdit();
        if (m_composer->text().isEmpty()) {
            m_drafts.remove(m_shown);
        } else {
            m_drafts.insert(m_shown, m_composer->text());
        }
        m_shown = id;
        m_composer->setText(m_drafts.take(id));
        onText();
        if (!m_find->isHidden()) {
            m_find->close();
        }
    }
    m_view->setMessages(m_session.shownMessages());
    if (m_pendingHit != 0 && m_view->message(m_pendingHit)) {
        m_view->find(m_pendingWords.section(u' ', 0, 0));
        m_view->scrollToMessage(m_pendingHit);
    }
    m_pendingHit = 0;
    showAvailability();
    showLabels();
    m_composer->focusInput();
}

void ChatPage::showHit(qint64 message, const QString& words)
{
    m_pendingHit = message;
    m_pendingWords = words.simplified();
    if (m_view->message(message)) {
        m_view->find(m_pendingWords.section(u' ', 0, 0));
        m_view->scrollToMessage(message);
        m_pendingHit = 0;
    }
}

void ChatPage::showLabels()
{
    // The first message gives a new conversation its id; the page stays.
    if (m_shown == 0 && m_session.info().id != 0 && m_session.tree().contains(m_session.tree().leaf())) {
        m_shown = m_session.info().id;
    }
    const ChatSettings& settings = m_session.info().settings;
    QString prompt = settings.systemPrompt.simplified();
    if (prompt.size() > kPromptLabelLength) {
        prompt = prompt.left(kPromptLabelLength - 1) + QChar(0x2026);
    }
    m_composer->setSystemPromptLabel(prompt.isEmpty() ? tr("system prompt") : tr("system: %1").arg(prompt));
    m_composer->setSamplingLabel(tr("temperature %1").arg(QLocale().toString(settings.sampling.temperature, 'g', 3)));
    showContext();
}

void ChatPage::showContext()
{
    const auto& model = m_session.model();
    m_composer->setContext(m_session.contextUsed(), model ? model->summary.context : 0);
}

void ChatPage::showAvailability()
{
    const bool hasModel = m_session.model().has_value();
    m_composer->setBusy(m_session.live() != nullptr);
    m_composer->setUnavailable(hasModel ? QString()
            : m_loading                 ? tr("The model is being loaded…")
                                        : tr("Open a model first (Ctrl+O)"));
    m_stack->setCurrentWidget(!hasModel && m_session.isEmpty() ? static_cast<QWidget*>(m_welcome) : m_view);
    showContext();
    showTemplateNote();
    if (hasModel && m_countTicket == 0) {
        onText();
    }
}

void ChatPage::send(const QString& text)
{
    if (m_editing != 0) {
        const MessageId id = m_editing;
        if (!m_session.canSend() || text.trimmed().isEmpty()) {
            return;
        }
        m_editing = 0;
        m_editStrip->hide();
        m_composer->setText(m_draftBeforeEdit);
        m_session.edit(id, text);
    } else if (m_session.send(text)) {
        m_composer->clear();
    }
    onText();
}

void ChatPage::editMessage(qint64 id)
{
    if (!m_session.tree().contains(id) || m_session.live()) {
        return;
    }
    if (m_editing == 0) {
        m_draftBeforeEdit = m_composer->text();
    }
    m_editing = id;
    m_composer->setText(m_session.tree().message(id).text);
    m_editStrip->show();
    m_composer->focusInput();
    onText();
}

bool ChatPage::cancelEdit()
{
    if (m_editing == 0) {
        return false;
    }
    m_editing = 0;
    m_editStrip->hide();
    m_composer->setText(m_draftBeforeEdit);
    m_composer->focusInput();
    onText();
    return true;
}

void ChatPage::onText()
{
    m_countDelay.start();
}

void ChatPage::copyLastReply()
{
    const QList<MessageId> branch = m_session.tree().branch();
    for (auto it = branch.crbegin(); it != branch.crend(); ++it) {
        const Message& message = m_session.tree().message(*it);
        if (message.role == MessageRole::Assistant && !message.text.isEmpty()) {
            QGuiApplication::clipboard()->setText(message.text);
            return;
        }
    }
}

void ChatPage::toggleReasoning()
{
    for (int i = m_view->messageCount() - 1; i >= 0; --i) {
        const ChatMessage& message = m_view->messageAt(i);
        if (!message.reasoning.isEmpty()) {
            m_view->setReasoningOpen(message.id, !m_view->isReasoningOpen(message.id));
            return;
        }
    }
}

/// A quiet line above the composer where conversations are put by a template that is not the file's own.
void ChatPage::showTemplateNote()
{
    const auto& model = m_session.model();
    const bool isKnown = model && model->summary.templateOrigin == TemplateOrigin::Known;
    m_templateNote->setVisible(isKnown);
    if (isKnown) {
        const QString format = QString::fromStdString(model->summary.templateName);
        m_templateNote->setText(tr("This file has no chat template; the one of its family is used (%1).").arg(format));
        m_templateNote->setToolTip(
            tr("The turn marks in the vocabulary are those of %1, so conversations are put that way. If the model was "
               "not taught to converse, it may not keep to its turn.")
                .arg(format));
    }
}

void ChatPage::confirmLink(const QUrl& url)
{
    // Replies are untrusted: only the web and mail, and the whole address is shown first.
    const QStringList schemes{QStringLiteral("http"), QStringLiteral("https"), QStringLiteral("mailto")};
    auto* box = new QMessageBox(window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::NoIcon);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Link"));
    if (schemes.contains(url.scheme())) {
        box->setText(tr("Open this address in your browser?\n\n%1").arg(url.toString(QUrl::FullyEncoded)));
        box->setStandardButtons(QMessageBox::Open | QMessageBox::Cancel);
        box->setDefaultButton(QMessageBox::Cancel);
        connect(box, &QMessageBox::finished, box, [url](int result) {
            if (result == QMessageBox::Open) {
                QDesktopServices::openUrl(url);
            }
        });
    } else {
        box->setText(tr("Kvasir opens web and mail addresses only. This one was not opened:\n\n%1")
                         .arg(url.toString(QUrl::FullyEncoded)));
        box->setStandardButtons(QMessageBox::Close);
    }
    box->open();
}

void ChatPage::retranslate()
{
    m_view->setEmptyState(tr("Ask something and watch it being answered"),
        tr("On the right you see prefill, when the model reads your whole message at once, and decode, when it writes "
           "token by token. Try a question:"),
        {tr("Explain in three sentences why the first token takes longer than the others."),
            tr("Write a table of three rivers with their lengths."), tr("Tell a short story about a lighthouse.")});
    m_view->setAccessibleName(tr("Conversation"));
    m_composer->setPlaceholder(tr("Write a message"));
    m_editLabel->setText(tr("Editing a message: sending it makes a new version, the old one stays."));
    m_editCancel->setText(tr("Cancel"));
    showLabels();
    showAvailability();
}

void ChatPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        m_view->setMessages(m_session.shownMessages());
    }
    QWidget::changeEvent(event);
}

} // namespace kvasir
