#include "store/errorcodec.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kvasir {

namespace {

// Kept by name: numbers would change their meaning when a code is added.
constexpr std::pair<ErrorCode, const char*> kNames[] = {{ErrorCode::FileNotFound, "file-not-found"},
    {ErrorCode::FileUnreadable, "file-unreadable"}, {ErrorCode::FileUnwritable, "file-unwritable"},
    {ErrorCode::NotAModelFile, "not-a-model-file"}, {ErrorCode::Truncated, "truncated"},
    {ErrorCode::Malformed, "malformed"}, {ErrorCode::Unsupported, "unsupported"},
    {ErrorCode::MissingMetadata, "missing-metadata"}, {ErrorCode::MissingTensor, "missing-tensor"},
    {ErrorCode::BadTokenizer, "bad-tokenizer"}, {ErrorCode::BadTemplate, "bad-template"},
    {ErrorCode::TemplateLimit, "template-limit"}, {ErrorCode::OutOfMemory, "out-of-memory"},
    {ErrorCode::ContextTooSmall, "context-too-small"}, {ErrorCode::NotFinite, "not-finite"},
    {ErrorCode::BadArgument, "bad-argument"}, {ErrorCode::Cancelled, "cancelled"}, {ErrorCode::Internal, "internal"}};

} // namespace

QString encodeError(const Error& error)
{
    QJsonObject parameters;
    for (const auto& [key, value] : error.parameters) {
        parameters.insert(QString::fromStdString(key), QString::fromStdString(value));
    }
    QString name;
    for (const auto& [code, text] : kNames) {
        if (code == error.code) {
            name = QLatin1String(text);
        }
    }
    const QJsonObject json{
        {"code", name}, {"parameters", parameters}, {"detail", QString::fromStdString(error.detail)}};
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

Error decodeError(const QString& text)
{
    const QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
    Error error;
    error.detail = json.value("detail").toString(text).toStdString();
    for (const auto& [code, name] : kNames) {
        if (json.value("code").toString() == QLatin1String(name)) {
            error.code = code;
        }
    }
    const QJsonObject parameters = json.value("parameters").toObject();
    for (auto it = parameters.begin(); it != parameters.end(); ++it) {
        error.parameters.emplace_back(it.key().toStdString(), it.value().toString().toStdString());
    }
    return error;
}

} // namespace kvasir
