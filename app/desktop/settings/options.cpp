#include "settings/options.h"

#include <QCommandLineParser>

namespace kvasir {

namespace {

struct Names {
    QCommandLineOption model{"model", "Model file (GGUF) to open.", "FILE"};
    QCommandLineOption language{"language", "Language of the window: ko or en.", "CODE"};
    QCommandLineOption dataDirectory{"data-dir", "Folder for conversations and settings.", "DIR"};
    QCommandLineOption prompt{"prompt", "Message to send once the model is ready.", "TEXT"};
    QCommandLineOption screenshot{"screenshot", "Save a picture of the window, after the reply.", "FILE.png"};
    QCommandLineOption exit{"exit", "End after that."};
    QCommandLineOption theme{"theme", "light, dark or system.", "NAME"};
    QCommandLineOption size{"size", "Size of the window, such as 1280x800.", "WxH"};
    QCommandLineOption help{{"h", "help"}, "Show this help."};
    QCommandLineOption version{{"v", "version"}, "Show the version."};
};

void addTo(QCommandLineParser& parser, const Names& names)
{
    parser.setApplicationDescription(
        "Chat with a language model on this computer and see where its time and memory go.");
    parser.addOptions({names.model, names.language, names.dataDirectory, names.prompt, names.screenshot, names.exit,
        names.theme, names.size, names.help, names.version});
}

QSize parseSize(const QString& text)
{
    const QStringList parts = text.split(u'x');
    bool okWidth = false;
    bool okHeight = false;
    const int width = parts.value(0).toInt(&okWidth);
    const int height = parts.value(1).toInt(&okHeight);
    const bool usable =
        parts.size() == 2 && okWidth && okHeight && width >= 320 && height >= 240 && width <= 16384 && height <= 16384;
    return usable ? QSize(width, height) : QSize();
}

} // namespace

Options parseOptions(const QStringList& arguments)
{
    QCommandLineParser parser;
    const Names names;
    addTo(parser, names);
    Options options;
    if (!parser.parse(arguments)) {
        options.problem = parser.errorText();
        return options;
    }
    options.help = parser.isSet(names.help);
    options.version = parser.isSet(names.version);
    options.model = parser.value(names.model);
    options.language = parser.value(names.language);
    options.dataDirectory = parser.value(names.dataDirectory);
    options.prompt = parser.value(names.prompt);
    options.screenshot = parser.value(names.screenshot);
    options.exit = parser.isSet(names.exit);
    if (!parser.positionalArguments().isEmpty()) {
        options.problem = QStringLiteral("Unexpected argument “%1”; a model is given with --model.")
                              .arg(parser.positionalArguments().first());
    }
    if (parser.isSet(names.language) && options.language != QLatin1String("ko")
        && options.language != QLatin1String("en")) {
        options.problem = QStringLiteral("--language takes ko or en, not “%1”.").arg(options.language);
    }
    if (parser.isSet(names.theme)) {
        const QString theme = parser.value(names.theme);
        if (theme == QLatin1String("light")) {
            options.theme = Theme::Mode::Light;
        } else if (theme == QLatin1String("dark")) {
            options.theme = Theme::Mode::Dark;
        } else if (theme == QLatin1String("system")) {
            options.theme = Theme::Mode::System;
        } else {
            options.problem = QStringLiteral("--theme takes light, dark or system, not “%1”.").arg(theme);
        }
    }
    if (parser.isSet(names.size)) {
        options.size = parseSize(parser.value(names.size));
        if (!options.size.isValid()) {
            options.problem = QStringLiteral("--size takes a width and a height such as 1280x800, not “%1”.")
                                  .arg(parser.value(names.size));
        }
    }
    if (parser.isSet(names.screenshot) && !options.screenshot.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
        options.problem =
            QStringLiteral("--screenshot takes a file name that ends in .png, not “%1”.").arg(options.screenshot);
    }
    for (const auto& option : {names.model, names.dataDirectory, names.prompt}) {
        if (parser.isSet(option) && parser.value(option).isEmpty()) {
            options.problem = QStringLiteral("--%1 needs a value.").arg(option.names().first());
        }
    }
    return options;
}

QString optionsHelp()
{
    QCommandLineParser parser;
    addTo(parser, Names());
    return parser.helpText();
}

} // namespace kvasir
