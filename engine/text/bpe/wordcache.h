#pragma once

#include "base/types.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace kvasir {

/// Where the tokens of the words of one text lie among the tokens made of it: most words come again.
class WordCache {
public:
    /// Longer ones hardly ever come twice, and the cache would grow with the text.
    static constexpr size_t kLongestWord = 32;

    struct Entry {
        const char* word = nullptr; ///< in the text, which must stay; null: an empty slot
        uint32_t hash = 0;
        uint32_t begin = 0; ///< of its tokens
        uint16_t length = 0;
        uint16_t count = 0;
    };

    WordCache()
        : m_entries(256)
    {
    }

    struct Place {
        Entry* entry = nullptr; ///< valid up to the next call
        bool isNew = false;     ///< then the caller says which tokens are the word's
    };

    Place at(std::string_view word)
    {
        if (m_used * 2 > m_entries.size()) {
            grow();
        }
        const uint32_t hash = hashOf(word);
        Entry& entry = m_entries[slotOf(hash, word)];
        if (entry.word) {
            return {&entry, false};
        }
        ++m_used;
        entry.word = word.data();
        entry.hash = hash;
        entry.length = static_cast<uint16_t>(word.size());
        return {&entry, true};
    }

private:
    static uint32_t hashOf(std::string_view word)
    {
        uint64_t hash = word.size() * 0x9E3779B97F4A7C15u;
        const auto mix = [&](uint64_t value) {
            hash = (hash ^ value) * 0xD6E8FEB86659FD93u;
            hash ^= hash >> 32;
        };
        const char* at = word.data();
        size_t left = word.size();
        for (; left >= 8; at += 8, left -= 8) {
            uint64_t value = 0;
            std::memcpy(&value, at, 8);
            mix(value);
        }
        uint64_t value = 0;
        for (size_t i = 0; i < left; ++i) { // memcpy of a varying length is a call
            value = value << 8 | static_cast<unsigned char>(at[i]);
        }
        mix(value);
        return static_cast<uint32_t>(hash);
    }

    size_t slotOf(uint32_t hash, std::string_view word) const
    {
        const size_t mask = m_entries.size() - 1;
        size_t slot = hash & mask;
        while (m_entries[slot].word
            && (m_entries[slot].hash != hash
                || word != std::string_view(m_entries[slot].word, m_entries[slot].length))) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    void grow()
    {
        std::vector<Entry> old(m_entries.size() * 2);
        old.swap(m_entries);
        for (const Entry& entry : old) {
            if (entry.word) {
                m_entries[slotOf(entry.hash, {entry.word, entry.length})] = entry;
            }
        }
    }

    std::vector<Entry> m_entries; ///< open addressing; a power of two
    size_t m_used = 0;
};

} // namespace kvasir
