#include "measure/processor.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <set>
#include <thread>

namespace kvasir {

int physicalCores()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    }
    std::set<std::string> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed)) {
            continue;
        }
        // Hyper-threads of one core name the same siblings ("0,64").
        const std::string topology = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
        std::string siblings;
        if (!(std::ifstream(topology + "thread_siblings_list") >> siblings)) {
            siblings = std::to_string(cpu);
        }
        cores.insert(siblings);
    }
    return std::max<int>(1, static_cast<int>(cores.size()));
}

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
