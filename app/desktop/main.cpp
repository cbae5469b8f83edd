#include "base/fonts.h"
#include "base/theme.h"
#include "settings/language.h"
#include "settings/options.h"
#include "settings/settings.h"
#include "window/autorun.h"
#include "window/mainwindow.h"

#include <QApplication>
#include <QIcon>
#include <QTimer>

#include <cstdio>
#include <cstdlib>

using namespace kvasir;

namespace {

/// Qt ends the program with an abort where there is no display; a sentence and a way on are of more use.
void reportMissingDisplay(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    if (type == QtFatalMsg) {
        std::fprintf(stderr,
            "kvasir: there is no display to open a window on. Set DISPLAY or WAYLAND_DISPLAY, or chat in the terminal "
            "with: kvasir-cli chat\n");
        std::_Exit(1);
    }
    // Why the platform failed is a hint on the way there, and noise in front of the sentence.
    if (type == QtCriticalMsg) {
        std::fprintf(stderr, "%s\n", qPrintable(message));
    }
}

QStringList argumentsOf(int argc, char* argv[])
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
    }
    return arguments;
}

} // namespace

int main(int argc, char* argv[])
{
    // Before the application exists: --help and mistakes need no display.
    const Options options = parseOptions(argumentsOf(argc, argv));
    if (!options.problem.isEmpty()) {
        std::fprintf(stderr, "kvasir: %s See kvasir --help.\n", qPrintable(options.problem));
        return 2;
    }
    if (options.help) {
        std::printf("%s", qPrintable(optionsHelp()));
        return 0;
    }
    if (options.version) {
        std::printf("kvasir %s\n", KVASIR_VERSION);
        return 0;
    }

    const QtMessageHandler handler = qInstallMessageHandler(reportMissingDisplay);
    QApplication app(argc, argv);
    qInstallMessageHandler(handler);
    QApplication::setApplicationName(QStringLiteral("kvasir"));
    QApplication::setApplicationDisplayName(QStringLiteral("Kvasir"));
    QApplication::setApplicationVersion(QStringLiteral(KVASIR_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("kvasir"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/kvasir.svg")));

    Settings settings(Paths::standard(options.dataDirectory));
    Language language;
    language.set(options.language.isEmpty() ? settings.language() : options.language);
    Fonts::setScale(settings.fontScale());
    Theme::setMode(options.theme.value_or(settings.theme()));

    MainWindow window(settings, language);
    if (options.size.isValid()) {
        window.resize(options.size);
    }
    if (AutoRun::isWanted(options)) {
        new AutoRun(window, options);
    }
    window.show();
    // First the window, then what takes time.
    QTimer::singleShot(0, &window, [&] { window.start(options.model); });
    return QApplication::exec();
}
