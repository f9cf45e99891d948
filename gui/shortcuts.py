"""Every key of the window, taken from the tables that define them."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QKeySequence

from modelmon.gui.actions import ACTIONS, MENUS
from modelmon.gui.history.run_actions import RUN_ACTIONS
from modelmon.gui.language import mark, tr


class Shortcut(NamedTuple):
    """What is pressed, as the platform writes it, and what that does."""

    keys: str
    text: str


PLOT_KEYS = (
    ("Tab", mark("Show A, both, B in turn")),
    ("Shift+Tab", mark("Leave the plot")),
    ("F", mark("Follow the end of the load, or stop that")),
    ("+", mark("Zoom in")),
    ("-", mark("Zoom out")),
    ("PgUp", mark("Move to what was before")),
    ("PgDown", mark("Move to what comes after")),
    ("0", mark("Show the whole axis again")),
    ("Left", mark("Block or crosshair to the left")),
    ("Right", mark("Block or crosshair to the right")),
    ("Esc", mark("Hide the crosshair, deselect the block, show all again")),
    ("Return", mark("Give the plot all the room, or take it back")),
    ("Ctrl+C", mark("Copy the figures")),
)
"""What the plots do with keys while one of them has the focus."""


def shortcut_groups() -> list[tuple[str, list[Shortcut]]]:
    """Commands with a key by menu, then what plots and the table of runs do with keys."""
    groups = [
        (tr(menu), [_made(s.shortcut, s.text) for s in ACTIONS if s.menu == menu and s.shortcut])
        for menu in MENUS
    ]
    groups.append((tr("In a plot"), [_made(keys, text) for keys, text in PLOT_KEYS]))
    runs = [_made(action.shortcut, action.text) for action in RUN_ACTIONS if action.shortcut]
    groups.append((tr("In the table of runs"), runs))
    return [(title, rows) for title, rows in groups if rows]


def _made(keys: str, text: str) -> Shortcut:
    form = QKeySequence.SequenceFormat.NativeText
    each = [one.toString(form) for one in QKeySequence.listFromString(keys)]
    return Shortcut(" · ".join(each), tr(text).rstrip("…"))
