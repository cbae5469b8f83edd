#include "goldendata.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

namespace kvasir::testing {

namespace {

/// Where packed files are unpacked; goes with the test program.
const QTemporaryDir& unpackDir()
{
    static const QTemporaryDir dir;
    return dir;
}

void store(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qFatal("golden data: cannot write %s", qPrintable(path));
    }
}

QByteArray unpack(const QString& packed)
{
    const QByteArray bytes = qUncompress(readAll(packed));
    if (bytes.isEmpty()) {
        qFatal("golden data: %s is damaged", qPrintable(packed));
    }
    return bytes;
}

/// The inverse of storing the bytes 0, 4, 8, ..., then 1, 5, 9, ..., and so on.
QByteArray joinPlanes(const QByteArray& planes)
{
    QByteArray out(planes.size(), Qt::Uninitialized);
    qsizetype at = 0;
    for (int plane = 0; plane < 4; ++plane) {
        for (qsizetype i = plane; i < out.size(); i += 4) {
            out[i] = planes[at++];
        }
    }
    return out;
}

void unpackBundle(const QString& packed, const QString& targetDir)
{
    const QByteArray bytes = unpack(packed);
    qsizetype at = bytes.indexOf('\n') + 1;
    for (const QJsonValue& entry : QJsonDocument::fromJson(bytes.left(at)).array()) {
        store(targetDir + u'/' + entry[0].toString(), bytes.mid(at, entry[1].toInteger()));
        at += entry[1].toInteger();
    }
}

void unpackPatches(const QString& packed, const QByteArray& base, const QString& targetDir)
{
    const QJsonObject patches = QJsonDocument::fromJson(unpack(packed)).object();
    for (auto it = patches.begin(); it != patches.end(); ++it) {
        const QJsonObject patch = it.value().toObject();
        const QByteArray middle = QByteArray::fromBase64(patch["middle"].toString().toLatin1());
        store(targetDir + u'/' + it.key(),
            base.left(patch["start"].toInteger()) + middle + base.right(patch["end"].toInteger()));
    }
}

QString smallGoldenPath(const QString& relative)
{
    const QString small = smallGoldenDir() + u'/' + relative;
    const QString target = unpackDir().path() + u'/' + relative;
    if (QFileInfo(small).isFile()) {
        return small;
    }
    if (!QFileInfo::exists(target)) {
        const QString folder = relative.section(u'/', 0, 0);
        const QString bundle = smallGoldenDir() + u'/' + folder + QStringLiteral(".bundle.qz");
        const QString patches = smallGoldenDir() + u'/' + folder + QStringLiteral("/patches.json.qz");
        if (QFileInfo::exists(small + QStringLiteral(".qz"))) {
            store(target, unpack(small + QStringLiteral(".qz")));
        } else if (QFileInfo::exists(small + QStringLiteral(".qz4"))) {
            store(target, joinPlanes(unpack(small + QStringLiteral(".qz4"))));
        } else if (QFileInfo::exists(bundle)) {
            unpackBundle(bundle, unpackDir().path() + u'/' + folder);
        } else if (QFileInfo::exists(patches)) {
            const QByteArray base = readAll(smallGoldenDir() + u'/' + folder + QStringLiteral("/control_valid.gguf"));
            unpackPatches(patches, base, unpackDir().path() + u'/' + folder);
        }
    }
    return QFileInfo::exists(target) ? target : QString();
}

} // namespace

QString smallGoldenDir()
{
    return QStringLiteral(KVASIR_GOLDEN_DIR);
}

QString fullGoldenDir()
{
    const QString beside = QDir::cleanPath(smallGoldenDir() + QStringLiteral("/../../../shared/golden"));
    const QString dir = qEnvironmentVariable("KVASIR_GOLDEN", beside);
    return QFileInfo(dir).isDir() ? dir : QString();
}

QString goldenPath(const QString& relative)
{
    const QString full = fullGoldenDir();
    if (!full.isEmpty() && QFileInfo::exists(full + u'/' + relative)) {
        return full + u'/' + relative;
    }
    return smallGoldenPath(relative);
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
