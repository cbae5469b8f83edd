#pragma once

#include "base/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace kvasir {

/// A whole file as read-only memory. Pages come from the disk when they are touched; the file's descriptor is closed at
/// once. A file that another program shortens while it is mapped makes reads behind its new end fault (SIGBUS), as with
/// every mapping; model files are replaced, not shortened, by the tools that write them.
class FileMap {
public:
    /// Errors: FileNotFound, FileUnreadable (a directory, no permission, no regular file), Truncated (empty),
    /// OutOfMemory (the address space is limited).
    static Result<FileMap> open(const std::string& path);
    /// Wraps memory that the caller keeps alive; `path` is only for error messages.
    static FileMap borrow(std::span<const std::byte> bytes, std::string path);

    FileMap(FileMap&& other) noexcept;
    FileMap& operator=(FileMap&& other) noexcept;
    ~FileMap();

    const std::string& path() const { return m_path; }
    size_t size() const { return m_bytes.size(); }
    std::span<const std::byte> bytes() const { return m_bytes; }

    /// Tells the kernel that the file is about to be read once from front to back: larger read-ahead, and pages behind
    /// the reader may go.
    void adviseSequential() const;
    /// The pages wholly inside `range` are not needed again soon: a loader that has packed a tensor frees their memory
    /// at once instead of under pressure. Reading them again is allowed and reads the disk.
    void release(std::span<const std::byte> range) const;

private:
    FileMap(std::span<const std::byte> bytes, std::string path, bool mapped);
    void advise(std::span<const std::byte> range, int advice, bool wholePagesOnly) const;

    std::span<const std::byte> m_bytes;
    std::string m_path;
    bool m_mapped = false;
};

} // namespace kvasir
