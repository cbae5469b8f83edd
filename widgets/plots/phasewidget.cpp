#include "plots/phasewidget.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "plots/phasepainter.h"
#include "plots/plotcost.h"
#include "plots/plotlabels.h"

#include <QHelpEvent>
#include <QPushButton>
#include <QToolTip>

namespace kvasir {

constexpr int kFiguresMs = 200; // as fast as a changing figure can be read

/// The drawing below title and answer: repainted by refresh() alone.
class PhaseBody : public QWidget {
public:
    using QWidget::QWidget;

    PhaseValues values;
    PhaseLayout layout;
    qint64* cost = nullptr;

protected:
    void paintEvent(QPaintEvent*) override
    {
        const PlotCostScope scope(cost);
        QPainter painter(this);
        PhasePainter(painter, layout, values).paint();
        if (parentWidget()->hasFocus()) {
            painter.setRenderHint(QPainter::Antialiasing, false);
            paintFocus(painter, rect());
        }
    }

    bool event(QEvent* event) override
    {
        if (event->type() != QEvent::ToolTip) {
            return QWidget::event(event);
        }
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto isOn = [&](const PhaseLayout::Half& half) {
            return half.name.united(half.bound).united(half.share).contains(help->pos());
        };
        QString text;
        if (isOn(layout.prefill)) {
            text = PhaseText::mfuDefinition();
        } else if (isOn(layout.decode)) {
            text = PhaseText::mbuDefinition();
        } else if (layout.cost.contains(help->pos())) {
            text = PhaseWidget::tr(
                "Time of the window's thread spent on these panels, as a share of the time that passed.");
        }
        text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
};

struct PhaseWidget::Private {
    PhaseValues values;
    PhaseBody* body = nullptr;
    QPushButton* measure = nullptr;
};

PhaseWidget::PhaseWidget(QWidget* parent)
    : PlotPanel(parent)
    , d(std::make_unique<Private>())
{
    d->body = new PhaseBody(this);
    d->body->cost = costCounter();
    setFocusPolicy(Qt::StrongFocus); // for copying and the menu by keys
    d->measure = new QPushButton(this);
    d->measure->setFlat(true);
    d->measure->setCursor(Qt::PointingHandCursor);
    connect(d->measure, &QPushButton::clicked, this, &PhaseWidget::measureRequested);
    initialise();
}

PhaseWidget::~PhaseWidget() = default;

void PhaseWidget::setValues(const PhaseValues& values)
{
    const PlotCostScope scope(costCounter());
    d->values = values;
    markDirty();
}

void PhaseWidget::clear()
{
    PhaseValues values; // what was measured of the machine stays true
    values.limits = d->values.limits;
    values.limitsFailure = d->values.limitsFailure;
    values.readBytesPerSecond = d->values.readBytesPerSecond;
    values.operationsPerSecond = d->values.operationsPerSecond;
    values.operationsUnit = d->values.operationsUnit;
    setValues(values);
}

QString PhaseWidget::verdict() const
{
    return PhaseText::verdict(d->values);
}

QString PhaseWidget::prefillBound() const
{
    return PhaseText::prefillBound(d->values);
}

QString PhaseWidget::decodeBound() const
{
    return PhaseText::decodeBound(d->values);
}

QString PhaseWidget::costText() const
{
    return PhaseText::cost(d->values);
}

QString PhaseWidget::question() const
{
    return tr("Which half is slower?");
}

QString PhaseWidget::summary() const
{
    return PhaseText::summary(d->values);
}

QString PhaseWidget::csv() const
{
    return PhaseText::csv(d->values);
}

void PhaseWidget::refresh()
{
    updateAnswer();
    d->body->values = d->values;
    d->body->layout = layoutPhases(d->body->rect(), d->values);
    const bool canMeasure = d->values.limits == LimitsState::NotMeasured || d->values.limits == LimitsState::Failed;
    d->measure->setVisible(canMeasure && !isTooSmall());
    placeButton();
    d->body->update();
}

int PhaseWidget::refreshIntervalMs() const
{
    return kFiguresMs;
}

void PhaseWidget::updateAnswer()
{
    const bool measured = d->values.limits == LimitsState::Measured;
    const QString text = PhaseText::machine(d->values);
    setAnswer({{measured ? tr("this machine:") : QString(), text, text,
        tr("What this machine can read and compute at most, measured on it with the same number of threads.")}});
}

void PhaseWidget::restyle()
{
    QFont font = Fonts::font(Fonts::Role::PlotLabel);
    font.setWeight(QFont::DemiBold);
    d->measure->setFont(font);
    d->measure->setText(tr("Measure now"));
    d->measure->setToolTip(tr("Takes about a second; wait until no reply is being written"));
    QPalette palette = d->measure->palette();
    palette.setColor(QPalette::ButtonText, Theme::current().accent);
    d->measure->setPalette(palette);
    updateAnswer();
    markDirty();
}

// At the right end of the last line, beside the dashboard's own cost.
void PhaseWidget::placeButton()
{
    const PhaseLayout& layout = d->body->layout;
    const QRectF cost = (layout.cost.isEmpty() ? layout.verdict : layout.cost).translated(d->body->pos());
    const QSize size(
        QFontMetrics(d->measure->font()).horizontalAdvance(d->measure->text()) + Fonts::px(16), Fonts::px(20));
    d->measure->setGeometry(QRect(
        QPoint(static_cast<int>(cost.right()) - size.width(), static_cast<int>(cost.center().y()) - size.height() / 2),
        size));
}

void PhaseWidget::focusInEvent(QFocusEvent* event)
{
    PlotPanel::focusInEvent(event);
    d->body->update();
}

void PhaseWidget::focusOutEvent(QFocusEvent* event)
{
    PlotPanel::focusOutEvent(event);
    d->body->update();
}

void PhaseWidget::layoutBody()
{
    d->body->setGeometry(bodyRect());
    d->body->layout = layoutPhases(d->body->rect(), d->body->values);
    const bool fits = !isTooSmall();
    d->body->setVisible(fits);
    placeButton();
}

QSize PhaseWidget::leastBody() const
{
    return {Fonts::px(150), static_cast<int>(d->body->layout.height)};
}

void PhaseWidget::paintPicture(QPaintDevice* device, qreal scale)
{
    QPainter painter(device);
    painter.scale(scale, scale);
    paintHeader(painter);
    painter.translate(d->body->pos());
    PhasePainter(painter, d->body->layout, d->body->values).paint();
}

} // namespace kvasir
