#pragma once

#include "base/result.h"

#include <QCoreApplication>
#include <QString>

namespace kvasir {

/// The one place where error codes become sentences in the user's language: what happened, why, and what to do.
class ErrorText {
    Q_DECLARE_TR_FUNCTIONS(ErrorText)

public:
    static QString loadFailed(const QString& path, const Error& error);
    static QString replyFailed(const Error& error);
    /// Conversations cannot be kept in their file.
    static QString storeFailed(const Error& error);
    static QString limitsFailed(const Error& error);
    /// Why alone, as one sentence.
    static QString cause(const Error& error);
};

} // namespace kvasir
