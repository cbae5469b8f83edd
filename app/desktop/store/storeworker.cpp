#include "store/storeworker.h"

#include "store/conversationstore.h"

namespace kvasir {

namespace {

// kill -9 may lose one second of a reply: half for waiting here, half for everything before.
constexpr int kFlushMilliseconds = 500;

} // namespace

StoreWorker::StoreWorker(QObject* parent)
    : QObject(parent)
{
    qRegisterMetaType<kvasir::StoreState>();
    qRegisterMetaType<kvasir::Error>();
    qRegisterMetaType<QList<kvasir::ConversationInfo>>();
    qRegisterMetaType<QList<kvasir::SearchHit>>();
    qRegisterMetaType<std::shared_ptr<const kvasir::ReplyRecord>>();
    m_flush.setSingleShot(true);
    m_flush.setInterval(kFlushMilliseconds);
    connect(&m_flush, &QTimer::timeout, this, &StoreWorker::flush);
}

StoreWorker::~StoreWorker() = default;

void StoreWorker::post(std::function<void()> job)
{
    QMetaObject::invokeMethod(this, std::move(job), Qt::QueuedConnection);
}

void StoreWorker::open(const QString& folder)
{
    post([this, folder] {
        m_folder = folder;
        auto opened = ConversationStore::open(folder);
        if (opened) {
            m_store = std::move(*opened);
            emit stateChanged({true, {}, m_store->path()});
        } else {
            m_store = ConversationStore::inMemory();
            emit stateChanged({false, opened.error(), {}});
        }
        list();
    });
}

void StoreWorker::retry(bool setDamagedAside)
{
    post([this, setDamagedAside] {
        if (!m_store || !m_store->isInMemory()) {
            return;
        }
        if (setDamagedAside) {
            if (auto aside = ConversationStore::setAside(m_folder); !aside) {
                emit stateChanged({false, aside.error(), {}});
                return;
            }
        }
        auto opened = ConversationStore::open(m_folder);
        if (opened) {
            flush();
            if (auto absorbed = (*opened)->absorb(*m_store); !absorbed) {
                emit stateChanged({false, absorbed.error(), {}});
                return;
            }
            m_store = std::move(*opened);
            emit stateChanged({true, {}, m_store->path()});
            list();
        } else {
            emit stateChanged({false, opened.error(), {}});
        }
    });
}

void StoreWorker::list()
{
    auto all = m_store->conversations();
    if (!all) {
        fallBack(all.error());
        all = m_store->conversations();
    }
    if (all) {
        emit conversationsListed(*all);
    }
}

void StoreWorker::fallBack(const Error& problem)
{
    auto memory = ConversationStore::inMemory();
    // What can still be read goes along; a damaged file gives what it gives.
    static_cast<void>(memory->absorb(*m_store));
    m_store = std::move(memory);
    emit stateChanged({false, problem, {}});
}

void StoreWorker::write(const std::function<Result<void>(ConversationStore&)>& job)
{
    auto done = job(*m_store);
    if (!done && !m_store->isInMemory()) {
        fallBack(done.error());
        done = job(*m_store);
    }
    if (!done) {
        emit readFailed(done.error());
    }
}

void StoreWorker::listConversations()
{
    post([this] { list(); });
}

void StoreWorker::loadConversation(ConversationId id)
{
    post([this, id] {
        if (auto conversation = m_store->load(id)) {
            emit conversationLoaded(*conversation);
        } else {
            emit loadFailed(id, conversation.error());
        }
    });
}

void StoreWorker::loadRecord(MessageId id)
{
    post([this, id] {
        if (auto record = m_store->record(id)) {
            emit recordLoaded(id, *record);
        } else {
            emit readFailed(record.error());
        }
    });
}

void StoreWorker::save(const ConversationInfo& info, const QList<Message>& messages)
{
    post([this, info, messages] {
        write([&](ConversationStore& store) { return store.save(info, messages); });
        emit saved(info.id);
    });
}

void StoreWorker::updateReply(const Message& message)
{
    post([this, message] {
        m_waiting.insert(message.id, message);
        if (!m_flush.isActive()) {
            m_flush.start();
        }
    });
}

void StoreWorker::flush()
{
    m_flush.stop();
    for (const Message& message : std::as_const(m_waiting)) {
        write([&](ConversationStore& store) { return store.updateReply(message); });
    }
    m_waiting.clear();
}

void StoreWorker::finishReply(const Message& message, std::shared_ptr<const ReplyRecord> record)
{
    post([this, message, record = std::move(record)] {
        m_waiting.remove(message.id);
        write([&](ConversationStore& store) { return store.finishReply(message, record.get()); });
    });
}

void StoreWorker::setDeleted(ConversationId id, bool deleted)
{
    post([this, id, deleted] { write([&](ConversationStore& store) { return store.setDeleted(id, deleted); }); });
}

void StoreWorker::search(const QString& words)
{
    post([this, words] {
        if (auto hits = m_store->search(words)) {
            emit searched(words, *hits);
        } else {
            emit readFailed(hits.error());
        }
    });
}

void StoreWorker::close()
{
    post([this] {
        flush();
        m_store.reset();
    });
}

} // namespace kvasir
