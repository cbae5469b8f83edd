#pragma once

#include <QString>

namespace kvasir {

/// Where the program keeps what. `--data-dir` moves conversations and settings; models stay in the user's data folder,
/// because other programs and the installer put them there.
struct Paths {
    QString data;   ///< conversations.sqlite, settings.ini
    QString models; ///< where models are looked for unless the settings name another folder
    QString cache;  ///< measured limits of this machine

    QString settingsFile() const;
    QString limitsFile() const;

    /// ~/.local/share/kvasir and the like; `dataDirectory` as given by --data-dir, or empty.
    static Paths standard(const QString& dataDirectory);
};

/// Name of the starter model's file.
QString starterModelName();

} // namespace kvasir
