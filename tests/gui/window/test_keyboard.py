"""Whoever uses keys reaches every control, and sees where they are."""

import pytest
from dialogs import DIALOGS, asked, in_order, too_large
from legibility import findings, settled, shown, told
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
STATES = (
    *("compared", "running"),
    *(
        pytest.param(state, marks=pytest.mark.long)
        for state in ("nothing_open", "opened", "watched", "raced")
    ),
)
SIZES = ((1280, 800), (1100, 700))


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


def is_seen(focused):
    """Whether it is drawn otherwise where it has the focus; the cursor of a field blinks."""
    if isinstance(focused, QLineEdit):
        focused.deselect()
    seen = focused.grab().toImage()
    focused.clearFocus()
    differs = focused.grab().toImage() != seen
    focused.setFocus(Qt.FocusReason.TabFocusReason)
    return differs


def active(qtbot, root):
    settled(root)
    root.activateWindow()
    qtbot.waitUntil(root.isActiveWindow)


def grouped(control, met):
    """Whether arrow keys lead there from another button of its group."""
    group = control.group() if isinstance(control, QAbstractButton) else None
    return group is not None and any(button in met for button in group.buttons())


def left_out(qtbot, root, key):
    """What doesn't get the focus as a key is pressed again and again, or gets it unseen."""
    active(qtbot, root)
    met = []
    found = []
    for _ in range(MOST_STEPS):
        qtbot.keyClick(QApplication.focusWidget() or root, key)
        focused = QApplication.focusWidget()
        if focused in met[:1] and len(met) > 1:
            break
        if focused is not None and focused not in met:
            met.append(focused)
            if not is_seen(focused):
                found.append(f"unseen: {told(focused)}")
    return found + [
        told(each)
        for each in controls(root)
        if each not in met
        and not grouped(each, met)
        and not any(each.isAncestorOf(one) for one in met)
    ]


@pytest.mark.parametrize("state", STATES)
def test_that_shift_tab_reaches_every_control_and_is_seen_there(
    qtbot, folder, window, recordings, state
):
    del folder
    window.resize(1280, 800)
    getattr(States(window, recordings), state)()
    # Tab alone switches between A and B on a plot.
    assert left_out(qtbot, window, Qt.Key.Key_Backtab) == []


def test_that_dialogs_are_legible_have_buttons_in_one_order_and_are_used_by_keys(qtbot, window):
    for ask in DIALOGS:
        dialog = asked(window, ask)
        assert findings(dialog) == {}, ask.__name__
        assert too_large(dialog) == "", ask.__name__
        assert in_order(dialog), ask.__name__
        assert left_out(qtbot, dialog, Qt.Key.Key_Tab) == [], ask.__name__
        dialog.reject()


@pytest.mark.parametrize("state", ["nothing_open", *STATES[:2]])
def test_that_f6_goes_to_places_that_are_seen_in_all_panels_and_back_again(
    qtbot, folder, window, recordings, state
):
    del folder
    getattr(States(window, recordings), state)()
    for size in SIZES:
        window.resize(*size)
        active(qtbot, window)
        there = []
        while (focused := next_place(window)) not in there:
            there.append(focused)
            assert is_seen(focused), (size, told(focused))
        back = [next_place(window, backwards=True) for _ in there]
        assert back == there[::-1], size
        parts = [window.toolbar]
        if state == "compared":
            work = window.workspace
            parts += [window.side, *work.cards.values(), work.plots, work.tabs]
        for part in parts:
            assert any(part.isAncestorOf(place) for place in there), (size, type(part).__name__)


def next_place(window, *, backwards=False):
    window.focus_next_panel(backwards=backwards)
    focused = QApplication.focusWidget()
    assert focused.isVisible()
    return focused
