#pragma once

#include "store/conversation.h"

#include <QKeySequence>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;
class QPushButton;

namespace kvasir {

class Actions;
class ChatSession;
class ConversationModel;
class StoreWorker;

/// Conversations on the left: new chat, search, the list, settings.
class Sidebar : public QWidget {
    Q_OBJECT

public:
    Sidebar(ChatSession& session, StoreWorker& store, const Actions& actions, QWidget* parent = nullptr);

    void focusSearch();
    bool clearSearch();  ///< false: it has not the focus
    void editTitle();    ///< of the shown conversation, in place
    void goBy(int rows); ///< opens the conversation above or below
    QListView* list() const { return m_list; }
    QLineEdit* searchField() const { return m_search; }

signals:
    void removeRequested(qint64 conversation);
    /// A search hit was chosen: the conversation is being opened, the words stand in this message.
    void hitChosen(qint64 message, const QString& words);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void search();
    void showHits(const QString& words, const QList<SearchHit>& hits);
    void updateList();
    void updateActivity();
    void selectShown();
    void updateHint();
    void showMenu(const QPoint& position);

    ChatSession& m_session;
    StoreWorker& m_store;
    ConversationModel* m_model;
    QPushButton* m_new;
    QLabel* m_newKey;
    QKeySequence m_newKeys;
    QLineEdit* m_search;
    QListView* m_list;
    QLabel* m_hint;
    QPushButton* m_settings;
    QTimer m_searchDelay;
    QTimer m_minute;
    bool m_searching = false;
};

} // namespace kvasir
