#include "window/chatsession.h"

#include "engine/adapters.h"
#include "engine/engineworker.h"
#include "store/errorcodec.h"
#include "store/storeworker.h"

#include <QRandomGenerator>

#include <algorithm>

namespace kvasir {

namespace {

// At most 30 frames a second; a timer that fires early stays below it.
constexpr int kFrameMilliseconds = 34;
// Figures that change faster cannot be read.
constexpr int kFooterMilliseconds = 250;
constexpr int kTitleLength = 48;

PromptMessage promptMessage(const Message& message)
{
    PromptMessage result{message.role, message.text, message.reasoning, {}};
    for (const MessageCall& call : message.calls) {
        result.calls << call.text;
    }
    return result;
}

} // namespace

QString titleFor(const QString& text)
{
    QString line = text.trimmed().section(u'\n', 0, 0).simplified();
    while (line.startsWith(u'#') || line.startsWith(u'>')) {
        line = line.mid(1).trimmed();
    }
    if (line.size() <= kTitleLength) {
        return line;
    }
    // Not inside a surrogate pair, and at a word where one ends nearby.
    qsizetype end = kTitleLength;
    if (line.at(end - 1).isHighSurrogate()) {
        --end;
    }
    const qsizetype space = line.lastIndexOf(u' ', end);
    return line.left(space > kTitleLength / 2 ? space : end) + QChar(0x2026);
}

ChatSession::ChatSession(StoreWorker& store, EngineWorker& engine, QObject* parent)
    : QObject(parent)
    , m_store(store)
    , m_engine(engine)
{
    m_frame.setSingleShot(true);
    m_frame.setTimerType(Qt::PreciseTimer);
    m_sinceFrame.start();
    m_sinceFooter.start();
    connect(&m_frame, &QTimer::timeout, this, &ChatSession::flushFrames);
    connect(&store, &StoreWorker::conversationsListed, this, &ChatSession::onListed);
    connect(&store, &StoreWorker::conversationLoaded, this, &ChatSession::onLoaded);
    connect(&store, &StoreWorker::recordLoaded, this, [this](qint64 id, const auto& record) {
        if (record && m_tree.contains(id)) {
            m_records.insert(id, record);
        }
    });
    connect(&store, &StoreWorker::loadFailed, this, [this](qint64 id) {
        if (id == m_opening) {
            m_opening = 0;
            emit openFailed();
        }
    });
    connect(&engine, &EngineWorker::progressed, this, &ChatSession::onProgressed);
    connect(&engine, &EngineWorker::finished, this, &ChatSession::onFinished);
}

ChatMessage ChatSession::toShown(const Message& message) const
{
    const auto live = m_live.constFind(message.id);
    const auto record = m_records.value(message.id);
    ChatMessage shown = Adapters::chatMessage(message, live != m_live.constEnd() ? &live->record : record.get());
    const QList<MessageId> siblings = m_tree.siblings(message.id);
    shown.branchCount = static_cast<int>(siblings.size());
    shown.branch = static_cast<int>(siblings.indexOf(message.id)) + 1;
    shown.canEdit = message.role == MessageRole::User;
    shown.canRegenerate = message.role == MessageRole::Assistant && message.state != MessageState::Streaming;
    return shown;
}

ChatMessage ChatSession::shownMessage(MessageId id) const
{
    return toShown(m_tree.message(id));
}

QList<ChatMessage> ChatSession::shownMessages() const
{
    QList<ChatMessage> list;
    for (const MessageId id : m_tree.branch()) {
        list << shownMessage(id);
    }
    return list;
}

QList<MessageId> ChatSession::measuredReplies() const
{
    QList<MessageId> list;
    for (const MessageId id : m_tree.branch()) {
        if (m_records.contains(id)) {
            list.prepend(id);
        }
    }
    return list;
}

QList<PromptMessage> ChatSession::promptMessages(const QString& draft) const
{
    QList<PromptMessage> messages;
    for (const MessageId id : m_tree.branch()) {
        const Message& message = m_tree.message(id);
        if (message.state != MessageState::Failed && message.state != MessageState::Streaming) {
            messages.append(promptMessage(message));
        }
    }
    if (!draft.trimmed().isEmpty()) {
        messages.append({MessageRole::User, draft, {}, {}});
    }
    return messages;
}

int ChatSession::contextUsed() const
{
    const QList<MessageId> branch = m_tree.branch();
    for (auto it = branch.crbegin(); it != branch.crend(); ++it) {
        if (const auto live = m_live.constFind(*it); live != m_live.constEnd()) {
            return live->record.stats.promptTokens + static_cast<int>(live->record.tokens.size());
        }
        if (const auto record = m_records.value(*it)) {
            return record->stats.promptTokens + record->stats.generatedTokens;
        }
    }
    return 0;
}

bool ChatSession::isAnswering(ConversationId id) const
{
    return std::any_of(m_live.begin(), m_live.end(), [id](const LiveReply& live) { return live.conversation == id; });
}

const LiveReply* ChatSession::live() const
{
    for (const LiveReply& live : m_live) {
        if (isShown(live)) {
            return &live;
        }
    }
    return nullptr;
}

void ChatSession::setModel(const std::optional<ModelInfo>& model)
{
    m_model = model;
    m_memory.clear(); // other weights, another plot
    emit modelChanged();
    emit busyChanged();
}

void ChatSession::setDefaults(const ChatSettings& defaults)
{
    m_defaults = defaults;
    if (m_info.id == 0) {
        m_info.settings = defaults;
        emit infoChanged();
    }
}

void ChatSession::clear()
{
    m_opening = 0;
    m_info = {};
    m_info.settings = m_defaults;
    m_tree = {};
    m_records.clear();
}

void ChatSession::newConversation()
{
    clear();
    emit shown();
    emit infoChanged();
    emit busyChanged();
}

void ChatSession::openConversation(qint64 id)
{
    if (id != 0 && id != m_info.id) {
        m_opening = id;
        m_store.loadConversation(id);
    }
}

void ChatSession::onListed(const QList<ConversationInfo>& list)
{
    // The list was read before what has been begun or deleted here since.
    QList<ConversationInfo> merged = list;
    merged.removeIf([this](const ConversationInfo& info) { return m_deleted.contains(info.id); });
    for (const ConversationInfo& mine : std::as_const(m_list)) {
        const auto same =
            std::find_if(merged.begin(), merged.end(), [&](const auto& info) { return info.id == mine.id; });
        if (same == merged.end()) {
            merged.append(mine);
        } else if (same->updated <= mine.updated) {
            *same = mine;
        }
    }
    std::stable_sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a.updated > b.updated; });
    m_list = merged;
    emit listChanged();
}

