#pragma once

#include <QStyledItemDelegate>

namespace kvasir {

/// Paints a conversation in two lines: title and when, then what it holds or where a search found the words.
class ConversationDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const override;

private:
    QRect titleRect(const QRect& row) const;
};

} // namespace kvasir
