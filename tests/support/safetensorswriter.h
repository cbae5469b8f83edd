#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace kvasir::testing {

/// Writes safetensors files for tests. Independent of the engine's reader on purpose; names need no escaping.
class SafetensorsWriter {
public:
    struct Tensor {
        std::string name;
        std::string dtype;
        std::vector<uint64_t> shape;
        std::string data;
    };

    void add(Tensor tensor) { m_tensors.push_back(std::move(tensor)); }
    const std::vector<Tensor>& tensors() const { return m_tensors; }

    std::string header() const
    {
        std::string json = "{\"__metadata__\":{\"format\":\"pt\"}";
        uint64_t offset = 0;
        for (const Tensor& tensor : m_tensors) {
            json += ",\"" + tensor.name + "\":{\"dtype\":\"" + tensor.dtype + "\",\"shape\":[";
            for (size_t i = 0; i < tensor.shape.size(); ++i) {
                json += (i > 0 ? "," : "") + std::to_string(tensor.shape[i]);
            }
            json += "],\"data_offsets\":[" + std::to_string(offset) + ",";
            offset += tensor.data.size();
            json += std::to_string(offset) + "]}";
        }
        return json + "}";
    }

    std::string data() const
    {
        std::string all;
        for (const Tensor& tensor : m_tensors) {
            all += tensor.data;
        }
        return all;
    }

    std::string bytes() const { return fileOf(header(), data()); }

    static std::string fileOf(const std::string& header, const std::string& data)
    {
        const uint64_t length = header.size();
        std::string out(sizeof length, '\0');
        std::memcpy(out.data(), &length, sizeof length);
        return out + header + data;
    }

private:
    std::vector<Tensor> m_tensors;
};

} // namespace kvasir::testing
