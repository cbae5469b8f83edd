#include "huggingface/tokenizermodel.h"

#include "huggingface/metadatawriter.h"
#include "huggingface/tokenlist.h"

#include <cstring>
#include <optional>
#include <string_view>

namespace kvasir {

namespace {

/// Reads the wire format of protocol buffers forward, never past its end.
class ProtoReader {
public:
    explicit ProtoReader(std::string_view bytes)
        : m_rest(bytes)
    {
    }

    struct Field {
        uint32_t number = 0;
        uint64_t integer = 0;   ///< a varint, or the bits of a fixed value
        std::string_view bytes; ///< of text or of a message
    };

    bool atEnd() const { return m_rest.empty(); }

    /// Nothing where the bytes are no field.
    std::optional<Field> next()
    {
        const auto tag = varint();
        if (!tag || *tag >> 3 == 0 || *tag >> 3 > UINT32_MAX) {
            return {};
        }
        Field field;
        field.number = static_cast<uint32_t>(*tag >> 3);
        switch (*tag & 7) {
        case 0:
            if (const auto value = varint()) {
                field.integer = *value;
                return field;
            }
            return {};
        case 1:
            return fixed(8, field);
        case 2: {
            const auto length = varint();
            if (!length || *length > m_rest.size()) {
                return {};
            }
            field.bytes = m_rest.substr(0, *length);
            m_rest.remove_prefix(*length);
            return field;
        }
        case 5:
            return fixed(4, field);
        default:
            return {};
        }
    }

private:
    std::optional<uint64_t> varint()
    {
        uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) {
                return value;
            }
        }
        return {};
    }
    std::optional<Field> fixed(size_t size, Field field)
    {
        if (m_rest.size() < size) {
            return {};
        }
        std::memcpy(&field.integer, m_rest.data(), size); // little-endian, as this machine
        m_rest.remove_prefix(size);
        return field;
    }

    std::string_view m_rest;
};

/// Calls f(field) for each field of a message; false where it is broken.
template <class F> bool readMessage(std::string_view bytes, F&& f)
{
    ProtoReader reader(bytes);
    while (!reader.atEnd()) {
        const auto field = reader.next();
        if (!field) {
            return false;
        }
        f(*field);
    }
    return true;
}

// Field numbers and defaults of sentencepiece_model.proto.
struct Piece {
    std::string text;
    float score = 0;
    uint64_t kind = TokenList::Normal;
};
struct Trainer {
    uint64_t modelType = 1; // Unigram
};
struct Normalizer {
    std::string name;
    bool hasMap = false;
    bool addsPrefix = true;
    bool removesSpaces = true;
    bool escapesSpaces = true;
};

bool readPiece(std::string_view bytes, Piece& piece)
{
    return readMessage(bytes, [&](const ProtoReader::Field& field) {
        if (field.number == 1) {
            piece.text = field.bytes;
        } else if (field.number == 2) {
            const auto bits = static_cast<uint32_t>(field.integer);
            std::memcpy(&piece.score, &bits, sizeof bits);
        } else if (field.number == 3) {
            piece.kind = field.integer;
        }
    });
}

bool readNormalizer(std::string_view bytes, Normalizer& normalizer)
{
    return readMessage(bytes, [&](const ProtoReader::Field& field) {
        switch (field.number) {
        case 1:
            normalizer.name = field.bytes;
            break;
        case 2:
            normalizer.hasMap = !field.bytes.empty();
            break;
        case 3:
            normalizer.addsPrefix = field.integer != 0;
            break;
        case 4:
            normalizer.removesSpaces = field.integer != 0;
            break;
        case 5:
            normalizer.escapesSpaces = field.integer != 0;
            break;
        }
    });
}

Failure unknown(const std::string& what, const std::string& name)
{
    return fail(ErrorCode::Unsupported,
        "the " + what + " '" + name.substr(0, 80)
            + "' of tokenizer.model is not known to Kvasir; look for a GGUF file of the model",
        {{"what", what}, {"name", name}});
}

} // namespace

Result<void> writeTokenizerModel(std::span<const std::byte> bytes, TokenList& tokens, MetadataWriter& metadata)
{
    Trainer trainer;
    Normalizer normalizer;
    uint64_t count = 0;
    bool isWhole = true;
    const std::string_view whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    isWhole &= readMessage(whole, [&](const ProtoReader::Field& field) {
        if (field.number == 1) {
            Piece piece;
            isWhole &= readPiece(field.bytes, piece);
            const bool known = piece.kind >= TokenList::Normal && piece.kind <= TokenList::Byte;
            tokens.set(count, std::move(piece.text),
                known ? static_cast<TokenList::Kind>(piece.kind) : TokenList::Normal, piece.score);
            ++count;
        } else if (field.number == 2) {
            isWhole &= readMessage(field.bytes, [&](const ProtoReader::Field& inner) {
                trainer.modelType = inner.number == 3 ? inner.integer : trainer.modelType;
            });
        } else if (field.number == 3) {
            isWhole &= readNormalizer(field.bytes, normalizer);
        }
    });
    if (!isWhole || count == 0) {
        return brokenTokenizer("tokenizer.model is no sentencepiece model, or is cut");
    }
    if (trainer.modelType != 1 && trainer.modelType != 2) {
        return unknown("kind of model", std::to_string(trainer.modelType));
    }
    if (normalizer.hasMap || normalizer.removesSpaces || !normalizer.escapesSpaces) {
        return unknown("normalization",
            normalizer.hasMap              ? normalizer.name
                : normalizer.removesSpaces ? "remove_extra_whitespaces"
                                           : "without escape_whitespaces");
    }
    metadata.add("tokenizer.ggml.model", std::string_view("llama"));
    metadata.add("kvasir.tokenizer.unigram", trainer.modelType == 1);
    metadata.add("tokenizer.ggml.add_space_prefix", normalizer.addsPrefix);
    return {};
}

} // namespace kvasir
