#include "engine/errortext.h"

#include "base/numberformat.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>

namespace kvasir {

namespace {

QString parameter(const Error& error, std::string_view name)
{
    const std::string_view value = error.parameter(name);
    return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

QString number(const Error& error, std::string_view name)
{
    return NumberFormat::count(parameter(error, name).toLongLong());
}

QString size(const Error& error, std::string_view name)
{
    return NumberFormat::bytes(parameter(error, name).toDouble());
}

QString sentences(std::initializer_list<QString> parts)
{
    QStringList present;
    for (const QString& part : parts) {
        if (!part.isEmpty()) {
            present << part;
        }
    }
    return present.join(u' ');
}

} // namespace

QString ErrorText::cause(const Error& error)
{
    const QString what = parameter(error, "what");
    const QString reason = parameter(error, "reason");
    switch (error.code) {
    case ErrorCode::FileNotFound:
        return tr("There is no such file.");
    case ErrorCode::FileUnreadable:
        return reason.isEmpty() ? tr("The file cannot be read.") : tr("The file cannot be read (%1).").arg(reason);
    case ErrorCode::FileUnwritable:
        if (reason == QLatin1String("read-only")) {
            return tr("The folder is read-only.");
        }
        if (reason == QLatin1String("disk-full")) {
            return tr("The disk is full.");
        }
        if (reason == QLatin1String("in-use")) {
            return tr("Another Kvasir window has it open.");
        }
        return reason.isEmpty() ? tr("The file cannot be written.")
                                : tr("The file cannot be written (%1).").arg(reason);
    case ErrorCode::NotAModelFile:
        return tr("It is not a model file in the GGUF format.");
    case ErrorCode::Truncated:
        return what.isEmpty() ? tr("The file ends too early.") : tr("The file ends too early (%1).").arg(what);
    case ErrorCode::Malformed:
        return what.isEmpty() ? tr("The file is damaged.") : tr("The file is damaged (%1).").arg(what);
    case ErrorCode::Unsupported: {
        const QString name = parameter(error, "name");
        return name.isEmpty() ? tr("It needs something that Kvasir does not know (%1).").arg(what)
                              : tr("It needs something that Kvasir does not know (%1: %2).").arg(what, name);
    }
    case ErrorCode::MissingMetadata:
        return tr("The file lacks the entry “%1”.").arg(parameter(error, "key"));
    case ErrorCode::MissingTensor:
        return tr("The file lacks the weights “%1”.").arg(parameter(error, "name"));
    case ErrorCode::BadTokenizer:
        return tr("Its vocabulary cannot be used (%1).").arg(what);
    case ErrorCode::BadTemplate:
        return tr("The model’s chat template cannot be used (%1).").arg(what);
    case ErrorCode::TemplateLimit:
        return tr("The model’s chat template works without end and was stopped (%1).").arg(what);
    case ErrorCode::OutOfMemory:
        return parameter(error, "need").isEmpty()
            ? tr("There is not enough memory.")
            : tr("It needs %1 of memory, and %2 are free.").arg(size(error, "need"), size(error, "have"));
    case ErrorCode::ContextTooSmall:
        return tr("The conversation takes %1 tokens, and the context holds %2.")
            .arg(number(error, "need"), number(error, "have"));
    case ErrorCode::NotFinite:
        return tr("A number in the computation became infinite (%1); the file’s weights are probably damaged.")
            .arg(what);
    case ErrorCode::BadArgument:
        return tr("A setting cannot be used (%1).").arg(sentences({what, parameter(error, "value")}));
    case ErrorCode::Cancelled:
        return tr("It was cancelled.");
    case ErrorCode::Internal:
        break;
    }
    return tr("Kvasir made a mistake (%1).").arg(QString::fromStdString(error.detail));
}

QString ErrorText::loadFailed(const QString& path, const Error& error)
{
    const QString head = tr("“%1” could not be opened.").arg(QFileInfo(path).fileName());
    switch (error.code) {
    case ErrorCode::FileNotFound:
        return sentences({head, cause(error), tr("It may have been moved: choose it in its new place.")});
    case ErrorCode::NotAModelFile:
        return sentences({head, cause(error), tr("Choose a .gguf file, or the folder of a model.")});
    case ErrorCode::Truncated:
    case ErrorCode::Malformed:
    case ErrorCode::MissingMetadata:
    case ErrorCode::MissingTensor:
    case ErrorCode::BadTokenizer:
        return sentences({head, cause(error), tr("Download it again, or choose another file.")});
    case ErrorCode::OutOfMemory:
        return sentences(
            {head, cause(error), tr("Close other programs, choose a smaller model, or set a shorter context.")});
    case ErrorCode::Cancelled:
        return tr("Opening “%1” was cancelled.").arg(QFileInfo(path).fileName());
    default:
        return sentences({head, cause(error), tr("Choose another file.")});
    }
}

QString ErrorText::replyFailed(const Error& error)
{
    switch (error.code) {
    case ErrorCode::ContextTooSmall:
        return sentences({tr("The context is full."), cause(error),
            tr("Start a new chat, shorten the message, or set a longer context in the settings.")});
    case ErrorCode::OutOfMemory:
        return sentences({tr("There was no memory for this reply."), cause(error),
            tr("Close other programs or set a shorter context.")});
    case ErrorCode::Cancelled:
        return tr("The reply was cancelled because another model was opened. Ask again.");
    case ErrorCode::BadTemplate:
    case ErrorCode::TemplateLimit:
        return sentences(
            {tr("The question could not be put to the model."), cause(error), tr("Choose another model.")});
    case ErrorCode::BadArgument:
        return sentences({tr("The question could not be put to the model."), cause(error)});
    default:
        return sentences(
            {tr("The reply could not be computed."), cause(error), tr("Ask again, or choose another model.")});
    }
}

QString ErrorText::storeFailed(const Error& error)
{
    const QString path = parameter(error, "path");
    const QString folder = QDir::toNativeSeparators(QFileInfo(path).path());
    const QString tail = tr("Until then conversations are kept only while this window is open.");
    switch (error.code) {
    case ErrorCode::FileUnwritable:
        if (parameter(error, "reason") == QLatin1String("in-use")) {
            return sentences({tr("Conversations are not saved in this window: another Kvasir has them open."),
                tr("Close the other one and try again."), tail});
        }
        if (parameter(error, "reason") == QLatin1String("disk-full")) {
            return sentences({tr("Conversations are not being saved: the disk is full."),
                tr("Make room on it and try again."), tail});
        }
        return sentences({tr("Conversations are not being saved: %1 cannot be written to.").arg(folder),
            tr("Allow writing there and try again."), tail});
    case ErrorCode::Malformed:
    case ErrorCode::NotAModelFile:
    case ErrorCode::Truncated:
        return sentences({tr("The file with your conversations is damaged and was left untouched."),
            tr("Set it aside to start a new one, or put a copy in its place and try again."), tail});
    case ErrorCode::Unsupported:
        return sentences(
            {tr("A later version of Kvasir wrote your conversations."), tr("Open them with that version."), tail});
    default:
        return sentences({tr("Conversations are not being saved."), cause(error), tail});
    }
}

QString ErrorText::limitsFailed(const Error& error)
{
    return error.code == ErrorCode::Cancelled ? tr("The engine was needed for a reply.") : cause(error);
}

} // namespace kvasir
