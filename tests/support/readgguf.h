#pragma once

#include "files/gguf.h"

namespace kvasir::testing {

/// Parses `bytes` and, if they are accepted, touches all that the reader gives out: every value through every getter,
/// both ends of every tensor. For the fuzzer and for tests under a sanitizer. Returns a number made of all that was
/// read, so that nothing is optimised away.
inline uint64_t readWholeGguf(std::span<const std::byte> bytes)
{
    const Result<GgufFile> file = GgufFile::parse(FileMap::borrow(bytes, "memory"));
    if (!file) {
        return file.error().detail.size();
    }
    uint64_t sum = 1;
    for (const GgufEntry& entry : file->metadata()) {
        sum += ggufValueText(entry).size() + (file->find(entry.key) == &entry);
        const auto add = [&sum](const auto& result) { sum += result ? 1 : result.error().detail.size(); };
        add(file->u64(entry.key));
        add(file->i64(entry.key));
        add(file->f64(entry.key));
        add(file->boolean(entry.key));
        add(file->string(entry.key));
        add(file->integers(entry.key));
        add(file->floats(entry.key));
        if (const auto strings = file->strings(entry.key)) {
            for (const std::string_view text : *strings) {
                sum += text.empty() ? 0 : uint64_t(text.front()) + uint64_t(text.back());
            }
        }
    }
    for (const StoredTensor& tensor : file->tensors()) {
        sum += uint64_t(tensor.data[0]) + uint64_t(tensor.data[tensor.bytes - 1]) + tensor.elements();
        sum += file->tensor(tensor.name) == &tensor;
    }
    return sum;
}

} // namespace kvasir::testing
