#pragma once

#include <QMutex>
#include <QRegularExpression>
#include <QStringList>
#include <QtGlobal>

namespace kvasir::testing {

/// Records Qt's warnings while it lives; a test that expects none asks take(). Threads may warn too.
class WarningLog {
public:
    WarningLog()
    {
        s_log = this;
        m_previous = qInstallMessageHandler(record);
    }
    ~WarningLog()
    {
        qInstallMessageHandler(m_previous);
        s_log = nullptr;
    }

    QString take()
    {
        const QMutexLocker lock(&m_mutex);
        return std::exchange(m_warnings, {}).join(u'\n');
    }

private:
    static void record(QtMsgType type, const QMessageLogContext& context, const QString& message)
    {
        // What platforms say about themselves is no fault of ours.
        static const QRegularExpression noise(
            QStringLiteral("propagateSizeHints|XDG_RUNTIME_DIR|QStandardPaths: runtime|xcb|libGL|QXcb|dbus|D-Bus"));
        if ((type == QtWarningMsg || type == QtCriticalMsg) && !noise.match(message).hasMatch()) {
            const QMutexLocker lock(&s_log->m_mutex);
            s_log->m_warnings << message;
        }
        s_log->m_previous(type, context, message);
    }

    inline static WarningLog* s_log = nullptr;
    QtMessageHandler m_previous = nullptr;
    QMutex m_mutex;
    QStringList m_warnings;
};

} // namespace kvasir::testing
