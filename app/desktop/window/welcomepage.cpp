#include "window/welcomepage.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "settings/modelpaths.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kvasir {

namespace {

constexpr int kMaxWidth = 520;
constexpr int kMaxModels = 6;

} // namespace

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_text(new QLabel(this))
    , m_listTitle(new QLabel(this))
    , m_open(new QPushButton(this))
    , m_list(new QVBoxLayout)
{
    setObjectName(QStringLiteral("welcomePage"));
    m_open->setObjectName(QStringLiteral("openModelButton"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_listTitle->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout;
    column->setSpacing(16);
    column->addStretch(2);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    column->addWidget(m_listTitle);
    column->addLayout(m_list);
    column->addStretch(3);
    m_list->setSpacing(4);
    auto* frame = new QWidget(this);
    frame->setLayout(column);
    frame->setMaximumWidth(Fonts::px(kMaxWidth));
    auto* layout = new QHBoxLayout(this);
    layout->addStretch(1);
    layout->addWidget(frame, 100);
    layout->addStretch(1);
    setFocusProxy(m_open);
    connect(m_open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    retranslate();
}

void WelcomePage::setModels(const QStringList& paths, const QString& folder)
{
    m_paths = paths.mid(0, kMaxModels);
    m_folder = folder;
    qDeleteAll(m_models);
    m_models.clear();
    for (const QString& path : std::as_const(m_paths)) {
        auto* button = new QPushButton(this);
        const QFileInfo file(path);
        button->setText(QStringLiteral("%1   %2").arg(
            file.fileName().replace(u'&', QLatin1String("&&")), NumberFormat::bytes(static_cast<double>(modelBytes(path)))));
        button->setToolTip(path);
        button->setFlat(true);
        m_list->addWidget(button);
        m_models << button;
        connect(button, &QPushButton::clicked, this, [this, path] { emit modelChosen(path); });
    }
    retranslate();
}

void WelcomePage::setLoading(bool loading)
{
    m_isLoading = loading;
    retranslate();
}

void WelcomePage::retranslate()
{
    QFont font = Fonts::font(Fonts::Role::Chat);
    font.setPixelSize(font.pixelSize() * 3 / 2);
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    m_text->setFont(Fonts::font(Fonts::Role::Chat));
    m_title->setText(m_isLoading ? tr("The model is being loaded") : tr("Open a model to begin"));
    m_text->setText(m_isLoading
            ? tr("Its weights are read and put into the order that this processor reads fastest. You can look around "
                 "meanwhile; conversations are on the left.")
            : tr("Kvasir runs a language model on this computer and shows where its time and memory go. It needs a "
                 "model in a GGUF file.\n\nDrop such a file on this window, choose one with the button, or put it "
                 "into the model folder:\n%1")
                  .arg(QDir::toNativeSeparators(m_folder)));
    m_open->setText(tr("Open a model file…  Ctrl+O"));
    m_open->setVisible(!m_isLoading);
    m_listTitle->setText(tr("In the model folder"));
    m_listTitle->setVisible(!m_paths.isEmpty() && !m_isLoading);
    for (QPushButton* button : std::as_const(m_models)) {
        button->setVisible(!m_isLoading);
    }
}

void WelcomePage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

} // namespace kvasir
