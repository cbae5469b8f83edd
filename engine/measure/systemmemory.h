#pragma once

#include <cstddef>

namespace kvasir {

/// What the system says, in bytes; beside the ledger it shows what "others" take. 0 where it does not say.
struct SystemMemory {
    size_t processResident = 0; ///< RSS of this process
    size_t total = 0;     ///< memory that this process could have at most: the machine's, or its control group's limit
    size_t available = 0; ///< of it, free or quickly made free; also no more than the address space limit leaves
};

/// Reads /proc, the control group and the process's limits; takes about 50 us. Any thread.
SystemMemory systemMemory();

} // namespace kvasir
