#include "measure/processor.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace kvasir {

std::string processorName()
{
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const size_t colon = line.find(':');
        if (colon != std::string::npos && line.starts_with("model name")) {
            return line.substr(std::min(colon + 2, line.size()));
        }
    }
    return {};
}

} // namespace kvasir
