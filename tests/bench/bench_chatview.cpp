// Frame times of the chat view: a conversation of many messages, then a reply that streams in.
//   bench_chatview [--messages 500] [--chars 200000] [--rate 200] [--seconds 10] [--kind mixed|prose|code|table|list]
// "flush" is text, parse and layout, "paint" the repaint of the window; both on the GUI thread, in milliseconds.

#include "base/theme.h"
#include "chat/chatview.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QMainWindow>
#include <QScrollBar>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

using namespace kvasir;

namespace {

double threadCpuMs()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

struct Samples {
    std::vector<double> values;

    void print(const char* name)
    {
        if (values.empty())
            return;
        std::sort(values.begin(), values.end());
        const auto at = [this](double q) {
            return values[std::min(values.size() - 1, size_t(q * double(values.size())))];
        };
        std::printf("%-12s n %4zu   p50 %6.2f   p95 %6.2f   p99 %6.2f   max %6.2f ms\n", name, values.size(), at(0.5),
            at(0.95), at(0.99), values.back());
    }
};

// Times what the event loop spends on the view: timer events flush, UpdateRequest paints.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        const QEvent::Type type = event->type();
        const bool isFlush = type == QEvent::Timer && receiver == view;
        if (!isRecording || (!isFlush && type != QEvent::UpdateRequest))
            return QApplication::notify(receiver, event);
        QElapsedTimer timer;
        timer.start();
        const bool result = QApplication::notify(receiver, event);
        (isFlush ? flush : paint).values.push_back(double(timer.nsecsElapsed()) / 1e6);
        return result;
    }

    QObject* view = nullptr;
    bool isRecording = false;
    Samples flush, paint;
};

QString partOf(const QString& kind, int i)
{
    static const QString prose =
        QStringLiteral("Plain prose with **bold** and `code` that wraps over several lines of the "
                       "column, as most answers of a language model do. ");
    static const QStringList mixed{prose,
        QString::fromUtf8(
            "\n\n### 제목: 한국어 문단\n\n이 문단은 한국어로 작성되었으며 글꼴 대체를 시험합니다. 이모지 😀🚀. "),
        "\n\n- first item with text\n- second item `code`\n- third item\n\n",
        "\n\n```python\ndef f(x):\n    # comment\n    return [i * i for i in range(x)]\n\nprint(f(10))\n```\n\n",
        "\n\n| name | value |\n|---|---|\n| alpha | 1 |\n| beta | 2 |\n\n", prose};
    if (kind == QLatin1String("prose"))
        return prose; // one endless paragraph
    if (kind == QLatin1String("code"))
        return i == 0 ? QStringLiteral("```cpp\n")
                      : QStringLiteral("    int value%1 = compute(%1, \"text\"); // why\n").arg(i);
    if (kind == QLatin1String("table"))
        return i == 0 ? QStringLiteral("| a | b | c |\n|---|---|---|\n")
                      : QStringLiteral("| row %1 | some words | 1,234 |\n").arg(i);
    if (kind == QLatin1String("list"))
        return QStringLiteral("- item %1 with a few words\n").arg(i);
    return mixed[i % mixed.size()];
}

QString textOf(const QString& kind, int first, int length)
{
    QString text;
    for (int i = first; text.size() < length; ++i)
        text += partOf(kind, i);
    return text;
}

void processFor(int ms)
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < ms)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
}

double timeOf(const std::function<void()>& work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return double(timer.nsecsElapsed()) / 1e6;
}

// The worker's clock: tokens leave at their own time, whatever the GUI does.
class TokenSource : public QThread {
public:
    TokenSource(int rate, int seconds)
        : m_rate(rate)
        , m_count(rate * seconds)
    {
    }

    std::function<void()> onToken;

protected:
    void run() override
    {
        auto next = std::chrono::steady_clock::now();
        for (int i = 0; i < m_count; ++i) {
            next += std::chrono::microseconds(1000000 / m_rate);
            std::this_thread::sleep_until(next);
            onToken();
        }
    }

private:
    int m_rate, m_count;
};

} // namespace

