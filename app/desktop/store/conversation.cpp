#include "store/conversation.h"

#include <atomic>
#include <chrono>

namespace kvasir {

qint64 newId()
{
    static std::atomic<qint64> last{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const qint64 clock = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    qint64 previous = last.load();
    qint64 id = 0;
    do {
        id = std::max(clock, previous + 1);
    } while (!last.compare_exchange_weak(previous, id));
    return id;
}

} // namespace kvasir
