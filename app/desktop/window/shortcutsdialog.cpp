#include "window/shortcutsdialog.h"

#include "base/fonts.h"
#include "window/actions.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHeaderView>
#include <QRegularExpression>
#include <QTableWidget>
#include <QVBoxLayout>

namespace kvasir {

namespace {

QString withoutMnemonic(const QAction* action)
{
    // "Open…", but in Korean "열기(O)…", where the letter has no place in the word.
    static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)|&|…"));
    return action->text().remove(mnemonic);
}

QString keysOf(const QAction* action)
{
    QStringList keys;
    for (const QKeySequence& sequence : action->shortcuts()) {
        keys << sequence.toString(QKeySequence::NativeText);
    }
    return keys.join(QStringLiteral(", "));
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const Actions& actions, QWidget* parent)
    : QDialog(parent)
    , m_actions(actions)
    , m_table(new QTableWidget(0, 2, this))
{
    setObjectName(QStringLiteral("shortcutsDialog"));
    m_table->horizontalHeader()->hide();
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(Fonts::px(24));
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFocusPolicy(Qt::StrongFocus);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_table, 1);
    layout->addWidget(buttons);
    fill();
    resize(Fonts::px(480), Fonts::px(620));
}

void ShortcutsDialog::addHeading(const QString& title)
{
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    auto* item = new QTableWidgetItem(title);
    QFont bold = Fonts::font(Fonts::Role::Interface);
    bold.setWeight(QFont::DemiBold);
    item->setFont(bold);
    m_table->setItem(row, 0, item);
    m_table->setItem(row, 1, new QTableWidgetItem);
}

void ShortcutsDialog::addLine(const QString& what, const QString& keys)
{
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    m_table->setItem(row, 0, new QTableWidgetItem(QStringLiteral("   ") + what));
    m_table->setItem(row, 1, new QTableWidgetItem(keys));
}

void ShortcutsDialog::fill()
{
    setWindowTitle(tr("Keys"));
    m_table->setAccessibleName(windowTitle());
    m_table->setRowCount(0);
    for (const Actions::Group& group : m_actions.groups()) {
        addHeading(group.title);
        for (const QAction* action : group.actions) {
            addLine(withoutMnemonic(action), keysOf(action));
        }
    }
    addHeading(tr("Writing"));
    addLine(tr("Send the message"), tr("Enter"));
    addLine(tr("New line"), tr("Shift+Enter"));
    addHeading(tr("Plots"));
    addLine(tr("Token before, token after"), tr("Left, Right"));
    addLine(tr("Zoom time; zoom height"), tr("Wheel; Ctrl+Wheel"));
    addLine(tr("Whole reply again, followed"), tr("Home, double click"));
    addLine(tr("Near now, or the whole context"), QStringLiteral("W"));
    m_table->setCurrentItem(nullptr);
}

void ShortcutsDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        fill();
    }
    QDialog::changeEvent(event);
}

} // namespace kvasir