int main(int argc, char** argv)
{
    TimedApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{"messages", "messages before the reply", "n", "500"},
        {"chars", "characters of those", "n", "200000"}, {"rate", "tokens a second, of 4 characters", "n", "200"},
        {"seconds", "length of the reply", "s", "10"}, {"kind", "mixed, prose, code, table or list", "kind", "mixed"}});
    parser.process(app);
    const int count = parser.value("messages").toInt(), chars = parser.value("chars").toInt();
    const int rate = parser.value("rate").toInt(), seconds = parser.value("seconds").toInt();
    const QString kind = parser.value("kind");
    Theme::setMode(Theme::Mode::Light);

    QList<ChatMessage> messages;
    for (int i = 0; i < count; ++i) {
        ChatMessage m;
        m.id = i;
        m.role = i % 2 ? ChatMessage::Role::Assistant : ChatMessage::Role::User;
        m.header = i % 2 ? "Model" : "You";
        m.text = textOf("mixed", i, chars / std::max(1, count));
        messages << m;
    }
    QMainWindow window;
    auto* view = new ChatView;
    app.view = view;
    window.setCentralWidget(view);
    window.resize(1280, 800);
    const double open = timeOf([&] {
        view->setMessages(messages);
        window.show();
        QCoreApplication::processEvents();
        view->grab();
    });
    const double idle = timeOf([&] {
        int before = -1;
        while (before != view->verticalScrollBar()->maximum()) {
            before = view->verticalScrollBar()->maximum();
            processFor(100);
        }
    });
    std::printf("platform %s, %d messages, %d characters; reply '%s' at %d tokens/s for %d s\n",
        qPrintable(QGuiApplication::platformName()), count, chars, qPrintable(kind), rate, seconds);
    std::printf("open to first picture %.1f ms, all heights exact after %.0f ms of idle slices\n", open, idle);

    ChatMessage reply;
    reply.id = count;
    reply.header = "Model";
    reply.state = ChatMessage::State::Streaming;
    view->appendMessage(reply);
    processFor(100);
    const QString text = textOf(kind, 0, rate * seconds * 4 + 8);
    int at = 0;
    Samples queued;
    QTimer footer;
    QObject::connect(&footer, &QTimer::timeout, view, [&] {
        view->setFooter(reply.id, {{QString("%1 tokens").arg(at / 4), "", "00,000 tokens"}});
    });
    footer.start(100);
    TokenSource source(rate, seconds);
    source.onToken = [&] {
        const auto sent = std::chrono::steady_clock::now();
        QMetaObject::invokeMethod(
            view,
            [&, sent] {
                const std::chrono::duration<double, std::milli> wait = std::chrono::steady_clock::now() - sent;
                queued.values.push_back(wait.count());
                view->appendText(reply.id, text.mid(at, 4));
                at += 4;
            },
            Qt::QueuedConnection);
    };
    app.isRecording = true;
    QEventLoop loop;
    QObject::connect(&source, &QThread::finished, &loop, &QEventLoop::quit);
    const double cpu = threadCpuMs();
    QElapsedTimer wall;
    wall.start();
    source.start();
    loop.exec();
    processFor(50);
    const double share = (threadCpuMs() - cpu) / double(wall.elapsed()) * 100;
    app.isRecording = false;
    footer.stop();
    if (view->message(reply.id)->text != text.left(at) || at != rate * seconds * 4) {
        std::fprintf(stderr, "the view lost text\n");
        return 1;
    }
    app.flush.print("flush");
    app.paint.print("paint");
    queued.print("token queue");
    std::printf("GUI thread %.1f %% of one core\n", share);

    view->setState(reply.id, ChatMessage::State::Done);
    Samples resize, jump, wheel;
    for (int width : {1000, 700, 900, 600, 1280}) {
        resize.values.push_back(timeOf([&] {
            window.resize(width, 800);
            QCoreApplication::sendPostedEvents();
            view->grab();
        }));
        processFor(30);
    }
    QScrollBar* bar = view->verticalScrollBar();
    const auto scrollTo = [&](int value) {
        return timeOf([&] {
            bar->setValue(value);
            QCoreApplication::processEvents();
        });
    };
    for (int k = 0; k < 40; ++k)
        jump.values.push_back(scrollTo(int(double(bar->maximum()) * k / 40)));
    for (int k = 0; k < 60; ++k)
        wheel.values.push_back(scrollTo(bar->value() - 66));
    resize.print("resize");
    jump.print("jump");
    wheel.print("wheel");
    return 0;
}
