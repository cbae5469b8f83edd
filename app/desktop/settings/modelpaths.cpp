#include "settings/modelpaths.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace kvasir {

namespace {

// A name is no promise: more are not looked for.
constexpr int kMaxParts = 1000;

/// The base name ends so: stem, number of the part.
const QRegularExpression& partPattern()
{
    static const QRegularExpression pattern(QStringLiteral("^(.*)-(\\d{5})-of-\\d{5}$"));
    return pattern;
}

} // namespace

QString modelAt(const QString& path)
{
    const QFileInfo file(path);
    if (file.isDir()) {
        return QDir(path).exists(QStringLiteral("config.json")) ? path : QString();
    }
    if (file.fileName() == QLatin1String("config.json") || file.suffix() == QLatin1String("safetensors")) {
        return file.isFile() ? file.path() : QString();
    }
    return file.suffix().compare(QLatin1String("gguf"), Qt::CaseInsensitive) == 0 ? path : QString();
}

bool isPresent(const QString& path)
{
    return QFileInfo(path).isFile() || (QFileInfo(path).isDir() && !modelAt(path).isEmpty());
}

qint64 modelBytes(const QString& path)
{
    const QFileInfo file(path);
    QFileInfoList parts{file};
    if (file.isDir()) {
        parts = QDir(path).entryInfoList({QStringLiteral("*.safetensors")}, QDir::Files);
    } else if (const auto match = partPattern().match(file.completeBaseName()); match.hasMatch()) {
        const QString count = file.completeBaseName().right(5);
        for (int part = 1; part <= count.toInt() && part <= kMaxParts; ++part) {
            const QString name =
                QStringLiteral("%1-%2-of-%3.gguf").arg(match.captured(1)).arg(part, 5, 10, QChar(u'0')).arg(count);
            if (name != file.fileName()) {
                parts << QFileInfo(file.dir().filePath(name));
            }
        }
    }
    qint64 bytes = 0;
    for (const QFileInfo& part : std::as_const(parts)) {
        bytes += part.size();
    }
    return bytes;
}

QString modelBaseName(const QString& path)
{
    const QFileInfo file(path);
    const QString name = file.isDir() ? file.fileName() : file.completeBaseName();
    const auto match = partPattern().match(name);
    return match.hasMatch() ? match.captured(1) : name;
}

bool isLaterPart(const QString& path)
{
    const auto match = partPattern().match(QFileInfo(path).completeBaseName());
    return match.hasMatch() && match.captured(2) != QLatin1String("00001");
}

} // namespace kvasir
