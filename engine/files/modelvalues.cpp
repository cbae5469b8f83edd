#include "base/utf8.h"
#include "files/ggufbytes.h"

#include <cstdio>
#include <limits>

namespace kvasir {

namespace gguf {

std::optional<uint32_t> plainTypeSize(uint32_t code)
{
    switch (code) {
    case uint32_t(GgufType::Uint8):
    case uint32_t(GgufType::Int8):
    case uint32_t(GgufType::Bool):
        return 1;
    case uint32_t(GgufType::Uint16):
    case uint32_t(GgufType::Int16):
        return 2;
    case uint32_t(GgufType::Uint32):
    case uint32_t(GgufType::Int32):
    case uint32_t(GgufType::Float32):
        return 4;
    case uint32_t(GgufType::Uint64):
    case uint32_t(GgufType::Int64):
    case uint32_t(GgufType::Float64):
        return 8;
    case uint32_t(GgufType::String):
        return 0;
    default:
        return {};
    }
}

std::string quoted(std::string_view text, size_t maxBytes)
{
    std::string out = "'";
    size_t position = 0;
    while (position < text.size() && position < maxBytes) {
        const Utf8Step step = readUtf8(text, position);
        const bool space = step.scalar == U'\n' || step.scalar == U'\r' || step.scalar == U'\t';
        const bool control = step.scalar < 0x20 || (step.scalar >= 0x7f && step.scalar < 0xa0);
        if (space) {
            out += ' ';
        } else if (step.state != Utf8State::Whole || control) {
            out += '?';
        } else {
            out += text.substr(position, step.length);
        }
        position += step.length;
    }
    return out + (position < text.size() ? "...'" : "'");
}

std::string describe(const GgufEntry& entry)
{
    const std::string name(ggufTypeName(entry.type));
    return entry.isArray ? "an array of " + std::to_string(entry.count) + " " + name + " values"
                         : "a " + name + " value";
}

Failure malformed(const std::string& path, const std::string& what)
{
    return fail(ErrorCode::Malformed, "'" + path + "' is damaged: " + what + "; download it again",
        {{"path", path}, {"what", what}});
}

} // namespace gguf

using namespace gguf;

namespace {

std::string_view loadString(const std::byte* source)
{
    return {reinterpret_cast<const char*>(source) + sizeof(uint64_t), load<uint64_t>(source)};
}

std::optional<uint64_t> unsignedAt(GgufType type, const std::byte* source)
{
    const auto nonNegative = [](int64_t value) {
        return value < 0 ? std::optional<uint64_t>() : std::optional<uint64_t>(static_cast<uint64_t>(value));
    };
    switch (type) {
    case GgufType::Uint8:
        return load<uint8_t>(source);
    case GgufType::Uint16:
        return load<uint16_t>(source);
    case GgufType::Uint32:
        return load<uint32_t>(source);
    case GgufType::Uint64:
        return load<uint64_t>(source);
    case GgufType::Int8:
        return nonNegative(load<int8_t>(source));
    case GgufType::Int16:
        return nonNegative(load<int16_t>(source));
    case GgufType::Int32:
        return nonNegative(load<int32_t>(source));
    case GgufType::Int64:
        return nonNegative(load<int64_t>(source));
    default:
        return {};
    }
}

std::optional<int64_t> signedAt(GgufType type, const std::byte* source)
{
    switch (type) {
    case GgufType::Int8:
        return load<int8_t>(source);
    case GgufType::Int16:
        return load<int16_t>(source);
    case GgufType::Int32:
        return load<int32_t>(source);
    case GgufType::Int64:
        return load<int64_t>(source);
    default: {
        const std::optional<uint64_t> value = unsignedAt(type, source);
        if (!value || *value > uint64_t(std::numeric_limits<int64_t>::max())) {
            return {};
        }
        return static_cast<int64_t>(*value);
    }
    }
}

std::optional<double> realAt(GgufType type, const std::byte* source)
{
    switch (type) {
    case GgufType::Float32:
        return load<float>(source);
    case GgufType::Float64:
        return load<double>(source);
    case GgufType::Uint64:
        return static_cast<double>(load<uint64_t>(source));
    default:
        if (const std::optional<int64_t> value = signedAt(type, source)) {
            return static_cast<double>(*value);
        }
        return {};
    }
}

Failure wrongKind(const ModelFile& file, const GgufEntry& entry, const std::string& wanted)
{
    const std::string key = quoted(entry.key);
    const std::string value = entry.isArray ? "" : " (" + ggufValueText(entry) + ")";
    return malformed(
        file.path(), "the metadata value " + key + " is " + describe(entry) + value + " instead of " + wanted);
}

} // namespace

std::string_view ggufTypeName(GgufType type)
{
    switch (type) {
    case GgufType::Uint8:
        return "u8";
    case GgufType::Int8:
        return "i8";
    case GgufType::Uint16:
        return "u16";
    case GgufType::Int16:
        return "i16";
    case GgufType::Uint32:
        return "u32";
    case GgufType::Int32:
        return "i32";
    case GgufType::Float32:
        return "f32";
    case GgufType::Bool:
        return "bool";
    case GgufType::String:
        return "string";
    case GgufType::Uint64:
        return "u64";
    case GgufType::Int64:
        return "i64";
    case GgufType::Float64:
        return "f64";
    }
    return "unknown";
}

std::string ggufValueText(const GgufEntry& entry, size_t maxElements)
{
    const auto valueText = [&entry](const std::byte* source) -> std::string {
        switch (entry.type) {
        case GgufType::String:
            return quoted(loadString(source));
        case GgufType::Bool:
            return load<uint8_t>(source) != 0 ? "true" : "false";
        case GgufType::Uint64:
            return std::to_string(load<uint64_t>(source));
        case GgufType::Float32:
        case GgufType::Float64: {
            char text[32];
            const int digits = entry.type == GgufType::Float32 ? 9 : 17;
            std::snprintf(text, sizeof text, "%.*g", digits, *realAt(entry.type, source));
            return text;
        }
        default:
            return std::to_string(*signedAt(entry.type, source));
        }
    };
    if (!entry.isArray) {
        return valueText(entry.data.data());
    }
    std::string out = "[";
    const std::byte* source = entry.data.data();
    for (uint64_t i = 0; i < entry.count && i < maxElements; ++i) {
        out += (i > 0 ? ", " : "") + valueText(source);
        source += entry.type == GgufType::String ? sizeof(uint64_t) + loadString(source).size()
                                                 : *plainTypeSize(static_cast<uint32_t>(entry.type));
    }
    return out + (entry.count > maxElements ? ", ...] (" + std::to_string(entry.count) + ")" : "]");
}

Result<const GgufEntry*> ModelFile::require(std::string_view key, bool array) const
{
    const GgufEntry* entry = find(key);
    if (!entry) {
        return fail(ErrorCode::MissingMetadata,
            "'" + path() + "' has no metadata value " + quoted(key) + "; use another file of the model",
            {{"path", path()}, {"key", std::string(key)}});
    }
    if (entry->isArray != array) {
        return wrongKind(*this, *entry, array ? "an array" : "a single value");
    }
    return entry;
}

template <class T>
Result<T> ModelFile::orFallback(
    std::string_view key, T fallback, Result<T> (ModelFile::*get)(std::string_view) const) const
{
    return has(key) ? (this->*get)(key) : Result<T>(fallback);
}

Result<uint64_t> ModelFile::u64(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    const std::optional<uint64_t> value = unsignedAt((*entry)->type, (*entry)->data.data());
    return value ? Result<uint64_t>(*value) : wrongKind(*this, **entry, "a whole number from 0 on");
}

Result<int64_t> ModelFile::i64(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    const std::optional<int64_t> value = signedAt((*entry)->type, (*entry)->data.data());
    return value ? Result<int64_t>(*value) : wrongKind(*this, **entry, "a whole number below 2^63");
}

Result<double> ModelFile::f64(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    const std::optional<double> value = realAt((*entry)->type, (*entry)->data.data());
    return value ? Result<double>(*value) : wrongKind(*this, **entry, "a number");
}

Result<bool> ModelFile::boolean(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    if ((*entry)->type != GgufType::Bool) {
        return wrongKind(*this, **entry, "a truth value");
    }
    return load<uint8_t>((*entry)->data.data()) != 0;
}

Result<std::string_view> ModelFile::string(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    if ((*entry)->type != GgufType::String) {
        return wrongKind(*this, **entry, "text");
    }
    return loadString((*entry)->data.data());
}

Result<uint64_t> ModelFile::u64(std::string_view key, uint64_t fallback) const
{
    return orFallback(key, fallback, &ModelFile::u64);
}

Result<int64_t> ModelFile::i64(std::string_view key, int64_t fallback) const
{
    return orFallback(key, fallback, &ModelFile::i64);
}

Result<double> ModelFile::f64(std::string_view key, double fallback) const
{
    return orFallback(key, fallback, &ModelFile::f64);
}

Result<bool> ModelFile::boolean(std::string_view key, bool fallback) const
{
    return orFallback(key, fallback, &ModelFile::boolean);
}

Result<std::string_view> ModelFile::string(std::string_view key, std::string_view fallback) const
{
    return orFallback(key, fallback, &ModelFile::string);
}

Result<std::vector<std::string_view>> ModelFile::strings(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, true);
    KVASIR_TRY(entry);
    if ((*entry)->type != GgufType::String) {
        return wrongKind(*this, **entry, "an array of text");
    }
    std::vector<std::string_view> out;
    out.reserve((*entry)->count);
    const std::byte* source = (*entry)->data.data();
    for (uint64_t i = 0; i < (*entry)->count; ++i) {
        out.push_back(loadString(source));
        source += sizeof(uint64_t) + out.back().size();
    }
    return out;
}

