#pragma once

#include <string>

namespace kvasir {

/// "AMD EPYC 9654 96-Core Processor"; empty where the system does not say.
std::string processorName();

} // namespace kvasir
