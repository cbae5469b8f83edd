#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "randomweights.h"
#include "shapedfile.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace kvasir::cli {
namespace {

constexpr size_t kPieceBytes = size_t{4} << 20;

/// A file that takes its name only once it is whole.
class NewFile {
public:
    explicit NewFile(std::string path)
        : m_path(std::move(path))
        , m_part(m_path + ".part")
    {
    }
    ~NewFile()
    {
        if (m_file >= 0) {
            close(m_file);
            unlink(m_part.c_str());
        }
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    Result<void> open()
    {
        m_file = ::open(m_part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        return m_file >= 0 ? Result<void>() : failed();
    }
    Result<void> write(std::span<const std::byte> bytes)
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_file, bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR) {
                return failed();
            }
            bytes = bytes.subspan(static_cast<size_t>(std::max<ssize_t>(0, written)));
        }
        return {};
    }
    Result<void> finish()
    {
        const int file = m_file;
        m_file = -1;
        if (close(file) != 0 || std::rename(m_part.c_str(), m_path.c_str()) != 0) {
            const Result<void> result = failed();
            unlink(m_part.c_str());
            return result;
        }
        return {};
    }

private:
    Result<void> failed() const
    {
        const std::string reason = errno == EEXIST
            ? m_part + " is there already; remove it if no other make-model writes it"
            : std::system_category().message(errno);
        return fail(ErrorCode::FileUnwritable, "cannot write " + m_path + ": " + reason,
            {{"path", m_path}, {"reason", reason}});
    }

    std::string m_path;
    std::string m_part;
    int m_file = -1;
};

Result<void> writeWeights(NewFile& file, const ShapedFile& planned, ProgressLine& progress)
{
    RandomWeights random(1);
    std::vector<std::byte> piece;
    uint64_t at = planned.header.size();
    for (const ShapedTensor& tensor : planned.tensors) {
        piece.assign(tensor.offset - at, std::byte{0});
        KVASIR_TRY(file.write(piece));
        // Rows of length 1: what goes in comes out as large. Norms multiply by about 1, biases are small.
        const bool isNorm = tensor.name.ends_with("norm.weight");
        const float deviation = tensor.rows > 0 ? 1 / std::sqrt(static_cast<float>(tensor.columns)) : 0.02f;
        const uint64_t rowSize = rowBytes(tensor.type, tensor.columns);
        const uint64_t rows = std::max<uint64_t>(1, tensor.rows);
        const uint64_t atOnce = std::max<uint64_t>(1, kPieceBytes / rowSize);
        for (uint64_t row = 0; row < rows; row += atOnce) {
            if (isInterrupted()) {
                return fail(ErrorCode::Cancelled, "cancelled");
            }
            piece.resize(std::min(atOnce, rows - row) * rowSize);
            if (isNorm) {
                constexpr float kOne = 1;
                for (size_t i = 0; i < piece.size(); i += sizeof kOne) {
                    std::memcpy(piece.data() + i, &kOne, sizeof kOne);
                }
            } else {
                random.fill(tensor.type, deviation, piece);
            }
            KVASIR_TRY(file.write(piece));
            progress.show(
                "writing", static_cast<double>(tensor.offset + row * rowSize) / static_cast<double>(planned.bytes));
        }
        at = tensor.offset + tensor.bytes();
    }
    piece.assign(planned.bytes - at, std::byte{0});
    return file.write(piece);
}

Result<void> run(const Arguments& arguments)
{
    for (const char* option : {"--shape", "--type", "--output"}) {
        if (!arguments.has(option)) {
            return fail(ErrorCode::BadArgument, std::string(option) + " is missing", {{"what", option}});
        }
    }
    const auto shape = findModelShape(arguments.text("--shape"));
    KVASIR_TRY(shape);
    const auto type = findTensorType(arguments.text("--type"));
    KVASIR_TRY(type);
    const auto planned = ShapedFile::plan(*shape, *type);
    KVASIR_TRY(planned);
    const std::string path = arguments.text("--output");
    std::error_code ignored;
    const auto folder = std::filesystem::absolute(path, ignored).parent_path();
    const auto space = std::filesystem::space(folder, ignored);
    if (!ignored && space.available < planned->bytes) {
        return fail(ErrorCode::FileUnwritable,
            "cannot write " + path + ": it takes " + bytesText(static_cast<double>(planned->bytes)) + ", and "
                + bytesText(static_cast<double>(space.available)) + " are free in " + folder.string(),
            {{"path", path}, {"reason", "disk full"}});
    }

    NewFile file(path);
    KVASIR_TRY(file.open());
    KVASIR_TRY(file.write(planned->header));
    ProgressLine progress(arguments.has("--progress"));
    KVASIR_TRY(writeWeights(file, *planned, progress));
    KVASIR_TRY(file.finish());
    progress.clear();
    return print(path + ": " + shape->name + " as " + std::string(tensorTypeName(*type)) + ", "
        + bytesText(static_cast<double>(planned->bytes)) + " of random weights\n");
}

} // namespace

Command makeModelCommand()
{
    return {"make-model", "a file of a real model's shape with random weights, to measure speed at its size", "",
        {
            {"--shape", nullptr, "NAME", "llama-3.2-1b, llama-2-7b, llama-3.1-8b, qwen3-8b, ..."},
            {"--type", nullptr, "T", "how the weights are stored: f16, q8_0, q4_0, q4_k, ..."},
            {"--output", "-o", "FILE", "the GGUF file to write; replaced where it is there"},
            {"--progress", nullptr, nullptr, "tell progress on standard error, terminal or not"},
        },
        0, run};
}

} // namespace kvasir::cli
