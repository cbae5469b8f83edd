// Pictures, tables and the right-click menu of a panel.

#include "base/theme.h"
#include "plots/plotpanel.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSaveFile>
#include <QStandardPaths>
#include <QSvgGenerator>

namespace kvasir {

QImage PlotPanel::picture(qreal scale)
{
    if (m_dirty) {
        runRefresh();
    }
    QImage image((QSizeF(size()) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::current().panel);
    paintPicture(&image, scale);
    return image;
}

bool PlotPanel::save(const QString& path, QString* reason)
{
    QSaveFile file(path);
    bool written = file.open(QIODevice::WriteOnly);
    if (written && path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        const QByteArray bytes = csv().toUtf8();
        written = file.write(bytes) == bytes.size();
    } else if (written && path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        if (m_dirty) {
            runRefresh();
        }
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        svg.setSize(size());
        svg.setViewBox(rect());
        svg.setTitle(question());
        svg.setDescription(summary());
        paintPicture(&svg, 1);
    } else if (written) {
        written = picture().save(&file, "PNG");
    }
    written = written && file.commit();
    if (!written && reason) {
        *reason = file.errorString();
    }
    return written;
}

void PlotPanel::copyPicture()
{
    QApplication::clipboard()->setImage(picture());
}

void PlotPanel::copyCsv() const
{
    auto* mime = new QMimeData;
    mime->setText(csv());
    mime->setData(QStringLiteral("text/csv"), csv().toUtf8());
    QApplication::clipboard()->setMimeData(mime);
}

void PlotPanel::askWhereToSave(const QString& suffix)
{
    auto* dialog =
        new QFileDialog(this, tr("Save picture"), QStandardPaths::writableLocation(QStandardPaths::PicturesLocation),
            suffix == QLatin1String("svg") ? tr("SVG picture (*.svg)") : tr("PNG picture (*.png)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        QString reason;
        if (!save(path, &reason)) {
            auto* box = new QMessageBox(QMessageBox::Warning, tr("Picture not saved"),
                tr("%1 could not be written: %2. Choose another folder or free some space.").arg(path, reason),
                QMessageBox::Ok, this);
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->open();
        }
    });
    dialog->open();
}

QMenu* PlotPanel::createMenu()
{
    auto* menu = new QMenu(this);
    extendMenu(menu);
    menu->addAction(tr("Copy picture"), this, &PlotPanel::copyPicture);
    menu->addAction(tr("Save as PNG…"), this, [this] { askWhereToSave(QStringLiteral("png")); });
    menu->addAction(tr("Save as SVG…"), this, [this] { askWhereToSave(QStringLiteral("svg")); });
    menu->addAction(tr("Copy data as CSV"), this, &PlotPanel::copyCsv);
    menu->addAction(tr("Copy summary"), this, [this] { QApplication::clipboard()->setText(summary()); });
    return menu;
}

void PlotPanel::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu* menu = createMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event->globalPos());
}

} // namespace kvasir
