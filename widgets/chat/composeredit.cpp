#include "chat/composeredit.h"

#include <QGuiApplication>
#include <QInputMethod>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace kvasir {

ComposerEdit::ComposerEdit(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
}

int ComposerEdit::wantedHeight(int most) const
{
    // Lines differ: Hangul and emoji come from taller faces. Blocks beyond the limit need no layout.
    qreal height = 2;
    for (QTextBlock block = document()->firstBlock(); block.isValid() && height <= most; block = block.next())
        height += blockBoundingRect(block).height();
    return int(std::ceil(height));
}

void ComposerEdit::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter || (event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier))) {
        if (isEnter) {
            insertPlainText(QStringLiteral("\n"));
            ensureCursorVisible();
            return;
        }
        // Escape stops the reply; the field has no use for it.
        if (event->key() == Qt::Key_Escape)
            return event->ignore();
        return QPlainTextEdit::keyPressEvent(event);
    }
    if (m_isComposing)
        QGuiApplication::inputMethod()->commit();
    else
        emit enterPressed();
}

void ComposerEdit::inputMethodEvent(QInputMethodEvent* event)
{
    m_isComposing = !event->preeditString().isEmpty();
    QPlainTextEdit::inputMethodEvent(event);
}

bool ComposerEdit::canInsertFromMimeData(const QMimeData* source) const
{
    return source->hasText();
}

void ComposerEdit::insertFromMimeData(const QMimeData* source)
{
    const QString text = source->text();
    if (text.size() > kLongPaste)
        emit longTextPasted(text);
    else
        insertPlainText(text);
    ensureCursorVisible();
}

} // namespace kvasir
