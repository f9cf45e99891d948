"""Whoever uses keys sees where they are: what has the focus looks otherwise than without it."""

import pytest
from dialogs import DIALOGS, asked
from legibility import settled, told
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from window_states import States

MOST_STEPS = 60
STATES = (
    "compared",
    "running",
    *(pytest.param(state, marks=pytest.mark.long) for state in ("watched", "raced")),
)
SIZES = ((1280, 800), (1024, 700))


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


@pytest.mark.parametrize("state", ["nothing_open", *STATES])
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
            parts += [window.side, *work.cards.values(), work.plots]
        for part in parts:
            assert any(part.isAncestorOf(place) for place in there), (size, type(part).__name__)


def next_place(window, *, backwards=False):
    window.focus_next_panel(backwards=backwards)
    focused = QApplication.focusWidget()
    assert focused.isVisible()
    return focused


def unseen(root, qtbot, key):
    """What gets the focus by a key without looking so."""
    active(qtbot, root)
    found = []
    met = []
    for _ in range(MOST_STEPS):
        qtbot.keyClick(QApplication.focusWidget() or root, key)
        focused = QApplication.focusWidget()
        if focused in met[:1] and len(met) > 1:
            break
        if focused is None or focused in met:
            continue
        met.append(focused)
        if not is_seen(focused):
            found.append(told(focused))
    return found


@pytest.mark.parametrize("state", STATES)
def test_that_what_tab_comes_to_is_seen(qtbot, folder, window, recordings, state):
    del folder
    getattr(States(window, recordings), state)()
    # Tab alone switches between A and B on a plot.
    assert unseen(window, qtbot, Qt.Key.Key_Backtab) == []


def test_that_what_tab_comes_to_in_a_dialog_is_seen(qtbot, window):
    found = {}
    for ask in DIALOGS:
        dialog = asked(window, ask)
        found[ask.__name__] = unseen(dialog, qtbot, Qt.Key.Key_Tab)
        dialog.reject()
    assert {name: each for name, each in found.items() if each} == {}
