#pragma once

#include "session/sampling.h"

#include <QJsonObject>
#include <QString>

namespace kvasir {

/// What a user may set for one conversation; new conversations start from the defaults kept in the settings.
struct ChatSettings {
    QString systemPrompt;
    SamplingSettings sampling;
    bool fixedSeed = false; ///< false: every reply draws its own seed, and sampling.seed is ignored
    int maxTokens = 0;      ///< tokens of a reply; 0: until the model ends or the context is full

    bool operator==(const ChatSettings& other) const;
};

QJsonObject toJson(const ChatSettings& settings);
/// Missing or unusable members keep their defaults, so that settings of an older version stay readable.
ChatSettings chatSettingsFromJson(const QJsonObject& json);

} // namespace kvasir
