#pragma once

#include <QFont>
#include <QStringList>

namespace kvasir::Fonts {

/// Pixel sizes at scale 1: Chat and Code 14, Interface 13, Small 12, PlotLabel 11.
enum class Role { Chat, Interface, Small, PlotLabel, Code };

QFont font(Role role);

/// The desktop's font first, then faces that hold Hangul, Hanja and colour emoji.
QStringList families();
QStringList codeFamilies();
QString emojiFamily();

/// One setting scales every text, 0.5 to 3; Theme::setMode() must follow so that widgets hear of it.
void setScale(double scale);
double scale();

/// A length of the 4-pixel grid, scaled as the texts are.
int px(double length);

/// Width that `widest` needs at most, whatever its digits are: reserve it so that changing numbers move nothing.
int reservedWidth(const QFont& font, const QString& widest);

} // namespace kvasir::Fonts
