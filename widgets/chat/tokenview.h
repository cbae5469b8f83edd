#pragma once

#include <QAbstractScrollArea>
#include <QFont>
#include <QString>
#include <QVector>

#include <vector>

namespace kvasir {

/// One token as it is shown.
struct TokenBox {
    int id = 0;
    QString text; // bytes that are no text as <0xEA>
    bool isSpecial = false;
};

/// A text as the tokens that it is made of: a box each, special ones outlined, with a cursor for the keyboard. Only
/// what is in sight is painted, so that a prompt may be as long as a context.
class TokenView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TokenView(QWidget* parent = nullptr);

    void setTokens(const QVector<TokenBox>& tokens);
    const QVector<TokenBox>& tokens() const { return m_tokens; }
    int specialCount() const { return m_special; }
    QString ids() const; // "1, 2, 3"

    int current() const { return m_current; } // -1 without tokens
    void setCurrent(int token);
    int tokenAt(const QPoint& point) const; // -1 for none; viewport coordinates
    QRect tokenRect(int token) const;       // viewport coordinates
    QString description(int token) const;   // "Token 3 of 214: ↵, id 198, special"

signals:
    void currentChanged(int token);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void restyle();
    void measure();
    void place();
    int lineOf(int token) const;
    int lineTop(int line) const;
    int tokenNear(int line, int x) const;

    QVector<TokenBox> m_tokens;
    int m_special = 0;
    int m_current = -1;
    QFont m_font, m_specialFont;
    int m_pitch = 0; // from one line to the next
    int m_gap = 0;
    std::vector<QString> m_labels; // what stands in each box
    std::vector<int> m_widths;     // of the boxes
    std::vector<int> m_lefts;
    std::vector<int> m_lines; // the first token of each line
};

} // namespace kvasir
