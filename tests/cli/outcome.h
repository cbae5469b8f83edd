#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>

namespace kvasir::testing {

/// What a program printed, and how it ended.
struct Outcome {
    int code = -1; ///< -1: crashed or did not end
    QByteArray out;
    QByteArray error;

    const QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    /// What the contract asks of every failure: one line on standard error that says who complains.
    bool isOneComplaint() const
    {
        return error.startsWith("kvasir-cli: ") && error.count('\n') == 1 && error.endsWith('\n') && error.size() > 15;
    }
};

inline Outcome runProgram(const QString& program, const QStringList& arguments, const QByteArray& input = {},
    const QProcessEnvironment& variables = QProcessEnvironment::systemEnvironment(), int seconds = 60)
{
    QProcess process;
    process.setProcessEnvironment(variables);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    Outcome outcome;
    const bool ended = process.waitForFinished(seconds * 1000);
    outcome.out = process.readAllStandardOutput();
    outcome.error = process.readAllStandardError();
    if (ended && process.exitStatus() == QProcess::NormalExit) {
        outcome.code = process.exitCode();
    }
    return outcome;
}

} // namespace kvasir::testing
