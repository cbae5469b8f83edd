#pragma once

#include <QElapsedTimer>
#include <QPainter>
#include <QTimer>
#include <QVector>
#include <QWidget>

class QMenu;

namespace kvasir {

/// One figure of a panel's answer, such as "TTFT 312 ms".
struct AnswerField {
    QString label;
    QString value;
    QString widest;      ///< the widest value to expect: its width is reserved so that nothing jumps
    QString explanation; ///< one sentence, shown as a tooltip
};

/// Base of the dashboard's panels: a question as title, the answer in figures at its top right, the body below.
///
/// Setters of subclasses store values and call markDirty(); the RefreshClock calls refresh() on panels that are dirty
/// and visible. Nothing is computed or drawn while a panel is hidden or its window minimised.
class PlotPanel : public QWidget {
    Q_OBJECT

public:
    explicit PlotPanel(QWidget* parent = nullptr);
    ~PlotPanel() override;

    /// The question the panel answers, in the current language.
    virtual QString question() const = 0;
    /// What the panel shows, in sentences; also its accessible description, renewed at most once a second.
    virtual QString summary() const = 0;
    /// The data shown, with a header line; numbers with a dot and no grouping.
    virtual QString csv() const = 0;

    /// The panel as a picture of `scale` pixels a unit.
    QImage picture(qreal scale = 2);
    /// Writes the panel to `path`: SVG where it ends in ".svg", CSV where in ".csv", else PNG. Returns false and the
    /// reason on failure.
    bool save(const QString& path, QString* reason = nullptr);
    void copyPicture();
    void copyCsv() const;
    /// The right-click menu; owned by the caller.
    QMenu* createMenu();

    bool isDirty() const { return m_dirty; }
    /// Visible in a window that is not minimised, and not scrolled out of sight.
    bool isShown() const;
    /// How often the content was computed and drawn anew.
    int refreshCount() const { return m_refreshCount; }
    /// Processor time this panel has used, see PlotCost.
    qint64 costNanoseconds() const { return m_cost; }
    /// The answer as shown: "TTFT 312 ms  ITL p50 23.6".
    QString answerText() const;
    /// The definition shown where the pointer rests at `position`; "" for none.
    QString explanationAt(const QPoint& position) const;

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    /// Asks for a refresh when the clock next ticks.
    void markDirty();
    /// Computes and draws the content anew.
    virtual void refresh() = 0;
    /// The least time between two refreshes: as much as holds the panel to its share of the processor, which the engine
    /// needs more. Subclasses whose figures cannot be read that fast return more.
    virtual int refreshIntervalMs() const;
    /// What the user just did is shown without regard to that share.
    void hasten() { m_isHasty = true; }
    /// Language, theme or fonts changed.
    virtual void restyle() = 0;
    /// The body's place changed.
    virtual void layoutBody() = 0;
    /// Draws the whole panel on another device, `scale` pixels a unit.
    virtual void paintPicture(QPaintDevice* device, qreal scale) = 0;
    /// Adds a subclass's own entries to the right-click menu.
    virtual void extendMenu(QMenu*) { }

    /// To be called once by the constructor of each subclass: title, names and fonts.
    void initialise();
    void setAnswer(const QVector<AnswerField>& fields);
    /// Background, title and answer.
    void paintHeader(QPainter& painter) const;
    /// Below title and answer, inside the margins.
    QRect bodyRect() const;
    /// Too small to show anything but a sentence that says so.
    bool isTooSmall() const;
    /// The least space that the body can use.
    virtual QSize leastBody() const;
    qint64* costCounter() { return &m_cost; }

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    friend class RefreshClock;

    struct PlacedField {
        QRect label;
        QRect value;
    };

    void runRefresh();
    int dueInMs() const;
    void relayout();
    void placeHeader();
    void describe();
    void askWhereToSave(const QString& suffix);

    QVector<AnswerField> m_answer;
    QVector<PlacedField> m_placed;
    QVector<int> m_reserved; // widest value expected or seen, by field
    QRect m_titleRect;
    int m_headerHeight = 0;
    QTimer m_describeLater;
    QElapsedTimer m_sinceDescribed;
    QElapsedTimer m_sinceRefresh;
    double m_refreshCostMs = 0; // of late, drawing included
    qint64 m_costAtRefresh = 0;
    bool m_isHasty = false;
    int m_refreshCount = 0;
    qint64 m_cost = 0;
    bool m_dirty = true;
};

} // namespace kvasir
