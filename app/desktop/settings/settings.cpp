#include "settings/settings.h"

#include "settings/modelpaths.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

namespace kvasir {

namespace {

constexpr int kMaxRecentModels = 8;

} // namespace

Settings::Settings(const Paths& paths)
    : m_paths(paths)
    , m_values(paths.settingsFile(), QSettings::IniFormat)
{
}

QString Settings::language() const
{
    const QString code = m_values.value("language").toString();
    return code == QLatin1String("ko") || code == QLatin1String("en") ? code : QString();
}

void Settings::setLanguage(const QString& code)
{
    m_values.setValue("language", code);
}

Theme::Mode Settings::theme() const
{
    const QString name = m_values.value("theme").toString();
    return name == QLatin1String("light") ? Theme::Mode::Light
        : name == QLatin1String("dark")   ? Theme::Mode::Dark
                                          : Theme::Mode::System;
}

void Settings::setTheme(Theme::Mode mode)
{
    m_values.setValue("theme", mode == Theme::Mode::Light ? "light" : mode == Theme::Mode::Dark ? "dark" : "system");
}

double Settings::fontScale() const
{
    const double scale = m_values.value("font_scale", 1.0).toDouble();
    return scale >= 0.5 && scale <= 3 ? scale : 1;
}

void Settings::setFontScale(double scale)
{
    m_values.setValue("font_scale", scale);
}

int Settings::threads() const
{
    return qBound(0, m_values.value("threads").toInt(), 1024);
}

void Settings::setThreads(int threads)
{
    m_values.setValue("threads", threads);
}

int Settings::context() const
{
    return qBound(0, m_values.value("context").toInt(), 100'000'000);
}

void Settings::setContext(int tokens)
{
    m_values.setValue("context", tokens);
}

EngineOptions Settings::engineOptions() const
{
    EngineOptions options;
    options.threads = threads();
    options.context = context();
    return options;
}

QString Settings::modelFolder() const
{
    const QString folder = m_values.value("model_folder").toString();
    return folder.isEmpty() ? m_paths.models : folder;
}

void Settings::setModelFolder(const QString& folder)
{
    m_values.setValue("model_folder", folder == m_paths.models ? QString() : folder);
}

QStringList Settings::recentModels() const
{
    QStringList present;
    for (const QString& path : m_values.value("recent_models").toStringList()) {
        if (isPresent(path)) {
            present << path;
        }
    }
    return present;
}

void Settings::addRecentModel(const QString& path)
{
    QStringList list = m_values.value("recent_models").toStringList();
    list.removeAll(path);
    list.prepend(path);
    m_values.setValue("recent_models", list.mid(0, kMaxRecentModels));
}

QStringList Settings::modelsInFolder() const
{
    QStringList paths;
    const QFileInfoList entries = QDir(modelFolder())
                                      .entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot | QDir::Readable,
                                          QDir::Name);
    for (const QFileInfo& entry : entries) {
        const QString path = entry.absoluteFilePath();
        if (modelAt(path) == path && !isLaterPart(path)) {
            paths << path;
        }
    }
    return paths;
}

ChatSettings Settings::chatDefaults() const
{
    return chatSettingsFromJson(QJsonDocument::fromJson(m_values.value("chat_defaults").toByteArray()).object());
}

void Settings::setChatDefaults(const ChatSettings& settings)
{
    m_values.setValue("chat_defaults", QJsonDocument(toJson(settings)).toJson(QJsonDocument::Compact));
}

void Settings::markLoading(const QString& path)
{
    m_values.setValue("loading", path);
    m_values.sync();
}

void Settings::clearLoading()
{
    m_values.remove("loading");
}

QString Settings::crashedWhileLoading() const
{
    return m_values.value("loading").toString();
}

QByteArray Settings::bytes(const QString& key) const
{
    return m_values.value(key).toByteArray();
}

void Settings::setBytes(const QString& key, const QByteArray& value)
{
    m_values.setValue(key, value);
}

} // namespace kvasir
