#pragma once

#include "store/conversation.h"

#include <QJsonObject>

#include <optional>

namespace kvasir {

/// The figures of a reply, named as in the command line's JSON.
QJsonObject statisticsToJson(const ReplyStats& stats);
ReplyStats statisticsFromJson(const QJsonObject& json);

/// Calls as text for the database; empty where there are none.
QString callsToJson(const QList<MessageCall>& calls);
/// Nothing where the text is not what callsToJson() wrote.
QList<MessageCall> callsFromJson(const QString& text);

/// Tokens and prefill marks, compressed: about 20 bytes a token.
QByteArray encodeTrace(const ReplyRecord& record);
/// Fills tokens and prefill of `record`; false, and both empty, where the bytes are not what encodeTrace() wrote.
bool decodeTrace(const QByteArray& bytes, ReplyRecord& record);

} // namespace kvasir
