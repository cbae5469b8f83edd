#pragma once

#include <QList>
#include <QStringView>

#include <utility>

namespace kvasir {

/// Start and length of every stretch that Unicode wants drawn as colour emoji, joined sequences as one. Text faces
/// hold black glyphs for some of them and come first in the fallback order, so the emoji face must be named.
QList<std::pair<int, int>> emojiRanges(QStringView text);

} // namespace kvasir
