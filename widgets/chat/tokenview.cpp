#include "chat/tokenview.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"

#include <QAccessible>
#include <QFontMetrics>
#include <QHash>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace kvasir {

namespace {

// Longer names than any vocabulary has; a broken file may hold them.
constexpr qsizetype kLongestLabel = 60;

/// White space becomes visible: it is where tokens most often surprise.
QString labelOf(const QString& text)
{
    QString label;
    for (const QChar c : text.left(kLongestLabel)) {
        if (c == QLatin1Char(' '))
            label += QChar(0x00b7);
        else if (c == QLatin1Char('\n'))
            label += QChar(0x21b5);
        else if (c == QLatin1Char('\t'))
            label += QChar(0x2192);
        else if (c.category() == QChar::Other_Control)
            label += QChar(0xfffd);
        else
            label += c;
    }
    return text.size() > kLongestLabel ? label + QChar(0x2026) : label;
}

} // namespace

TokenView::TokenView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    restyle();
}

void TokenView::restyle()
{
    m_font = Fonts::font(Fonts::Role::Code);
    m_specialFont = m_font;
    m_specialFont.setWeight(QFont::DemiBold);
    m_pitch = QFontMetrics(m_font).height() + Fonts::px(8);
    m_gap = Fonts::px(2);
    measure();
}

void TokenView::setTokens(const QVector<TokenBox>& tokens)
{
    m_tokens = tokens;
    m_special = int(std::count_if(tokens.begin(), tokens.end(), [](const TokenBox& t) { return t.isSpecial; }));
    m_current = tokens.isEmpty() ? -1 : std::clamp(m_current, 0, int(tokens.size()) - 1);
    measure();
    if (m_current >= 0)
        emit currentChanged(m_current);
}

void TokenView::measure()
{
    const QFontMetrics plain(m_font), special(m_specialFont);
    QHash<QString, int> known; // most tokens come many times, and measuring is what takes long
    m_labels.clear();
    m_widths.clear();
    for (const TokenBox& token : std::as_const(m_tokens)) {
        const QString label = labelOf(token.text);
        const QString key = label + (token.isSpecial ? QChar(1) : QChar(0));
        auto width = known.find(key);
        if (width == known.end()) {
            const QFontMetrics& metrics = token.isSpecial ? special : plain;
            width = known.insert(key, std::max(metrics.horizontalAdvance(label), Fonts::px(4)) + Fonts::px(8));
        }
        m_labels.push_back(label);
        m_widths.push_back(*width);
    }
    place();
}

void TokenView::place()
{
    const int margin = Fonts::px(8);
    const int room = std::max(viewport()->width() - margin, margin + 1);
    m_lefts.resize(m_widths.size());
    m_lines.clear();
    int x = margin;
    bool breaks = true;
    for (size_t i = 0; i < m_widths.size(); ++i) {
        if (breaks || (x + m_widths[i] > room && x > margin)) {
            m_lines.push_back(int(i));
            x = margin;
        }
        m_lefts[i] = x;
        x += m_widths[i] + m_gap;
        breaks = m_tokens.at(qsizetype(i)).text.endsWith(QLatin1Char('\n'));
    }
    QScrollBar* bar = verticalScrollBar();
    bar->setRange(0, std::max(0, int(m_lines.size()) * m_pitch + 2 * margin - viewport()->height()));
    bar->setPageStep(viewport()->height());
    bar->setSingleStep(m_pitch);
    viewport()->update();
}

QString TokenView::ids() const
{
    QStringList all;
    for (const TokenBox& token : m_tokens)
        all << QString::number(token.id);
    return all.join(QStringLiteral(", "));
}

int TokenView::lineOf(int token) const
{
    return int(std::upper_bound(m_lines.begin(), m_lines.end(), token) - m_lines.begin()) - 1;
}

int TokenView::lineTop(int line) const
{
    return Fonts::px(8) + line * m_pitch - verticalScrollBar()->value();
}

QRect TokenView::tokenRect(int token) const
{
    if (token < 0 || token >= int(m_widths.size()))
        return {};
    const auto i = size_t(token);
    return {m_lefts[i], lineTop(lineOf(token)), m_widths[i], m_pitch - Fonts::px(3)};
}

int TokenView::tokenNear(int line, int x) const
{
    if (m_lines.empty())
        return -1;
    line = std::clamp(line, 0, int(m_lines.size()) - 1);
    const int first = m_lines[size_t(line)];
    const int end = line + 1 < int(m_lines.size()) ? m_lines[size_t(line) + 1] : int(m_widths.size());
    int token = first;
    while (token + 1 < end && m_lefts[size_t(token) + 1] <= x)
        ++token;
    return token;
}

