#pragma once

#include <QStringList>
#include <QTranslator>

namespace kvasir {

/// The program's language: our translations, Qt's own, and the locale that numbers and dates follow. Windows hear of a
/// switch through QEvent::LanguageChange. GUI thread; one object, made after the application.
class Language {
public:
    Language() = default;
    ~Language();

    /// "ko" or "en"; empty: Korean where the system is Korean, else English.
    void set(const QString& code);
    QString current() const { return m_code; }

    static QString systemCode();
    /// Codes with their names in their own language.
    static QList<std::pair<QString, QString>> available();

private:
    QString m_code;
    QTranslator m_own;
    QTranslator m_qt;
};

} // namespace kvasir
