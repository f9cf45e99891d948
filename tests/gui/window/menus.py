"""Menus and file dialogs as a person uses them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu

from modelmon.gui.widgets.file_dialog import FileDialog


def popped_up(qtbot):
    """The menu that is open."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(qtbot, button, text):
    """Click a button that opens a menu, then take the entry of this text."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    take(qtbot, text)


def take(qtbot, text):
    """Go to an entry of the menu that is open with the arrow keys, and press Return."""
    menu = popped_up(qtbot)
    (entry,) = [action for action in menu.actions() if action.text().replace("&", "") == text]
    assert entry.isEnabled(), entry.toolTip()
    for _ in menu.actions():
        if menu.activeAction() is entry:
            break
        qtbot.keyClick(menu, Qt.Key.Key_Down)
    assert menu.activeAction() is entry
    qtbot.keyClick(menu, Qt.Key.Key_Return)


def type_file(qtbot, parent, text, kind=""):
    """Type a name into the file dialog that has come up, choose its kind, and press Return."""

    def dialogs():
        return [each for each in parent.findChildren(FileDialog) if each.isVisible()]

    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    (dialog,) = dialogs()
    field = dialog.path
    dialog.activateWindow()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, text)
    if kind:
        kinds = dialog.kinds
        while kinds.currentText() != kind:
            before = kinds.currentIndex()
            qtbot.keyClick(kinds, Qt.Key.Key_Down)
            assert kinds.currentIndex() != before
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialogs())
