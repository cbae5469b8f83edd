#pragma once

#include "files/modelfile.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

/// Makes the metadata of a model that is not a GGUF file, in GGUF's form.
class MetadataWriter {
public:
    MetadataWriter();

    void add(std::string key, uint64_t value);
    void add(std::string key, double value);
    void add(std::string key, bool value);
    void add(std::string key, std::string_view value);
    void addStrings(std::string key, const std::vector<std::string>& values);
    void addIntegers(std::string key, const std::vector<int64_t>& values);
    void addFloats(std::string key, const std::vector<float>& values);
    void addBooleans(std::string key, const std::vector<bool>& values);

    /// Puts the entries, and the memory that they point into, where they belong.
    void moveInto(ModelFile::Contents& contents) &&;

private:
    void add(std::string key, GgufType type, bool isArray, uint64_t count, std::string bytes);

    std::shared_ptr<std::deque<std::string>> m_memory; ///< keys and values: a deque does not move what it holds
    std::vector<GgufEntry> m_entries;
};

} // namespace kvasir