void ChatSession::onLoaded(const Conversation& conversation)
{
    // Only the newest click counts.
    if (conversation.info.id != m_opening) {
        return;
    }
    clear();
    m_info = conversation.info;
    m_records = conversation.records;
    MessageId leaf = conversation.info.activeLeaf;
    QList<Message> messages = conversation.messages;
    for (Message& message : messages) {
        // The store is up to half a second behind.
        if (const auto live = m_live.constFind(message.id); live != m_live.constEnd()) {
            message = live->message;
            leaf = message.id;
        }
    }
    m_tree = MessageTree(messages, leaf);
    emit shown();
    emit infoChanged();
    emit busyChanged();
}

void ChatSession::touch()
{
    m_info.updated = QDateTime::currentDateTime();
    m_info.activeLeaf = m_tree.leaf();
    m_info.messageCount = static_cast<int>(m_tree.branch().size());
    updateListed(m_info);
}

void ChatSession::updateListed(const ConversationInfo& info)
{
    m_list.removeIf([&](const ConversationInfo& listed) { return listed.id == info.id; });
    const auto place = std::find_if(
        m_list.begin(), m_list.end(), [&](const ConversationInfo& listed) { return listed.updated <= info.updated; });
    m_list.insert(place, info);
    emit listChanged();
}

bool ChatSession::send(const QString& text)
{
    if (!canSend() || text.trimmed().isEmpty() || m_opening != 0) {
        return false;
    }
    if (m_info.id == 0) {
        m_info.id = newId();
        m_info.created = QDateTime::currentDateTime();
        m_info.title = titleFor(text);
    }
    Message question;
    question.id = newId();
    question.parent = m_tree.leaf();
    question.text = text;
    question.created = QDateTime::currentDateTime();
    m_tree.add(question);
    emit messageAdded(toShown(question));
    ask(question.id, {question});
    return true;
}

void ChatSession::ask(MessageId question, QList<Message> unsaved)
{
    ReplyRequest request;
    request.submitted = Clock::now();
    request.messages = promptMessages();
    request.settings = m_info.settings;
    if (!request.settings.fixedSeed) {
        request.settings.sampling.seed = QRandomGenerator::system()->generate64();
    }

    Message reply;
    reply.id = newId();
    reply.parent = question;
    reply.role = MessageRole::Assistant;
    reply.state = MessageState::Streaming;
    reply.created = QDateTime::currentDateTime();
    reply.model = Adapters::modelLabel(*m_model);
    m_tree.add(reply);
    touch();
    m_store.save(m_info, unsaved << reply);

    request.id = reply.id;
    LiveReply live;
    live.conversation = m_info.id;
    live.message = reply;
    live.submitted = request.submitted;
    m_live.insert(reply.id, live);
    markOthers(reply.id, ReplyMark::Kind::ChatJoined);
    m_engine.generate(request);
    emit messageAdded(toShown(reply));
    emit replyStarted(reply.id);
    emit busyChanged();
    emit infoChanged();
}

