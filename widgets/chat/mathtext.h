#pragma once

#include <QString>
#include <QStringView>

namespace kvasir {

/// LaTeX mathematics as one line of Unicode: \alpha_1 becomes α₁, \frac{a}{b} becomes a⁄b, x^2 becomes x². What is not
/// known keeps its name, so the result is always legible, never empty for a non-empty formula.
QString mathToUnicode(QStringView latex);

} // namespace kvasir
