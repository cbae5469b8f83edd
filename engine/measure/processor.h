#pragma once

#include <string>

namespace kvasir {

/// Cores that this process may run on, hyper-threads counted once; at least 1. Honours CPU affinity.
int physicalCores();

/// "AMD EPYC 9654 96-Core Processor"; empty where the system does not say.
std::string processorName();

} // namespace kvasir