int TokenView::tokenAt(const QPoint& point) const
{
    const int y = point.y() + verticalScrollBar()->value() - Fonts::px(8);
    if (y < 0 || y / m_pitch >= int(m_lines.size()))
        return -1;
    const int token = tokenNear(y / m_pitch, point.x());
    return tokenRect(token).contains(point) ? token : -1;
}

QString TokenView::description(int token) const
{
    if (token < 0 || token >= m_tokens.size())
        return {};
    const TokenBox& box = m_tokens.at(token);
    const QString place =
        tr("Token %1 of %2").arg(NumberFormat::count(token + 1), NumberFormat::count(m_tokens.size()));
    const QString what = tr("“%1”, id %2").arg(m_labels[size_t(token)], QString::number(box.id));
    return place + QStringLiteral(": ") + (box.isSpecial ? tr("%1, special").arg(what) : what);
}

void TokenView::setCurrent(int token)
{
    if (token == m_current || token < 0 || token >= m_tokens.size())
        return;
    m_current = token;
    const QRect rect = tokenRect(token);
    QScrollBar* bar = verticalScrollBar();
    if (rect.top() < 0)
        bar->setValue(bar->value() + rect.top() - Fonts::px(8));
    else if (rect.bottom() > viewport()->height())
        bar->setValue(bar->value() + rect.bottom() - viewport()->height() + Fonts::px(8));
    viewport()->update();
    setAccessibleDescription(description(token));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    emit currentChanged(token);
}

void TokenView::paintEvent(QPaintEvent* event)
{
    const Theme& theme = Theme::current();
    QPainter painter(viewport());
    painter.fillRect(event->rect(), theme.background);
    if (m_lines.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const int offset = verticalScrollBar()->value() - Fonts::px(8);
    const int from = std::max(0, (event->rect().top() + offset) / m_pitch);
    const int to = std::min(int(m_lines.size()) - 1, (event->rect().bottom() + offset) / m_pitch);
    for (int line = from; line <= to; ++line) {
        const int end = line + 1 < int(m_lines.size()) ? m_lines[size_t(line) + 1] : int(m_widths.size());
        for (int token = m_lines[size_t(line)]; token < end; ++token) {
            const bool isSpecial = m_tokens.at(token).isSpecial;
            const QRectF box = QRectF(tokenRect(token)).adjusted(0.5, 0.5, -0.5, -0.5);
            // Neighbours differ in their ground, special tokens in outline and weight too, so that colour is not alone.
            painter.setPen(isSpecial ? QPen(theme.accent, 1.2) : QPen(Qt::NoPen));
            painter.setBrush(isSpecial ? theme.field : token % 2 == 0 ? theme.userTint : theme.codeBackground);
            painter.drawRoundedRect(box, 3, 3);
            if (token == m_current && hasFocus()) {
                painter.setBrush(Qt::NoBrush);
                painter.setPen(QPen(theme.accent, 2.5));
                painter.drawRoundedRect(box, 3, 3);
            }
            painter.setFont(isSpecial ? m_specialFont : m_font);
            painter.setPen(isSpecial ? theme.accent : theme.text);
            painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, m_labels[size_t(token)]);
        }
    }
}

void TokenView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    place();
}

void TokenView::scrollContentsBy(int, int dy)
{
    viewport()->scroll(0, dy);
}

void TokenView::changeEvent(QEvent* event)
{
    if (Theme::isThemeChange(event))
        restyle();
    QAbstractScrollArea::changeEvent(event);
}

bool TokenView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int token = tokenAt(help->pos());
        if (token < 0)
            QToolTip::hideText();
        else // a token may hold markup
            QToolTip::showText(
                help->globalPos(), QStringLiteral("<p>%1</p>").arg(description(token).toHtmlEscaped()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TokenView::mousePressEvent(QMouseEvent* event)
{
    setCurrent(tokenAt(event->position().toPoint()));
}

void TokenView::keyPressEvent(QKeyEvent* event)
{
    const int last = int(m_tokens.size()) - 1;
    const int line = lineOf(std::max(m_current, 0));
    const int middle = tokenRect(m_current).center().x();
    const int page = std::max(1, viewport()->height() / std::max(1, m_pitch) - 1);
    switch (event->key()) {
    case Qt::Key_Left:
        return setCurrent(m_current - 1);
    case Qt::Key_Right:
        return setCurrent(m_current + 1);
    case Qt::Key_Up:
        return setCurrent(tokenNear(line - 1, middle));
    case Qt::Key_Down:
        return setCurrent(tokenNear(line + 1, middle));
    case Qt::Key_PageUp:
        return setCurrent(tokenNear(line - page, middle));
    case Qt::Key_PageDown:
        return setCurrent(tokenNear(line + page, middle));
    case Qt::Key_Home:
        return setCurrent(0);
    case Qt::Key_End:
        return setCurrent(last);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace kvasir