void ChatSession::markOthers(MessageId cause, ReplyMark::Kind kind)
{
    for (LiveReply& live : m_live) {
        if (live.message.id != cause) {
            live.marks.append({Clock::now() - live.submitted, kind});
            if (isShown(live)) {
                emit replyMarked(live.marks.last());
            }
        }
    }
}

void ChatSession::stop()
{
    if (const LiveReply* reply = live()) {
        m_engine.stop(reply->message.id);
    }
}

void ChatSession::regenerate(qint64 reply)
{
    if (!canSend() || !m_tree.contains(reply) || m_tree.message(reply).parent == 0) {
        return;
    }
    m_tree.setLeaf(m_tree.message(reply).parent);
    emit shown();
    ask(m_tree.leaf(), {});
    // The new sibling gives the first one its counter, which is not on screen any more.
}

void ChatSession::edit(qint64 message, const QString& text)
{
    if (!canSend() || !m_tree.contains(message) || text.trimmed().isEmpty()) {
        return;
    }
    Message question = m_tree.message(message);
    question.id = newId();
    question.text = text;
    question.created = QDateTime::currentDateTime();
    m_tree.add(question);
    emit shown();
    ask(question.id, {question});
}

void ChatSession::switchBranch(qint64 message, int delta)
{
    if (!m_tree.contains(message) || live()) {
        return;
    }
    const QList<MessageId> siblings = m_tree.siblings(message);
    const qsizetype at = siblings.indexOf(message) + delta;
    if (at < 0 || at >= siblings.size()) {
        return;
    }
    m_tree.setLeaf(m_tree.newestLeafBelow(siblings.at(at)));
    m_info.activeLeaf = m_tree.leaf();
    m_info.messageCount = static_cast<int>(m_tree.branch().size());
    m_store.save(m_info);
    updateListed(m_info);
    emit shown();
}

void ChatSession::rename(qint64 conversation, const QString& title)
{
    const QString clean = title.simplified();
    if (clean.isEmpty()) {
        return;
    }
    for (ConversationInfo listed : std::as_const(m_list)) {
        if (listed.id == conversation) {
            listed.title = clean;
            listed.titleByUser = true;
            if (m_info.id == conversation) {
                m_info.title = clean;
                m_info.titleByUser = true;
            }
            m_store.save(listed);
            updateListed(listed);
            emit infoChanged();
            return;
        }
    }
}

void ChatSession::remove(qint64 conversation)
{
    for (const LiveReply& reply : std::as_const(m_live)) {
        if (reply.conversation == conversation) {
            m_engine.stop(reply.message.id);
        }
    }
    m_store.setDeleted(conversation, true);
    m_deleted.insert(conversation);
    m_list.removeIf([&](const ConversationInfo& listed) { return listed.id == conversation; });
    emit listChanged();
    if (m_info.id == conversation) {
        newConversation();
    }
}

void ChatSession::restore(qint64 conversation)
{
    m_store.setDeleted(conversation, false);
    m_deleted.remove(conversation);
    m_store.listConversations();
    openConversation(conversation);
}

void ChatSession::setChatSettings(const ChatSettings& settings)
{
    m_info.settings = settings;
    if (m_info.id != 0) {
        m_store.save(m_info);
        for (ConversationInfo& listed : m_list) {
            if (listed.id == m_info.id) {
                listed.settings = settings;
            }
        }
    }
    emit infoChanged();
}

void ChatSession::onProgressed(const std::shared_ptr<const ReplyDelta>& delta)
{
    if (!m_live.contains(delta->id)) {
        return;
    }
    const auto gathered = m_gathered.find(delta->id);
    if (gathered == m_gathered.end()) {
        m_gathered.insert(delta->id, *delta);
    } else {
        gathered->append(*delta);
    }
    // A token that comes after a quiet frame is shown at once; more of them wait for the next frame.
    if (!m_frame.isActive()) {
        const qint64 rest = kFrameMilliseconds - m_sinceFrame.elapsed();
        if (rest <= 0) {
            flushFrames();
        } else {
            m_frame.start(static_cast<int>(rest));
        }
    }
}

void ChatSession::flushFrames()
{
    m_frame.stop();
    m_sinceFrame.restart();
    const auto gathered = std::exchange(m_gathered, {});
    for (const ReplyDelta& delta : gathered) {
        if (const auto live = m_live.find(delta.id); live != m_live.end()) {
            apply(*live, delta);
        }
    }
}

