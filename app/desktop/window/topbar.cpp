#include "window/topbar.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "engine/adapters.h"
#include "settings/modelpaths.h"
#include "settings/settings.h"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

namespace kvasir {

namespace {

// Longer names are cut in their middle: a window must not grow for them.
constexpr int kNameWidth = 320;
constexpr int kLoadingWidth = 240;

} // namespace

TopBar::TopBar(const Settings& settings, QWidget* parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_menu(new QMenu(this))
    , m_name(new QToolButton(this))
    , m_device(new QLabel(this))
    , m_loadingText(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QPushButton(this))
{
    m_name->setObjectName(QStringLiteral("modelButton"));
    m_name->setPopupMode(QToolButton::InstantPopup);
    m_name->setMenu(m_menu);
    m_name->setAutoRaise(true);
    m_name->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_device->setForegroundRole(QPalette::PlaceholderText);
    m_progress->setObjectName(QStringLiteral("loadProgress"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(Fonts::px(6));
    m_progress->setMaximumWidth(Fonts::px(220));
    m_cancel->setObjectName(QStringLiteral("cancelLoad"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 8, 16, 8);
    layout->setSpacing(8);
    layout->addWidget(m_name);
    layout->addWidget(m_device);
    layout->addStretch(1);
    layout->addWidget(m_loadingText);
    layout->addWidget(m_progress, 1);
    layout->addWidget(m_cancel);
    connect(m_menu, &QMenu::aboutToShow, this, &TopBar::fillMenu);
    connect(m_cancel, &QPushButton::clicked, this, &TopBar::cancelRequested);
    setLoading({});
}

void TopBar::setOpenAction(QAction* action)
{
    m_open = action;
}

void TopBar::setModel(const std::optional<ModelInfo>& model)
{
    m_model = model ? std::make_unique<ModelInfo>(*model) : nullptr;
    retranslate();
}

void TopBar::setLoading(const QString& path)
{
    m_loading = path;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_loadingText, m_progress, m_cancel}) {
        widget->setVisible(isLoading());
    }
    m_progress->setValue(0);
    retranslate();
}

void TopBar::setProgress(double fraction)
{
    m_progress->setValue(static_cast<int>(fraction * 1000));
    m_progress->setAccessibleDescription(NumberFormat::percent(fraction));
}

void TopBar::openMenu()
{
    m_name->showMenu();
}

void TopBar::fillMenu()
{
    m_menu->clear();
    if (m_open) {
        m_menu->addAction(m_open);
    }
    const QStringList recent = m_settings.recentModels();
    QStringList others = m_settings.modelsInFolder();
    for (const QString& path : recent) {
        others.removeAll(path);
    }
    addModels(tr("Recent models"), recent);
    addModels(tr("In the model folder"), others);
}

void TopBar::addModels(const QString& title, const QStringList& paths)
{
    if (paths.isEmpty()) {
        return;
    }
    m_menu->addSection(title);
    for (const QString& path : paths) {
        const QFileInfo file(path);
        QAction* action = m_menu->addAction(QStringLiteral("%1\t%2").arg(
            file.fileName().replace(u'&', QLatin1String("&&")), NumberFormat::bytes(static_cast<double>(modelBytes(path)))));
        action->setToolTip(path);
        action->setCheckable(true);
        action->setChecked(m_model && m_model->path == path);
        connect(action, &QAction::triggered, this, [this, path] { emit modelChosen(path); });
    }
}

void TopBar::retranslate()
{
    QFont bold = Fonts::font(Fonts::Role::Chat);
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    const QString name = m_model ? Adapters::modelName(*m_model) : isLoading() ? tr("Opening a model") : tr("No model");
    QString shown = QFontMetrics(bold).elidedText(name, Qt::ElideMiddle, Fonts::px(kNameWidth));
    m_name->setText(shown.replace(u'&', QLatin1String("&&")) + QStringLiteral("  ▾"));
    m_name->setToolTip((m_model ? Adapters::modelTooltip(*m_model) + u'\n' : QString())
        + tr("Click to choose another model (Ctrl+M)"));
    m_name->setAccessibleName(tr("Model: %1").arg(name));
    QString device;
    if (m_model) {
        device = QString::fromStdString(m_model->summary.weightsName);
        device += (device.isEmpty() ? QString() : QStringLiteral(" · ")) + Adapters::deviceLabel(m_model->summary);
    }
    m_device->setText(device);
    const QString loading = tr("Loading %1").arg(QFileInfo(m_loading).fileName());
    m_loadingText->setText(m_loadingText->fontMetrics().elidedText(loading, Qt::ElideMiddle, Fonts::px(kLoadingWidth)));
    m_loadingText->setToolTip(m_loading);
    m_progress->setAccessibleName(loading);
    m_cancel->setText(tr("Cancel"));
}

void TopBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

void TopBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::current().background);
    painter.fillRect(0, height() - 1, width(), 1, Theme::current().hairline);
}

} // namespace kvasir
