#pragma once

#include "settings/options.h"

#include <QObject>

namespace kvasir {

class MainWindow;

/// Drives the window for `--prompt`, `--screenshot` and `--exit`: waits for the model, asks, waits for the reply, takes
/// the picture, and ends the program with 0, or with 1 and a reason where a step failed.
class AutoRun : public QObject {
    Q_OBJECT

public:
    AutoRun(MainWindow& window, const Options& options);

    static bool isWanted(const Options& options);

private:
    void ask();
    void settle();
    void waitForPlots();
    void finish();
    void fail(const QString& reason);

    MainWindow& m_window;
    Options m_options;
    bool m_asked = false;
    bool m_ended = false;
    bool m_drawing = false;
    int m_code = 0;
};

} // namespace kvasir
