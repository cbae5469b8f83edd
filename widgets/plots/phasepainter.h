#pragma once

#include "plots/phasemath.h"

#include <QCoreApplication>
#include <QPainter>
#include <QRectF>
#include <QString>

namespace kvasir {

/// The words of "Prefill v decode".
class PhaseText {
    Q_DECLARE_TR_FUNCTIONS(kvasir::PhaseText)

public:
    static QString mfuDefinition();
    static QString mbuDefinition();
    static QString verdict(const PhaseValues& values);
    static QString prefillBound(const PhaseValues& values);
    static QString decodeBound(const PhaseValues& values);
    /// "26.9 GB/s · 936 GOPS", or a dash and why.
    static QString machine(const PhaseValues& values);
    static QString cost(const PhaseValues& values);
    static QString summary(const PhaseValues& values);
    static QString csv(const PhaseValues& values);
};

/// Where the parts of the panel stand.
struct PhaseLayout {
    struct Half {
        QRectF name;
        QRectF rate;
        QRectF gauge;
        QRectF share;
        QRectF ceiling;
        QRectF bound;
    };
    Half prefill;
    Half decode;
    QRectF verdict;
    QRectF cost;
    double height = 0;
};

/// Rate left and gauge right where there is room, else one below the other; details are left out where height is short.
/// Heights rest on the words, so the caller passes the values it draws.
PhaseLayout layoutPhases(const QRectF& area, const PhaseValues& values);

/// Rates, gauges and sentences.
class PhasePainter {
    Q_DECLARE_TR_FUNCTIONS(kvasir::PhasePainter)

public:
    PhasePainter(QPainter& painter, const PhaseLayout& layout, const PhaseValues& values);

    void paint();

private:
    struct Gauge {
        QString name;
        QString measure; ///< "MFU"
        std::optional<double> share;
        QString bound;
        bool hatched = false; ///< told apart without colour
    };

    void paintHalf(const PhaseLayout::Half& half, const PhaseRate& rate, const Gauge& gauge, const QColor& color,
        const QColor& textColor);
    void paintGauge(const QRectF& rect, const Gauge& gauge, const QColor& color);

    QPainter& m_painter;
    const PhaseLayout& m_layout;
    const PhaseValues& m_values;
};

} // namespace kvasir
