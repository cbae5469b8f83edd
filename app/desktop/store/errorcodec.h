#pragma once

#include "base/result.h"

#include <QString>

namespace kvasir {

/// An error as text that can be kept and told later, in whatever language the window then has.
QString encodeError(const Error& error);
/// Internal with the text as detail where it is not what encodeError() wrote.
Error decodeError(const QString& text);

} // namespace kvasir
