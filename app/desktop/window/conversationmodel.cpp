#include "window/conversationmodel.h"

#include <QLocale>

namespace kvasir {

QString shortDate(const QDateTime& time, const QDateTime& now)
{
    const QLocale locale;
    const qint64 seconds = time.secsTo(now);
    if (seconds < 60 && seconds > -60) {
        return ConversationModel::tr("now");
    }
    const qint64 days = time.date().daysTo(now.date());
    if (days == 0) {
        return locale.toString(time.time(), QLocale::ShortFormat);
    }
    if (days > 0 && days < 7) {
        return locale.toString(time.date(), ConversationModel::tr("ddd", "date format: day of the week"));
    }
    if (time.date().year() == now.date().year()) {
        return locale.toString(time.date(), ConversationModel::tr("d MMM", "date format: day of this year"));
    }
    return locale.toString(time.date(), ConversationModel::tr("MMM yyyy", "date format: day of another year"));
}

ConversationModel::ConversationModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void ConversationModel::setConversations(const QList<ConversationInfo>& list)
{
    m_all = list;
    rebuild();
}

void ConversationModel::setHits(const std::optional<QList<SearchHit>>& hits)
{
    m_hits = hits;
    rebuild();
}

void ConversationModel::setActivity(ConversationId id, const QString& text)
{
    if (m_activity.value(id) == text) {
        return;
    }
    if (text.isEmpty()) {
        m_activity.remove(id);
    } else {
        m_activity.insert(id, text);
    }
    if (const QModelIndex index = indexOf(id); index.isValid()) {
        emit dataChanged(index, index, {DetailRole, StreamingRole});
    }
}

QModelIndex ConversationModel::indexOf(ConversationId id) const
{
    for (qsizetype row = 0; row < m_rows.size(); ++row) {
        if (m_rows.at(row).id == id) {
            return index(static_cast<int>(row));
        }
    }
    return {};
}

void ConversationModel::refresh()
{
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0), index(rowCount() - 1));
    }
}

void ConversationModel::rebuild()
{
    QList<Row> rows;
    const auto row = [](const ConversationInfo& info) {
        return Row{info.id, info.title, info.updated, info.messageCount, {}, 0};
    };
    if (m_hits) {
        for (const SearchHit& hit : *m_hits) {
            for (const ConversationInfo& info : m_all) {
                if (info.id == hit.conversation) {
                    rows << row(info);
                    rows.last().snippet = hit.snippet;
                    rows.last().message = hit.message;
                }
            }
        }
    } else {
        for (const ConversationInfo& info : m_all) {
            rows << row(info);
        }
    }
    // A change in place keeps selection and scroll position.
    const bool sameOrder = rows.size() == m_rows.size()
        && std::equal(
            rows.begin(), rows.end(), m_rows.begin(), [](const Row& a, const Row& b) { return a.id == b.id; });
    if (sameOrder) {
        m_rows = rows;
        refresh();
        return;
    }
    beginResetModel();
    m_rows = rows;
    endResetModel();
}

int ConversationModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ConversationModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Row& row = m_rows.at(index.row());
    const QString activity = m_activity.value(row.id);
    const QString detail = !activity.isEmpty() ? activity : tr("%n message(s)", nullptr, row.messages);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return row.title;
    case Qt::AccessibleTextRole:
        return QStringList{row.title, shortDate(row.updated, QDateTime::currentDateTime()), detail}.join(
            QStringLiteral(", "));
    case Qt::ToolTipRole:
        return QStringList{row.title, QLocale().toString(row.updated, QLocale::LongFormat)}.join(u'\n');
    case IdRole:
        return row.id;
    case HitRole:
        return row.message;
    case WhenRole:
        return shortDate(row.updated, QDateTime::currentDateTime());
    case DetailRole:
        return detail;
    case StreamingRole:
        return !activity.isEmpty();
    case SnippetRole:
        return row.snippet;
    default:
        return {};
    }
}

bool ConversationModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || value.toString().simplified().isEmpty()) {
        return false;
    }
    emit renamed(m_rows.at(index.row()).id, value.toString());
    return true;
}

Qt::ItemFlags ConversationModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemNeverHasChildren
                           : Qt::NoItemFlags;
}

} // namespace kvasir
