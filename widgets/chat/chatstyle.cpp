#include "chat/chatstyle.h"

#include "base/fonts.h"
#include "base/theme.h"
#include "chat/markdown.h"

#include <algorithm>
#include <cmath>

namespace kvasir {

ChatStyle::ChatStyle()
    : theme(Theme::current())
    , textFont(Fonts::font(Fonts::Role::Chat))
    , codeFont(Fonts::font(Fonts::Role::Code))
    , smallFont(Fonts::font(Fonts::Role::Small))
    , labelFont(smallFont)
{
    labelFont.setWeight(QFont::DemiBold);
    linePitch = std::round(textFont.pixelSize() * 1.57); // 22 at 14
    codePitch = std::round(codeFont.pixelSize() * 1.45);
    smallPitch = std::round(smallFont.pixelSize() * 1.5);
    unit = Fonts::px(4);
    columnWidth = Fonts::px(760);
    listIndent = 6 * unit;
    quoteIndent = 4 * unit;
    codePadding = 3 * unit;
    codeHeader = 8 * unit;
    cellPaddingX = 3 * unit;
    cellPaddingY = unit;
}

QFont ChatStyle::headingFont(int level) const
{
    static constexpr qreal kGrowth[] = {1.5, 1.3, 1.15, 1.05, 1.0, 1.0};
    QFont font = textFont;
    font.setPixelSize(int(std::lround(textFont.pixelSize() * kGrowth[std::clamp(level, 1, 6) - 1])));
    font.setWeight(QFont::DemiBold);
    return font;
}

qreal spaceBetween(const MarkdownBlock& above, const MarkdownBlock& below, const ChatStyle& style)
{
    using Kind = MarkdownBlock::Kind;
    const auto inList = [](const MarkdownBlock& b) {
        return std::any_of(b.containers.begin(), b.containers.end(),
            [](const MarkdownContainer& c) { return c.kind == MarkdownContainer::Kind::Item; });
    };
    if (below.joinsPrevious)
        return 0;
    if (below.kind == Kind::Heading)
        return style.unit * (below.level <= 2 ? 6 : 5);
    if (above.kind == Kind::Heading)
        return style.unit * 2;
    if (inList(below) && below.kind == Kind::Paragraph && above.kind == Kind::Paragraph) {
        if (!inList(above))
            return style.unit * 2;
        if (below.containers.back().isTight)
            return style.unit;
        return style.unit * 2;
    }
    return style.unit * 3;
}

} // namespace kvasir
