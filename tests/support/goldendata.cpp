#include "goldendata.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

namespace kvasir::testing {

QString smallGoldenDir()
{
    return QStringLiteral(KVASIR_GOLDEN_DIR);
}

QString fullGoldenDir()
{
    const QString fromEnvironment = qEnvironmentVariable("KVASIR_GOLDEN");
    const QString beside = QDir::cleanPath(smallGoldenDir() + QStringLiteral("/../../../shared/golden"));
    for (const QString& dir : {fromEnvironment, beside}) {
        if (!dir.isEmpty() && QFileInfo(dir).isDir()) {
            return dir;
        }
    }
    return {};
}

QString goldenPath(const QString& relative)
{
    for (const QString& dir : {fullGoldenDir(), smallGoldenDir()}) {
        const QString path = dir + u'/' + relative;
        if (!dir.isEmpty() && QFileInfo::exists(path)) {
            return path;
        }
    }
    return {};
}

QString realModelPath(const QString& fileName)
{
    const QString dataHome = qEnvironmentVariable("XDG_DATA_HOME", QDir::homePath() + QStringLiteral("/.local/share"));
    for (const QString& dir : {qEnvironmentVariable("KVASIR_MODELS"), dataHome + QStringLiteral("/kvasir/models")}) {
        const QString path = dir + u'/' + fileName;
        if (!dir.isEmpty() && QFileInfo::exists(path)) {
            return path;
        }
    }
    return {};
}

QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject readJson(const QString& path)
{
    return QJsonDocument::fromJson(readAll(path)).object();
}

} // namespace kvasir::testing
