#include "window/windowstyle.h"

#include "base/fonts.h"
#include "base/theme.h"

#include <QStringList>

namespace kvasir {

namespace {

/// One rule for a kind of control in several places.
QString inPlaces(const QStringList& places, const QString& selector, const QString& rules)
{
    QStringList selectors;
    for (const QString& place : places) {
        selectors << place + u' ' + selector;
    }
    return selectors.join(QStringLiteral(", ")) + QStringLiteral(" { %1 }\n").arg(rules);
}

} // namespace

QString windowStyleSheet()
{
    const Theme& theme = Theme::current();
    const QStringList places{QStringLiteral("kvasir--Sidebar"), QStringLiteral("kvasir--NoticeBar"),
        QStringLiteral("kvasir--TopBar"), QStringLiteral("kvasir--WelcomePage"), QStringLiteral("kvasir--FindBar"),
        QStringLiteral("kvasir--ChatPage > QWidget"), QStringLiteral("QDialog")};
    const QString field = theme.field.name();
    const QString line = theme.hairline.name();
    const QString accent = theme.accent.name();
    const QString padding = QStringLiteral("%1px %2px").arg(Fonts::px(5)).arg(Fonts::px(10));
    QString sheet;
    sheet += inPlaces(places, QStringLiteral("QPushButton"),
        QStringLiteral("background: %1; border: 1px solid %2; border-radius: 6px; padding: %3; color: %4;")
            .arg(field, line, padding, theme.text.name()));
    sheet += inPlaces(
        places, QStringLiteral("QPushButton:hover"), QStringLiteral("background: %1;").arg(theme.hover.name()));
    sheet += inPlaces(
        places, QStringLiteral("QPushButton:pressed"), QStringLiteral("background: %1;").arg(theme.userTint.name()));
    sheet += inPlaces(places, QStringLiteral("QPushButton:default"), QStringLiteral("border-color: %1;").arg(accent));
    sheet += inPlaces(places, QStringLiteral("QPushButton:focus"), QStringLiteral("border-color: %1;").arg(accent));
    sheet +=
        inPlaces(places, QStringLiteral("QPushButton:disabled"), QStringLiteral("color: %1;").arg(theme.muted.name()));
    sheet += inPlaces(places, QStringLiteral("QPushButton[flat=\"true\"]"),
        QStringLiteral("background: transparent; border-color: transparent; text-align: left;"));
    sheet += inPlaces(places, QStringLiteral("QPushButton[flat=\"true\"]:hover"),
        QStringLiteral("background: %1;").arg(theme.hover.name()));
    sheet += inPlaces(
        places, QStringLiteral("QPushButton[flat=\"true\"]:focus"), QStringLiteral("border-color: %1;").arg(accent));
    sheet += inPlaces({QStringLiteral("kvasir--Sidebar"), QStringLiteral("kvasir--FindBar"), QStringLiteral("QDialog")},
        QStringLiteral("QLineEdit"),
        QStringLiteral("background: %1; border: 1px solid %2; border-radius: 6px; padding: %3; color: %4;")
            .arg(field, line, padding, theme.text.name()));
    sheet += inPlaces({QStringLiteral("kvasir--Sidebar"), QStringLiteral("kvasir--FindBar"), QStringLiteral("QDialog")},
        QStringLiteral("QLineEdit:focus"), QStringLiteral("border-color: %1;").arg(accent));
    // Inside another control the frame is that one's.
    sheet += QStringLiteral(
        "QDialog QAbstractSpinBox QLineEdit, QDialog QComboBox QLineEdit { border: none; padding: 0; }\n");
    sheet += QStringLiteral("QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }\n");
    sheet += QStringLiteral("kvasir--Sidebar QListView { background: transparent; border: none; }\n");
    sheet += QStringLiteral(
        "kvasir--TopBar QToolButton { border: 1px solid transparent; border-radius: 6px; padding: %1; }\n"
        "kvasir--TopBar QToolButton:hover { background: %2; }\n"
        "kvasir--TopBar QToolButton:focus { border-color: %3; }\n"
        "kvasir--TopBar QToolButton::menu-indicator { image: none; width: 0; }\n")
                 .arg(padding, theme.hover.name(), accent);
    sheet += QStringLiteral("kvasir--TopBar QProgressBar { background: %1; border: none; border-radius: 3px; }\n"
                            "kvasir--TopBar QProgressBar::chunk { background: %2; border-radius: 3px; }\n")
                 .arg(line, theme.color(Meaning::Weights).name());
    sheet +=
        QStringLiteral("kvasir--DockTitle QToolButton { border: none; border-radius: 4px; background: transparent; }\n"
                       "kvasir--DockTitle QToolButton:hover { background: %1; }\n"
                       "kvasir--DockTitle QToolButton:focus { border: 1px solid %2; }\n")
            .arg(theme.hover.name(), accent);
    sheet += QStringLiteral(
        "QStatusBar { background: %1; border-top: 1px solid %2; }\n"
        "QStatusBar::item { border: none; }\n"
        "QStatusBar QLabel { color: %3; padding: 0 %4px; }\n"
        "QStatusBar QToolButton { color: %3; border: 1px solid transparent; border-radius: 4px; padding: 1px %4px; }\n"
        "QStatusBar QToolButton:hover { background: %5; }\n"
        "QStatusBar QToolButton:focus { border-color: %6; }\n")
                 .arg(theme.panel.name(), line, theme.muted.name())
                 .arg(Fonts::px(8))
                 .arg(theme.hover.name(), accent);
    sheet +=
        QStringLiteral("QMenuBar { background: %1; border-bottom: 1px solid %2; }\n").arg(theme.panel.name(), line);
    return sheet;
}

} // namespace kvasir