void ChatSession::apply(LiveReply& live, const ReplyDelta& delta)
{
    const Message before = live.message;
    addPieces(live.message, delta.pieces);
    countReasoning(live, delta);
    live.record.tokens += delta.tokens;
    live.record.prefill += delta.marks;
    live.phases = delta.phases;
    live.age = delta.age;
    if (delta.prefill) {
        live.record.stats.promptTokens = delta.prefill->total;
        live.record.stats.cachedTokens = delta.prefill->cached;
        live.record.stats.queue = delta.prefill->queue;
    }
    if (!delta.pieces.isEmpty()) {
        m_store.updateReply(live.message);
    }
    const int done = live.record.prefill.isEmpty() ? 0 : live.record.prefill.last().tokens;
    const int tokens = live.record.tokens.isEmpty()
        ? live.record.stats.cachedTokens + done
        : live.record.stats.promptTokens + static_cast<int>(live.record.tokens.size());
    QVector<MemorySample>& samples = m_memory[live.conversation];
    // The plot's own rule: a step back in tokens drops what it overtakes.
    while (!samples.isEmpty() && samples.last().tokens >= tokens) {
        samples.removeLast();
    }
    samples.append(Adapters::memorySample(delta.memory, delta.system, tokens));
    if (!isShown(live)) {
        return;
    }
    if (m_tree.contains(live.message.id)) {
        m_tree.message(live.message.id) = live.message;
    }
    showText(live, before);
    if (m_sinceFooter.elapsed() >= kFooterMilliseconds || live.record.tokens.size() == delta.tokens.size()) {
        m_sinceFooter.restart();
        emit footerChanged(live.message.id, Adapters::footer(live.record, true));
        emit reasoningChanged(live.message.id, Adapters::reasoningLabel(live.message, &live.record));
    }
    emit replyGrew(delta);
}

void ChatSession::countReasoning(LiveReply& live, const ReplyDelta& delta) const
{
    ReplyStats& stats = live.record.stats;
    for (const ReplyToken& token : delta.tokens) {
        if (token.isReasoning) {
            if (stats.reasoningTokens++ == 0) {
                live.reasoningBegan = token.time;
            }
            stats.reasoning = token.time - live.reasoningBegan;
        }
    }
}

/// Passes on what came to the text; as an addition where it is one.
void ChatSession::showText(const LiveReply& live, const Message& before)
{
    const Message& now = live.message;
    const bool thinksNoMore = !now.reasoning.isEmpty() && before.text.isEmpty() && !now.text.isEmpty();
    if (!now.calls.isEmpty() || thinksNoMore) {
        if (now.text != before.text || now.reasoning != before.reasoning || now.calls != before.calls) {
            emit messageChanged(toShown(now));
        }
        return;
    }
    if (now.reasoning.size() > before.reasoning.size()) {
        if (before.reasoning.isEmpty()) {
            emit reasoningChanged(now.id, Adapters::reasoningLabel(now, &live.record));
        }
        emit reasoningArrived(now.id, now.reasoning.mid(before.reasoning.size()));
    }
    if (now.text.size() > before.text.size()) {
        emit textArrived(now.id, now.text.mid(before.text.size()));
    }
}

void ChatSession::onFinished(const std::shared_ptr<const ReplyEnd>& end)
{
    flushFrames();
    const auto found = m_live.find(end->id);
    if (found == m_live.end()) {
        return;
    }
    LiveReply live = *found;
    m_live.erase(found);
    markOthers(end->id, ReplyMark::Kind::ChatLeft);
    Message& message = live.message;
    message.state = end->failed ? MessageState::Failed : MessageState::Complete;
    std::shared_ptr<ReplyRecord> record;
    if (end->failed) {
        message.problem = encodeError(end->error);
    } else {
        record = std::make_shared<ReplyRecord>(std::move(live.record));
        record->stats = end->stats;
        record->stats.itl.clear();
    }
    m_store.finishReply(message, record);
    if (isShown(live) && m_tree.contains(message.id)) {
        m_tree.message(message.id) = message;
        if (record) {
            m_records.insert(message.id, record);
        }
        emit messageChanged(toShown(message));
        emit replyEnded(message.id);
    }
    emit busyChanged();
    emit listChanged();
}

void ChatSession::finishAll()
{
    flushFrames();
    for (LiveReply& live : m_live) {
        m_engine.stop(live.message.id);
        live.message.state = MessageState::Interrupted;
        m_store.finishReply(live.message, nullptr);
    }
    m_live.clear();
}

} // namespace kvasir
