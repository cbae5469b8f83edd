#include "window/autorun.h"

#include "chat/chatview.h"
#include "window/chatpage.h"
#include "window/chatsession.h"
#include "window/dashboard.h"
#include "window/mainwindow.h"
#include "window/topbar.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>

#include <cstdio>

namespace kvasir {

namespace {

// Plots are drawn at most 30 times a second and rescale twice a second at most: by then they show the end.
constexpr int kSettleMilliseconds = 900;
constexpr int kLimitsMilliseconds = 8000;

} // namespace

bool AutoRun::isWanted(const Options& options)
{
    return !options.prompt.isEmpty() || !options.screenshot.isEmpty() || options.exit;
}

AutoRun::AutoRun(MainWindow& window, const Options& options)
    : QObject(&window)
    , m_window(window)
    , m_options(options)
{
    connect(&window, &MainWindow::modelReady, this, &AutoRun::ask);
    connect(&window, &MainWindow::modelFailed, this, &AutoRun::fail);
    connect(&window.session(), &ChatSession::replyEnded, this, [this](qint64 message) {
        const Message& reply = m_window.session().tree().message(message);
        if (m_asked && reply.state == MessageState::Failed) {
            fail(m_window.session().shownMessage(message).notice);
        } else if (m_asked) {
            settle();
        }
    });
    // No model at all: nothing is being loaded once the window has started.
    connect(&window, &MainWindow::storeReady, this, [this] {
        if (!m_window.topBar()->isLoading() && !m_window.session().model()) {
            m_options.prompt.isEmpty() ? settle() : fail(QStringLiteral("there is no model to ask"));
        }
    });
}

void AutoRun::ask()
{
    if (m_options.prompt.isEmpty()) {
        settle();
    } else if (!m_asked) {
        m_asked = true;
        m_window.session().send(m_options.prompt);
    }
}

void AutoRun::fail(const QString& reason)
{
    std::fprintf(stderr, "kvasir: %s\n", qPrintable(reason));
    m_code = 1;
    settle();
}

void AutoRun::settle()
{
    if (m_ended) {
        return;
    }
    m_ended = true;
    // A picture without the gauges tells half the story: the limits of this machine are measured once, for a second.
    Dashboard* dashboard = m_window.dashboard();
    if (m_options.screenshot.isEmpty() || !m_window.session().model() || dashboard->limitsAreSettled()) {
        waitForPlots();
        return;
    }
    connect(dashboard, &Dashboard::limitsSettled, this, &AutoRun::waitForPlots);
    QTimer::singleShot(kLimitsMilliseconds, this, &AutoRun::waitForPlots);
    dashboard->measureLimits();
}

void AutoRun::waitForPlots()
{
    if (!m_drawing) {
        m_drawing = true;
        QTimer::singleShot(kSettleMilliseconds, this, &AutoRun::finish);
    }
}

void AutoRun::finish()
{
    if (!m_options.screenshot.isEmpty()) {
        m_window.chatPage()->view()->flush();
        if (!m_window.grab().save(m_options.screenshot, "PNG")) {
            std::fprintf(stderr, "kvasir: cannot write the picture to %s\n", qPrintable(m_options.screenshot));
            m_code = 1;
        }
    }
    if (m_options.exit) {
        QCoreApplication::exit(m_code);
    }
}

} // namespace kvasir
