#pragma once

#include "base/theme.h"
#include "session/engine.h"
#include "settings/paths.h"
#include "store/chatsettings.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

namespace kvasir {

/// The user's settings, in an INI file. Values out of range read as their defaults; on a read-only disk changes last
/// until the program ends. GUI thread.
class Settings {
public:
    explicit Settings(const Paths& paths);

    const Paths& paths() const { return m_paths; }

    QString language() const; ///< "ko", "en"; empty: the system's
    void setLanguage(const QString& code);
    Theme::Mode theme() const;
    void setTheme(Theme::Mode mode);
    double fontScale() const; ///< 0.5 to 3
    void setFontScale(double scale);

    int threads() const; ///< 0: physical cores
    void setThreads(int threads);
    int context() const; ///< tokens; 0: the model's own
    void setContext(int tokens);
    EngineOptions engineOptions() const;

    QString modelFolder() const;
    void setModelFolder(const QString& folder);
    QStringList recentModels() const; ///< newest first, those that still exist
    void addRecentModel(const QString& path);
    /// Model files in the model folder, by name.
    QStringList modelsInFolder() const;

    ChatSettings chatDefaults() const;
    void setChatDefaults(const ChatSettings& settings);

    /// A model that is being loaded: if the program dies meanwhile, the next start does not load it by itself.
    void markLoading(const QString& path);
    void clearLoading();
    QString crashedWhileLoading() const;

    QByteArray bytes(const QString& key) const;
    void setBytes(const QString& key, const QByteArray& value);

    void sync() { m_values.sync(); }

private:
    Paths m_paths;
    QSettings m_values;
};

} // namespace kvasir
