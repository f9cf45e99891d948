"""Every control of the window and its dialogs is reached by pressing Tab or Shift+Tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    QWidget,
)
from window_states import States

if TYPE_CHECKING:
    from types import ModuleType

    from pytestqt.qtbot import QtBot

    from modelmon.gui.main_window import MainWindow

CONTROLS = (
    *(QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox),
    *(QComboBox, QLineEdit, QPlainTextEdit),
)
MOST_STEPS = 120
OTHERS = ("nothing_open", "opened", "raced")


def controls(root: QWidget) -> list[QWidget]:
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


def walked(qtbot: QtBot, root: QWidget, key: Qt.Key) -> set[QWidget]:
    """What gets the keyboard's focus as a key is pressed again and again."""
    root.activateWindow()
    qtbot.waitUntil(root.isActiveWindow)
    met: list[QWidget] = []
    for _ in range(MOST_STEPS):
        qtbot.keyClick(QApplication.focusWidget() or root, key)
        focused = QApplication.focusWidget()
        if focused is None or focused in met[-1:]:
            continue
        if focused in met[:1]:
            break
        met.append(focused)
    return set(met)


def grouped(control: QWidget, met: set[QWidget]) -> bool:
    """Whether arrow keys lead there from another button of its group."""
    group = control.group() if isinstance(control, QAbstractButton) else None
    return group is not None and any(button in met for button in group.buttons())


def left_out(qtbot: QtBot, root: QWidget, key: Qt.Key) -> list[str]:
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
def test_that_shift_tab_reaches_every_control(
    qtbot: QtBot, window: MainWindow, recordings: ModuleType, state: str
) -> None:
    window.resize(1280, 800)
    getattr(States(window, recordings), state)()
    settled(window)
    # Tab alone switches between A and B on a plot.
    assert left_out(qtbot, window, Qt.Key.Key_Backtab) == []


def test_that_every_control_of_a_dialog_is_reached_by_tab(qtbot: QtBot, window: MainWindow) -> None:
    for ask in DIALOGS:
        dialog = asked(window, ask)
        settled(dialog)
        assert left_out(qtbot, dialog, Qt.Key.Key_Tab) == [], ask.__name__
        dialog.reject()
