#pragma once

#include "base/theme.h"

#include <QSize>
#include <QStringList>

#include <optional>

namespace kvasir {

/// What the command line asks for.
struct Options {
    QString model;
    QString language;
    QString dataDirectory;
    QString prompt;     ///< sent once the model is ready
    QString screenshot; ///< PNG of the whole window, after the reply
    bool exit = false;  ///< after that
    std::optional<Theme::Mode> theme;
    QSize size;
    bool help = false;
    bool version = false;

    QString problem; ///< one English sentence where the command line cannot be understood
};

/// `arguments` with the program's name first.
Options parseOptions(const QStringList& arguments);
QString optionsHelp();

} // namespace kvasir
