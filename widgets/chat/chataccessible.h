#pragma once

namespace kvasir {

/// Lets assistive technology read a ChatView as a list with one item a message. ChatView calls it.
void installChatAccessibility();

} // namespace kvasir
