#include "text/sentencepiecemodel.h"

#include "text/spacesign.h"
#include "text/vocabulary.h"

#include <cstring>

namespace kvasir {

namespace {

// Wire format of protocol buffers, as far as sentencepiece_model.proto needs it.
class ProtoWriter {
public:
    void integer(uint32_t field, uint64_t value)
    {
        varint(field << 3);
        varint(value);
    }
    void real(uint32_t field, float value)
    {
        varint(field << 3 | 5);
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        m_bytes.append(bytes, sizeof bytes);
    }
    void bytes(uint32_t field, std::string_view value)
    {
        open(field, value.size());
        m_bytes += value;
    }
    /// Begins a message of `size` bytes, which are written next.
    void open(uint32_t field, size_t size)
    {
        varint(field << 3 | 2);
        varint(size);
    }
    static size_t varintSize(uint64_t value) { return value < 0x80 ? 1 : 1 + varintSize(value >> 7); }
    void reserve(size_t size) { m_bytes.reserve(size); }
    const std::string& result() const { return m_bytes; }

private:
    void varint(uint64_t value)
    {
        for (; value >= 0x80; value >>= 7) {
            m_bytes.push_back(static_cast<char>(value | 0x80));
        }
        m_bytes.push_back(static_cast<char>(value));
    }

    std::string m_bytes;
};

// Field numbers of sentencepiece_model.proto.
namespace model {
constexpr uint32_t kPieces = 1, kTrainerSpec = 2, kNormalizerSpec = 3;
}
namespace piece {
constexpr uint32_t kText = 1, kScore = 2, kType = 3;
}
namespace trainer {
constexpr uint32_t kModelType = 3, kVocabularySize = 4, kByteFallback = 35;
} // namespace trainer
namespace normalizer {
constexpr uint32_t kName = 1, kAddDummyPrefix = 3, kRemoveExtraSpaces = 4, kEscapeSpaces = 5;
}

/// A name for a piece that can never be found in a text: such pieces are declared as control pieces.
std::string hiddenName(TokenId token)
{
    return "<kvasir-hidden-" + std::to_string(token) + ">";
}

} // namespace

std::string makeSentencePieceModel(
    const Vocabulary& vocabulary, SentencePieceKind modelKind, bool byteFallback, bool addedAreCut)
{
    TokenId unknown = vocabulary.unknown();
    for (TokenId token = 0; unknown == kNoToken && token < vocabulary.size(); ++token) {
        if (vocabulary.kind(token) == TokenKind::Unknown) {
            unknown = token;
        }
    }
    if (unknown == kNoToken) {
        unknown = vocabulary.find("<unk>");
    }
    const bool addsUnknown = unknown == kNoToken;
    if (addsUnknown) {
        unknown = vocabulary.size();
    }

    ProtoWriter proto;
    proto.reserve(static_cast<size_t>(vocabulary.size()) * 24);
    const auto writePiece = [&](std::string_view text, float score, TokenKind kind) {
        // The fields' numbers take a byte each, and so does the type; the score takes four.
        proto.open(model::kPieces, 1 + ProtoWriter::varintSize(text.size()) + text.size() + 5 + 2);
        proto.bytes(piece::kText, text);
        proto.real(piece::kScore, score);
        proto.integer(piece::kType, static_cast<uint64_t>(kind));
    };
    for (TokenId token = 0; token < vocabulary.size(); ++token) {
        const std::string_view text = vocabulary.text(token);
        TokenKind kind = vocabulary.kind(token);
        if (token == unknown) {
            kind = TokenKind::Unknown;
        } else if (kind == TokenKind::Unknown || (kind == TokenKind::Byte && !byteFallback)) {
            kind = TokenKind::Control;
        } else if (kind == TokenKind::UserDefined && addedAreCut) {
            kind = vocabulary.score(token) != 0 ? TokenKind::Normal : TokenKind::Control;
        }
        const bool usable =
            !text.empty() && vocabulary.isFirstOfItsText(token) && text.find('\0') == std::string_view::npos;
        if (!usable) {
            writePiece(hiddenName(token), 0, token == unknown ? TokenKind::Unknown : TokenKind::Control);
        } else if (kind == TokenKind::UserDefined && text.find(' ') != std::string_view::npos) {
            // The file has spaces in them, where the library looks for its sign.
            const std::string name = withSpaceSigns(text);
            const bool taken = vocabulary.find(name) != kNoToken;
            writePiece(taken ? hiddenName(token) : name, vocabulary.score(token), taken ? TokenKind::Control : kind);
        } else {
            writePiece(text, vocabulary.score(token), kind);
        }
    }
    if (addsUnknown) {
        writePiece(hiddenName(unknown), 0, TokenKind::Unknown);
    }

    // Its own special pieces matter to the library only where they are named; ours are found before it sees the text.
    ProtoWriter trainerSpec;
    trainerSpec.integer(trainer::kModelType, static_cast<uint64_t>(modelKind));
    trainerSpec.integer(trainer::kVocabularySize, static_cast<uint64_t>(vocabulary.size()) + (addsUnknown ? 1 : 0));
    trainerSpec.integer(trainer::kByteFallback, byteFallback ? 1 : 0);
    proto.bytes(model::kTrainerSpec, trainerSpec.result());

    ProtoWriter normalizerSpec;
    normalizerSpec.bytes(normalizer::kName, "identity");
    normalizerSpec.integer(normalizer::kAddDummyPrefix, 0);
    normalizerSpec.integer(normalizer::kRemoveExtraSpaces, 0);
    normalizerSpec.integer(normalizer::kEscapeSpaces, 1);
    proto.bytes(model::kNormalizerSpec, normalizerSpec.result());
    return proto.result();
}

} // namespace kvasir
