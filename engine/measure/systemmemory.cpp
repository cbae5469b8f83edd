#include "measure/systemmemory.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace kvasir {
namespace {

std::optional<size_t> firstNumber(const std::string& path)
{
    std::ifstream file(path);
    size_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

void readMachine(SystemMemory& memory)
{
    std::ifstream file("/proc/meminfo");
    std::string key;
    size_t kibibytes = 0;
    while (file >> key >> kibibytes) {
        if (key == "MemTotal:") {
            memory.total = kibibytes * 1024;
        } else if (key == "MemAvailable:") {
            memory.available = kibibytes * 1024;
            return;
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
}

// Version 2 control groups: every group on the way to the root may hold a limit.
void applyControlGroups(SystemMemory& memory)
{
    std::ifstream membership("/proc/self/cgroup");
    std::string line;
    while (std::getline(membership, line)) {
        if (!line.starts_with("0::")) {
            continue;
        }
        for (std::string group = line.substr(3); !group.empty(); group.resize(group.rfind('/'))) {
            const std::string folder = "/sys/fs/cgroup" + (group == "/" ? std::string() : group);
            const auto limit = firstNumber(folder + "/memory.max");
            if (limit && *limit < memory.total) {
                const size_t used = firstNumber(folder + "/memory.current").value_or(0);
                memory.total = *limit;
                memory.available = std::min(memory.available, *limit - std::min(used, *limit));
            }
            if (group.rfind('/') == std::string::npos) {
                break;
            }
        }
    }
}

} // namespace

SystemMemory systemMemory()
{
    SystemMemory memory;
    readMachine(memory);
    applyControlGroups(memory);

    const auto pageBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t virtualPages = 0;
    size_t residentPages = 0;
    std::ifstream("/proc/self/statm") >> virtualPages >> residentPages;
    memory.processResident = residentPages * pageBytes;

    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const auto space = static_cast<size_t>(limit.rlim_cur);
        memory.available = std::min(memory.available, space - std::min(space, virtualPages * pageBytes));
    }
    return memory;
}

} // namespace kvasir
