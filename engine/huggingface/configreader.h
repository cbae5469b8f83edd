#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace kvasir {

/// Reads values of a JSON object and keeps the first error, so that reading is a list and not a ladder. A null counts
/// as absent, as it does in the transformers library.
class ConfigReader {
public:
    /// `json` must live as long as the reader. `place` is put before names in messages ("rope_scaling.").
    ConfigReader(const nlohmann::json& json, std::string path, std::string place = {});

    const std::optional<Error>& error() const { return m_error; }
    const nlohmann::json* find(const char* name) const; ///< null where it is absent or null

    std::optional<double> number(const char* name);
    std::optional<uint64_t> natural(const char* name);
    std::optional<std::string> text(const char* name);
    std::optional<bool> flag(const char* name);

    double requireNumber(const char* name);
    uint64_t requireNatural(const char* name);

    /// Unsupported, by name, with the value that the file has.
    void refuse(const char* name, const std::string& reason);
    void set(Failure failure);

private:
    template <class T> std::optional<T> value(const char* name, bool (*fits)(const nlohmann::json&), const char* kind);
    void setMissing(const char* name);

    const nlohmann::json& m_json;
    const std::string m_path;
    const std::string m_place;
    std::optional<Error> m_error;
};

} // namespace kvasir
