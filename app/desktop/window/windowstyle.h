#pragma once

#include <QString>

namespace kvasir {

/// Looks of the window's own controls (side bar, notices, top bar, dialogs) in the colours of Theme::current(). Chat
/// and plots paint themselves and are left alone.
QString windowStyleSheet();

} // namespace kvasir