Result<std::vector<int64_t>> ModelFile::integers(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, true);
    KVASIR_TRY(entry);
    const size_t size = *plainTypeSize(static_cast<uint32_t>((*entry)->type));
    std::vector<int64_t> out;
    out.reserve((*entry)->count);
    for (uint64_t i = 0; i < (*entry)->count; ++i) {
        const std::byte* source = (*entry)->data.data() + i * size;
        const std::optional<int64_t> value =
            (*entry)->type == GgufType::Bool ? load<uint8_t>(source) : signedAt((*entry)->type, source);
        if (!value) {
            return wrongKind(*this, **entry, "an array of whole numbers below 2^63");
        }
        out.push_back(*value);
    }
    return out;
}

Result<std::vector<float>> ModelFile::floats(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, true);
    KVASIR_TRY(entry);
    const size_t size = *plainTypeSize(static_cast<uint32_t>((*entry)->type));
    std::vector<float> out;
    out.reserve((*entry)->count);
    for (uint64_t i = 0; i < (*entry)->count; ++i) {
        const std::optional<double> value = realAt((*entry)->type, (*entry)->data.data() + i * size);
        if (!value) {
            return wrongKind(*this, **entry, "an array of numbers");
        }
        out.push_back(static_cast<float>(*value));
    }
    return out;
}

} // namespace kvasir
