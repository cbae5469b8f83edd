#pragma once

#include "store/conversation.h"

#include <QAbstractListModel>

#include <optional>

namespace kvasir {

/// The conversations, or those that a search found, as the sidebar lists them.
class ConversationModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { IdRole = Qt::UserRole, WhenRole, DetailRole, StreamingRole, SnippetRole, HitRole };

    explicit ConversationModel(QObject* parent = nullptr);

    void setConversations(const QList<ConversationInfo>& list);
    /// Shows only these, in this order; unset: all.
    void setHits(const std::optional<QList<SearchHit>>& hits);
    /// A line for a conversation that is being answered ("writing · 41.2 tok/s"); empty text: not any more.
    void setActivity(ConversationId id, const QString& text);
    QModelIndex indexOf(ConversationId id) const;
    /// Dates age ("now", "14:02", "Fri"), and languages change.
    void refresh();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void renamed(qint64 conversation, const QString& title);

private:
    struct Row {
        ConversationId id = 0;
        QString title;
        QDateTime updated;
        int messages = 0;
        QString snippet;
        MessageId message = 0;

        bool operator==(const Row&) const = default;
    };

    void rebuild();

    QList<ConversationInfo> m_all;
    std::optional<QList<SearchHit>> m_hits;
    QHash<ConversationId, QString> m_activity;
    QList<Row> m_rows;
};

/// "now", "14:02", "Fri", "3 Nov", "2025": as short as tells the day apart.
QString shortDate(const QDateTime& time, const QDateTime& now);

} // namespace kvasir
