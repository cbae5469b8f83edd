#include "files/filemap.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kvasir {

namespace {

Failure unreadable(const std::string& path, const std::string& reason)
{
    return fail(
        ErrorCode::FileUnreadable, "'" + path + "' cannot be read: " + reason, {{"path", path}, {"reason", reason}});
}

} // namespace

FileMap::FileMap(std::span<const std::byte> bytes, std::string path, bool mapped)
    : m_bytes(bytes)
    , m_path(std::move(path))
    , m_mapped(mapped)
{
}

Result<FileMap> FileMap::open(const std::string& path)
{
    // Without O_NONBLOCK, opening a pipe that nobody writes to would never return.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        const int error = errno;
        if (error == ENOENT || error == ENOTDIR) {
            return fail(ErrorCode::FileNotFound, "there is no file '" + path + "'", {{"path", path}});
        }
        return unreadable(path, std::strerror(error));
    }
    struct stat status { };
    const bool statFailed = ::fstat(descriptor, &status) != 0;
    const int statError = errno;
    const auto size = static_cast<size_t>(status.st_size);
    if (statFailed || !S_ISREG(status.st_mode) || size == 0) {
        ::close(descriptor);
        if (statFailed) {
            return unreadable(path, std::strerror(statError));
        }
        if (S_ISDIR(status.st_mode)) {
            return unreadable(path, "it is a directory");
        }
        if (!S_ISREG(status.st_mode)) {
            return unreadable(path, "it is not a regular file");
        }
        return fail(ErrorCode::Truncated, "'" + path + "' is empty (0 bytes); download it again",
            {{"path", path}, {"what", "empty file"}});
    }
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int mapError = errno;
    ::close(descriptor);
    if (address == MAP_FAILED && mapError == ENOMEM) {
        return fail(ErrorCode::OutOfMemory,
            "there is no address space to map the " + std::to_string(size) + " bytes of '" + path
                + "'; raise the limit (ulimit -v) or choose a smaller model",
            {{"what", "mapping the file"}, {"need", std::to_string(size)}});
    }
    if (address == MAP_FAILED) {
        return unreadable(path, std::string("mapping it into memory failed: ") + std::strerror(mapError));
    }
    return FileMap({static_cast<const std::byte*>(address), size}, path, true);
}

FileMap FileMap::borrow(std::span<const std::byte> bytes, std::string path)
{
    return FileMap(bytes, std::move(path), false);
}

FileMap::FileMap(FileMap&& other) noexcept
    : m_bytes(std::exchange(other.m_bytes, {}))
    , m_path(std::move(other.m_path))
    , m_mapped(std::exchange(other.m_mapped, false))
{
}

FileMap& FileMap::operator=(FileMap&& other) noexcept
{
    std::swap(m_bytes, other.m_bytes);
    std::swap(m_path, other.m_path);
    std::swap(m_mapped, other.m_mapped);
    return *this;
}

FileMap::~FileMap()
{
    if (m_mapped) {
        ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
    }
}

void FileMap::adviseSequential() const
{
    advise(m_bytes, MADV_SEQUENTIAL, false);
}

void FileMap::release(std::span<const std::byte> range) const
{
    advise(range, MADV_DONTNEED, true);
}

void FileMap::advise(std::span<const std::byte> range, int advice, bool wholePagesOnly) const
{
    if (!m_mapped || range.empty()) {
        return;
    }
    const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<uintptr_t>(range.data());
    const uintptr_t end = begin + range.size();
    const uintptr_t first = (wholePagesOnly ? begin + page - 1 : begin) / page * page;
    const uintptr_t last = (wholePagesOnly ? end : end + page - 1) / page * page;
    if (first < last) {
        // Advice only: a kernel that refuses it changes the speed and nothing else.
        ::madvise(reinterpret_cast<void*>(first), last - first, advice);
    }
}

} // namespace kvasir
