#include "store/chatsettings.h"

#include <algorithm>

namespace kvasir {

namespace {

float number(const QJsonObject& json, const char* key, float fallback, double low, double high)
{
    const double value = json.value(QLatin1String(key)).toDouble(fallback);
    return static_cast<float>(std::clamp(value, low, high));
}

int integer(const QJsonObject& json, const char* key, int fallback, int low, int high)
{
    return std::clamp(json.value(QLatin1String(key)).toInt(fallback), low, high);
}

} // namespace

bool ChatSettings::operator==(const ChatSettings& other) const
{
    return toJson(*this) == toJson(other);
}

QJsonObject toJson(const ChatSettings& settings)
{
    const SamplingSettings& sampling = settings.sampling;
    return {{"system_prompt", settings.systemPrompt}, {"temperature", sampling.temperature}, {"top_k", sampling.topK},
        {"top_p", sampling.topP}, {"min_p", sampling.minP}, {"repetition_penalty", sampling.repetitionPenalty},
        {"presence_penalty", sampling.presencePenalty}, {"frequency_penalty", sampling.frequencyPenalty},
        {"penalty_window", sampling.penaltyWindow},
        // A JSON number holds 53 bits, a seed 64.
        {"seed", QString::number(sampling.seed)}, {"fixed_seed", settings.fixedSeed},
        {"max_tokens", settings.maxTokens}};
}

ChatSettings chatSettingsFromJson(const QJsonObject& json)
{
    ChatSettings settings;
    SamplingSettings& sampling = settings.sampling;
    settings.systemPrompt = json.value("system_prompt").toString();
    sampling.temperature = number(json, "temperature", sampling.temperature, 0, 5);
    sampling.topK = integer(json, "top_k", sampling.topK, 0, 1'000'000);
    sampling.topP = number(json, "top_p", sampling.topP, 0, 1);
    sampling.minP = number(json, "min_p", sampling.minP, 0, 1);
    sampling.repetitionPenalty = number(json, "repetition_penalty", sampling.repetitionPenalty, 0.1, 10);
    sampling.presencePenalty = number(json, "presence_penalty", sampling.presencePenalty, -10, 10);
    sampling.frequencyPenalty = number(json, "frequency_penalty", sampling.frequencyPenalty, -10, 10);
    sampling.penaltyWindow = integer(json, "penalty_window", sampling.penaltyWindow, -1, 1'000'000);
    sampling.seed = json.value("seed").toString().toULongLong();
    settings.fixedSeed = json.value("fixed_seed").toBool(settings.fixedSeed);
    settings.maxTokens = integer(json, "max_tokens", settings.maxTokens, 0, 10'000'000);
    return settings;
}

} // namespace kvasir
