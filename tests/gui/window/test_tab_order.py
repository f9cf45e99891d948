"""Every control of the window and its dialogs is reached by pressing Tab or Shift+Tab."""

import pytest
from dialogs import DIALOGS, asked
from legibility import settled, shown, told
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
)
from window_states import States

CONTROLS = (
    *(QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox),
    *(QComboBox, QLineEdit, QPlainTextEdit),
)
MOST_STEPS = 120
OTHERS = ("nothing_open", "opened", "raced")


def controls(root):
    """What a mouse can use in the window; parts of other controls are theirs."""
    return [
        each
        for each in shown(root)
        if isinstance(each, CONTROLS)
        and not isinstance(each, QScrollBar | QHeaderView)
        and not isinstance(each.parentWidget(), QComboBox | QAbstractSpinBox | QAbstractItemView)
        and each.isEnabled()
        and each.window() is root.window()
    ]


def walked(qtbot, root, key):
    """What gets the keyboard's focus as a key is pressed again and again."""
    root.activateWindow()
    qtbot.waitUntil(root.isActiveWindow)
    met = []
    for _ in range(MOST_STEPS):
        qtbot.keyClick(QApplication.focusWidget() or root, key)
        focused = QApplication.focusWidget()
        if focused is None or focused in met[-1:]:
            continue
        if focused in met[:1]:
            break
        met.append(focused)
    return set(met)


def grouped(control, met):
    """Whether arrow keys lead there from another button of its group."""
    group = control.group() if isinstance(control, QAbstractButton) else None
    return group is not None and any(button in met for button in group.buttons())


def left_out(qtbot, root, key):
    met = walked(qtbot, root, key)
    return [
        told(each)
        for each in controls(root)
        if each not in met
        and not grouped(each, met)
        and not any(each.isAncestorOf(one) for one in met)
    ]


@pytest.mark.parametrize(
    "state",
    ["compared", *(pytest.param(state, marks=pytest.mark.long) for state in OTHERS)],
)
def test_that_shift_tab_reaches_every_control(qtbot, window, recordings, state):
    window.resize(1280, 800)
    getattr(States(window, recordings), state)()
    settled(window)
    # Tab alone switches between A and B on a plot.
    assert left_out(qtbot, window, Qt.Key.Key_Backtab) == []


def test_that_every_control_of_a_dialog_is_reached_by_tab(qtbot, window):
    for ask in DIALOGS:
        dialog = asked(window, ask)
        settled(dialog)
        assert left_out(qtbot, dialog, Qt.Key.Key_Tab) == [], ask.__name__
        dialog.reject()
