#include "plots/plotpanel.h"

#include "base/fonts.h"
#include "base/theme.h"
#include "plots/plotcost.h"
#include "plots/refreshclock.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>

namespace kvasir {

namespace {

constexpr double kShareOfProcessor = 1.0 / 120; // of one core, for each panel
constexpr int kLongestIntervalMs = 250;
constexpr int kDescribeMs = 1000; // a screen reader that follows must not be flooded

int margin()
{
    return Fonts::px(12);
}
int fieldGap()
{
    return Fonts::px(12);
}
int labelGap()
{
    return Fonts::px(4);
}

QFont titleFont()
{
    QFont font = Fonts::font(Fonts::Role::Interface);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont answerFont()
{
    return Fonts::font(Fonts::Role::PlotLabel);
}

constexpr int kTitleFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

} // namespace

PlotPanel::PlotPanel(QWidget* parent)
    : QWidget(parent)
{
    m_describeLater.setSingleShot(true);
    connect(&m_describeLater, &QTimer::timeout, this, &PlotPanel::describe);
    RefreshClock::instance().add(this);
}

PlotPanel::~PlotPanel()
{
    RefreshClock::instance().remove(this);
}

void PlotPanel::initialise()
{
    setAccessibleName(question());
    restyle();
    describe();
    relayout();
}

bool PlotPanel::isShown() const
{
    return isVisible() && !window()->isMinimized() && !visibleRegion().isEmpty();
}

void PlotPanel::markDirty()
{
    m_dirty = true;
    if (isVisible()) {
        RefreshClock::instance().wake();
    }
}

void PlotPanel::runRefresh()
{
    const PlotCostScope scope(&m_cost);
    m_dirty = false;
    m_isHasty = false;
    m_sinceRefresh.start();
    // The last refresh and what was painted and set since.
    m_refreshCostMs += 0.2 * (static_cast<double>(m_cost - m_costAtRefresh) / 1e6 - m_refreshCostMs);
    m_costAtRefresh = m_cost;
    ++m_refreshCount;
    refresh();
    if (!m_sinceDescribed.isValid() || m_sinceDescribed.elapsed() >= kDescribeMs) {
        describe();
    } else if (!m_describeLater.isActive()) {
        m_describeLater.start(kDescribeMs);
    }
}

int PlotPanel::refreshIntervalMs() const
{
    const auto held = static_cast<int>(m_refreshCostMs / kShareOfProcessor);
    return m_isHasty ? RefreshClock::kIntervalMs : std::clamp(held, RefreshClock::kIntervalMs, kLongestIntervalMs);
}

int PlotPanel::dueInMs() const
{
    const qint64 since = m_sinceRefresh.isValid() ? m_sinceRefresh.elapsed() : refreshIntervalMs();
    return static_cast<int>(std::max<qint64>(0, refreshIntervalMs() - since));
}

void PlotPanel::describe()
{
    m_sinceDescribed.start();
    setAccessibleDescription(summary());
}

QString PlotPanel::answerText() const
{
    QStringList parts;
    for (const AnswerField& field : m_answer) {
        parts.append(field.label.isEmpty() ? field.value : field.label + QLatin1Char(' ') + field.value);
    }
    return parts.join(QLatin1String("  "));
}

QString PlotPanel::explanationAt(const QPoint& position) const
{
    for (int i = 0; i < m_placed.size(); ++i) {
        if (m_placed[i].label.united(m_placed[i].value).contains(position)) {
            return m_answer[i].explanation;
        }
    }
    return {};
}

QSize PlotPanel::minimumSizeHint() const
{
    return {Fonts::px(120), Fonts::px(80)};
}

QSize PlotPanel::sizeHint() const
{
    return {Fonts::px(460), Fonts::px(300)};
}

void PlotPanel::setAnswer(const QVector<AnswerField>& fields)
{
    const auto isSame = [](const AnswerField& a, const AnswerField& b) {
        return a.value == b.value && a.label == b.label && a.widest == b.widest;
    };
    if (!m_placed.isEmpty() && std::equal(fields.begin(), fields.end(), m_answer.begin(), m_answer.end(), isSame)) {
        return;
    }
    bool moves = fields.size() != m_answer.size();
    m_reserved.resize(fields.size());
    for (int i = 0; i < fields.size(); ++i) {
        const int needed = std::max(Fonts::reservedWidth(answerFont(), fields[i].widest),
                               QFontMetrics(answerFont()).horizontalAdvance(fields[i].value))
            + 2; // metrics round down, and a figure must not be elided for a fraction of a pixel
        if (i < m_answer.size() && fields[i].label != m_answer[i].label) {
            m_reserved[i] = 0; // another kind of figure
        }
        moves = moves || needed > m_reserved[i] || fields[i].label != m_answer[i].label;
        m_reserved[i] = std::max(needed, m_reserved[i]);
    }
    m_answer = fields;
    if (moves) {
        relayout();
    }
    update(0, 0, width(), m_headerHeight);
}

// Title left, answer right; the answer moves below the title where both do not fit, and wraps by whole fields. The
// decision rests on reserved widths, so it does not change while numbers do.
void PlotPanel::placeHeader()
{
    const QFontMetrics title(titleFont());
    const QFontMetrics answer(answerFont());
    const int left = margin();
    const int available = std::max(width() - 2 * margin(), 1);
    const int top = Fonts::px(8);
    QVector<int> widths;
    int total = 0;
    for (int i = 0; i < m_answer.size(); ++i) {
        const int label = m_answer[i].label.isEmpty() ? 0 : answer.horizontalAdvance(m_answer[i].label) + labelGap();
        widths.append(label + m_reserved[i]);
        total += widths.last() + (i > 0 ? fieldGap() : 0);
    }
    const int titleWidth = title.horizontalAdvance(question());
    const bool beside = titleWidth + fieldGap() + total <= available;
    m_titleRect = title.boundingRect(QRect(left, top, available, 4 * title.height()), kTitleFlags, question());
    m_titleRect.setWidth(std::min(m_titleRect.width() + 1, available));
    m_headerHeight = m_titleRect.bottom() + 1;

    m_placed.clear();
    int x = beside ? left + available - total : left;
    int y = beside ? top + title.ascent() - answer.ascent() : m_titleRect.bottom() + 1 + Fonts::px(2);
    for (int i = 0; i < m_answer.size(); ++i) {
        if (!beside && x > left && x + widths[i] > left + available) {
            x = left;
            y += answer.height();
        }
        const int labelWidth = widths[i] - m_reserved[i];
        const int valueWidth = std::min(m_reserved[i], std::max(left + available - x - labelWidth, 1));
        m_placed.append(
            {QRect(x, y, labelWidth, answer.height()), QRect(x + labelWidth, y, valueWidth, answer.height())});
        x += widths[i] + fieldGap();
        m_headerHeight = std::max(m_headerHeight, y + answer.height());
    }
    m_headerHeight += Fonts::px(6);
}

void PlotPanel::relayout()
{
    placeHeader();
    layoutBody();
    update();
    markDirty();
}

QRect PlotPanel::bodyRect() const
{
    return {margin(), m_headerHeight, std::max(width() - 2 * margin(), 0),
        std::max(height() - m_headerHeight - Fonts::px(8), 0)};
}

bool PlotPanel::isTooSmall() const
{
    const QRect body = bodyRect();
    const QSize least = leastBody();
    return body.width() < least.width() || body.height() < least.height();
}

QSize PlotPanel::leastBody() const
{
    return {Fonts::px(150), Fonts::px(100)};
}

void PlotPanel::paintHeader(QPainter& painter) const
{
    const Theme& theme = Theme::current();
    painter.fillRect(rect(), theme.panel);
    painter.setFont(titleFont());
    painter.setPen(theme.text);
    painter.drawText(m_titleRect, kTitleFlags, question());
    painter.setFont(answerFont());
    const QFontMetrics metrics(answerFont());
    for (int i = 0; i < m_placed.size(); ++i) {
        painter.setPen(theme.muted);
        painter.drawText(m_placed[i].label, Qt::AlignLeft | Qt::AlignVCenter, m_answer[i].label);
        painter.setPen(m_answer[i].label.isEmpty() ? theme.muted : theme.text);
        const QRect& value = m_placed[i].value;
        painter.drawText(value, Qt::AlignRight | Qt::AlignVCenter,
            metrics.elidedText(m_answer[i].value, Qt::ElideRight, value.width()));
    }
    if (isTooSmall()) {
        painter.setPen(theme.muted);
        painter.drawText(
            bodyRect(), Qt::AlignCenter | Qt::TextWordWrap, tr("Too little space: make this panel larger."));
    }
}

void PlotPanel::paintEvent(QPaintEvent*)
{
    const PlotCostScope scope(&m_cost);
    QPainter painter(this);
    paintHeader(painter);
    if (m_dirty) { // scrolled into sight
        RefreshClock::instance().wake();
    }
}

void PlotPanel::resizeEvent(QResizeEvent*)
{
    const PlotCostScope scope(&m_cost);
    relayout();
}

void PlotPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_dirty) {
        RefreshClock::instance().wake();
    }
}

void PlotPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || Theme::isThemeChange(event)) {
        m_reserved.fill(0);
        m_placed.clear();
        initialise();
    }
}

bool PlotPanel::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = explanationAt(help->pos());
        if (text.isEmpty()) {
            QToolTip::hideText();
        } else {
            QToolTip::showText(help->globalPos(), text, this);
        }
        return true;
    }
    return QWidget::event(event);
}

void PlotPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copyCsv();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace kvasir
