#include "settings/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace kvasir {

Language::~Language()
{
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
}

QString Language::systemCode()
{
    return QLocale::system().language() == QLocale::Korean ? QStringLiteral("ko") : QStringLiteral("en");
}

QList<std::pair<QString, QString>> Language::available()
{
    return {{QStringLiteral("ko"), QStringLiteral("한국어")}, {QStringLiteral("en"), QStringLiteral("English")}};
}

void Language::set(const QString& code)
{
    const QString chosen = code.isEmpty() ? systemCode() : code;
    if (chosen == m_code) {
        return;
    }
    m_code = chosen;
    // First the locale: what hears of the new language formats numbers with it.
    QLocale::setDefault(chosen == QLatin1String("ko") ? QLocale(QLocale::Korean, QLocale::SouthKorea)
                                                      : QLocale(QLocale::English, QLocale::UnitedStates));
    QCoreApplication::removeTranslator(&m_qt);
    QCoreApplication::removeTranslator(&m_own);
    if (m_qt.load(QStringLiteral("qtbase_") + chosen, QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(&m_qt);
    }
    // English needs its file too: it holds the plural forms.
    if (m_own.load(QStringLiteral(":/i18n/kvasir_") + chosen)) {
        QCoreApplication::installTranslator(&m_own);
    }
}

} // namespace kvasir
