#include "window/sidebar.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "store/storeworker.h"
#include "window/actions.h"
#include "window/chatsession.h"
#include "window/conversationdelegate.h"
#include "window/conversationmodel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace kvasir {

namespace {

// Long enough that a syllable being composed does not search three times.
constexpr int kSearchMilliseconds = 120;

} // namespace

Sidebar::Sidebar(ChatSession& session, StoreWorker& store, const Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_store(store)
    , m_model(new ConversationModel(this))
    , m_new(new QPushButton(this))
    , m_newKey(new QLabel(m_new))
    , m_newKeys(actions.newChat->shortcut())
    , m_search(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_hint(new QLabel(this))
    , m_settings(new QPushButton(this))
{
    setObjectName(QStringLiteral("sidebar"));
    m_new->setObjectName(QStringLiteral("newChatButton"));
    m_search->setObjectName(QStringLiteral("conversationSearch"));
    m_list->setObjectName(QStringLiteral("conversationList"));
    auto* inside = new QHBoxLayout(m_new);
    inside->setContentsMargins(0, 0, Fonts::px(10), 0);
    inside->addWidget(m_newKey, 0, Qt::AlignRight);
    m_newKey->setForegroundRole(QPalette::PlaceholderText);
    m_newKey->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_new->setStyleSheet(QStringLiteral("text-align: left;"));
    m_search->setClearButtonEnabled(true);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new ConversationDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAutoFillBackground(false);
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_settings->setFlat(true);
    m_settings->setObjectName(QStringLiteral("settingsButton"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 12, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_new);
    layout->addWidget(m_search);
    layout->addWidget(m_hint);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_settings);

    connect(m_new, &QPushButton::clicked, actions.newChat, &QAction::trigger);
    connect(m_settings, &QPushButton::clicked, actions.settings, &QAction::trigger);
    m_searchDelay.setSingleShot(true);
    m_searchDelay.setInterval(kSearchMilliseconds);
    connect(&m_searchDelay, &QTimer::timeout, this, &Sidebar::search);
    connect(m_search, &QLineEdit::textChanged, &m_searchDelay, qOverload<>(&QTimer::start));
    connect(&m_store, &StoreWorker::searched, this, &Sidebar::showHits);
    m_search->installEventFilter(this);

    m_minute.setInterval(60'000);
    connect(&m_minute, &QTimer::timeout, m_model, &ConversationModel::refresh);
    m_minute.start();

    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        m_session.openConversation(index.data(ConversationModel::IdRole).toLongLong());
        if (const qint64 message = index.data(ConversationModel::HitRole).toLongLong()) {
            emit hitChosen(message, m_search->text());
        }
    });
    connect(m_list, &QListView::activated, this, [this](const QModelIndex& index) {
        m_session.openConversation(index.data(ConversationModel::IdRole).toLongLong());
    });
    connect(m_list, &QListView::customContextMenuRequested, this, &Sidebar::showMenu);
    m_list->installEventFilter(this);
    connect(m_model, &ConversationModel::renamed, &m_session, &ChatSession::rename);
    connect(m_model, &ConversationModel::modelReset, this, &Sidebar::selectShown);
    connect(&m_session, &ChatSession::listChanged, this, &Sidebar::updateList);
    connect(&m_session, &ChatSession::infoChanged, this, &Sidebar::selectShown);
    connect(&m_session, &ChatSession::busyChanged, this, &Sidebar::updateActivity);
    connect(&m_session, &ChatSession::footerChanged, this, &Sidebar::updateActivity);
    retranslate();
    updateHint();
}

void Sidebar::focusSearch()
{
    m_search->setFocus();
    m_search->selectAll();
}

bool Sidebar::clearSearch()
{
    if (!m_search->hasFocus()) {
        return false;
    }
    m_search->clear();
    return true;
}

void Sidebar::editTitle()
{
    const QModelIndex index = m_model->indexOf(m_session.info().id);
    if (index.isValid()) {
        m_list->setCurrentIndex(index);
        m_list->edit(index);
    }
}

void Sidebar::goBy(int rows)
{
    const QModelIndex now = m_model->indexOf(m_session.info().id);
    const int row = now.isValid() ? now.row() + rows : 0;
    const QModelIndex next = m_model->index(row);
    if (next.isValid()) {
        m_session.openConversation(next.data(ConversationModel::IdRole).toLongLong());
    }
}

void Sidebar::search()
{
    const QString words = m_search->text().trimmed();
    m_searching = !words.isEmpty();
    if (words.isEmpty()) {
        m_model->setHits({});
        updateHint();
    } else {
        m_store.search(words);
    }
}

void Sidebar::showHits(const QString& words, const QList<SearchHit>& hits)
{
    if (m_searching && words == m_search->text().trimmed()) {
        m_model->setHits(hits);
        updateHint();
    }
}

void Sidebar::updateList()
{
    m_model->setConversations(m_session.conversations());
    updateActivity();
    updateHint();
    selectShown();
}

void Sidebar::updateActivity()
{
    for (const ConversationInfo& info : m_session.conversations()) {
        QString text;
        for (const LiveReply& live : m_session.liveReplies()) {
            if (live.conversation != info.id) {
                continue;
            }
            const QList<ReplyToken>& tokens = live.record.tokens;
            text = tr("reading the prompt");
            if (tokens.size() > 1) {
                const double rate =
                    static_cast<double>(tokens.size() - 1) / toSeconds(tokens.last().time - tokens.first().time);
                text = tr("writing · %1").arg(NumberFormat::tokensPerSecond(rate));
            }
        }
        m_model->setActivity(info.id, text);
    }
}

void Sidebar::selectShown()
{
    const QModelIndex index = m_model->indexOf(m_session.info().id);
    if (index.isValid()) {
        m_list->setCurrentIndex(index);
    } else {
        m_list->setCurrentIndex({});
        m_list->clearSelection();
    }
}

void Sidebar::updateHint()
{
    const bool empty = m_model->rowCount() == 0;
    m_hint->setVisible(empty);
    m_list->setVisible(!empty);
    m_hint->setText(m_searching ? tr("Nothing found. Parts of words are enough, in any order.")
                                : tr("Your conversations will be listed here, kept on this computer only."));
    // The space below the hint belongs to the list, also while it is hidden.
    static_cast<QVBoxLayout*>(layout())->setStretchFactor(m_hint, empty ? 1 : 0);
}

void Sidebar::showMenu(const QPoint& position)
{
    const QModelIndex index = m_list->indexAt(position);
    if (!index.isValid()) {
        return;
    }
    const qint64 id = index.data(ConversationModel::IdRole).toLongLong();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Open"), this, [this, id] { m_session.openConversation(id); });
    menu->addAction(tr("Rename…"), this, [this, id] {
        const QModelIndex now = m_model->indexOf(id);
        if (now.isValid()) {
            m_list->edit(now);
        }
    });
    menu->addSeparator();
    menu->addAction(tr("Delete"), this, [this, id] { emit removeRequested(id); });
    menu->popup(m_list->viewport()->mapToGlobal(position));
}

void Sidebar::retranslate()
{
    m_new->setText(tr("+ New chat"));
    m_newKey->setText(m_newKeys.toString(QKeySequence::NativeText));
    m_new->setToolTip(tr("Start a new chat (Ctrl+N)"));
    m_search->setPlaceholderText(tr("Search conversations"));
    m_search->setToolTip(tr("Finds words in titles and messages (Ctrl+Shift+F)"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_list->setAccessibleName(tr("Conversations"));
    m_settings->setText(tr("Settings"));
    m_settings->setToolTip(tr("Language, theme, threads, context (Ctrl+,)"));
    updateHint();
    m_model->refresh();
}

void Sidebar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        updateActivity();
    }
    QWidget::changeEvent(event);
}

bool Sidebar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (watched == m_search && key->key() == Qt::Key_Down) {
            m_list->setFocus();
            if (!m_list->currentIndex().isValid()) {
                m_list->setCurrentIndex(m_model->index(0));
            }
            return true;
        }
        if (watched == m_list && key->key() == Qt::Key_Delete && m_list->currentIndex().isValid()) {
            emit removeRequested(m_list->currentIndex().data(ConversationModel::IdRole).toLongLong());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Sidebar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::current().panel);
}

} // namespace kvasir
