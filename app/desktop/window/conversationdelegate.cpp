#include "window/conversationdelegate.h"

#include "base/fonts.h"
#include "base/theme.h"
#include "window/conversationmodel.h"

#include <QPainter>
#include <QTextLayout>
#include <QWidget>

namespace kvasir {

namespace {

constexpr int kMargin = 12;
constexpr int kPadding = 6;

int lineHeight(Fonts::Role role)
{
    return QFontMetrics(Fonts::font(role)).height();
}

/// One line of a search hit; what was found stands between U+0002 and U+0003 and is painted bold.
void drawSnippet(QPainter& painter, const QRect& rect, const QString& marked, const QColor& found)
{
    QString text;
    QList<QTextLayout::FormatRange> formats;
    for (const QChar c : marked) {
        if (c == QChar(2)) {
            QTextCharFormat format;
            format.setFontWeight(QFont::DemiBold);
            format.setForeground(found);
            formats.append({static_cast<int>(text.size()), 0, format});
        } else if (c == QChar(3)) {
            if (!formats.isEmpty()) {
                formats.last().length = static_cast<int>(text.size()) - formats.last().start;
            }
        } else {
            text += c.isSpace() ? QChar(u' ') : c;
        }
    }
    QTextLayout layout(text, painter.font());
    layout.setFormats(formats);
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    painter.save();
    painter.setClipRect(rect);
    layout.draw(&painter, rect.topLeft());
    painter.restore();
}

} // namespace

QRect ConversationDelegate::titleRect(const QRect& row) const
{
    return QRect(row.left() + Fonts::px(kMargin), row.top() + Fonts::px(kPadding), row.width() - 2 * Fonts::px(kMargin),
        lineHeight(Fonts::Role::Interface));
}

QSize ConversationDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {Fonts::px(120),
        2 * Fonts::px(kPadding) + Fonts::px(2) + lineHeight(Fonts::Role::Interface) + lineHeight(Fonts::Role::Small)};
}

void ConversationDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = Theme::current();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect box = option.rect.adjusted(0, 1, 0, -1);
    const bool selected = option.state & QStyle::State_Selected;
    if (selected || option.state & QStyle::State_MouseOver) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(selected ? theme.userTint : theme.hover);
        painter->drawRoundedRect(box, 4, 4);
    }
    if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange) {
        painter->setPen(QPen(theme.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4);
    }

    const QRect title = titleRect(option.rect);
    painter->setFont(Fonts::font(Fonts::Role::Small));
    const QString when = index.data(ConversationModel::WhenRole).toString();
    const int whenWidth = painter->fontMetrics().horizontalAdvance(when);
    painter->setPen(theme.muted);
    painter->drawText(title, Qt::AlignRight | Qt::AlignVCenter, when);

    painter->setFont(Fonts::font(Fonts::Role::Interface));
    painter->setPen(theme.text);
    const int room = title.width() - whenWidth - Fonts::px(8);
    painter->drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, room));

    const QRect second(title.left(), title.bottom() + 1 + Fonts::px(2), title.width(), lineHeight(Fonts::Role::Small));
    painter->setFont(Fonts::font(Fonts::Role::Small));
    const QString snippet = index.data(ConversationModel::SnippetRole).toString();
    if (!snippet.isEmpty()) {
        painter->setPen(theme.muted);
        drawSnippet(*painter, second, snippet, theme.text);
    } else {
        const bool streaming = index.data(ConversationModel::StreamingRole).toBool();
        painter->setPen(streaming ? theme.textColor(Meaning::Decode) : theme.muted);
        painter->drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(
                index.data(ConversationModel::DetailRole).toString(), Qt::ElideRight, second.width()));
    }
    painter->restore();
}

void ConversationDelegate::updateEditorGeometry(
    QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const
{
    editor->setGeometry(option.rect.adjusted(Fonts::px(4), Fonts::px(4), -Fonts::px(4), -Fonts::px(4)));
}

} // namespace kvasir
