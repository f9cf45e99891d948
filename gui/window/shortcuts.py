"""Every key of the window, taken from the tables that define them."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QKeySequence

from modelmon.gui.actions import ACTIONS, MENUS
from modelmon.gui.history.run_actions import RUN_ACTIONS
from modelmon.gui.look.language import mark, tr


class Shortcut(NamedTuple):
    """What is pressed, as the platform writes it, and what that does."""

    keys: str
    text: str


PLOT_KEYS = (
    ("Tab", mark("Switch between A, both, and B")),
    ("Shift+Tab", mark("Leave the plot")),
    ("F", mark("Follow the load on or off")),
    ("+", mark("Zoom in")),
    ("-", mark("Zoom out")),
    ("PgUp", mark("Move to the previous")),
    ("PgDown", mark("Move to the next")),
    ("0", mark("Reset zoom")),
    ("Left", mark("Move block or crosshair left")),
    ("Right", mark("Move block or crosshair right")),
    ("Esc", mark("Hide the crosshair, deselect the block, show everything")),
    ("Return", mark("Maximize or restore the plot")),
    ("Ctrl+C", mark("Copy figures")),
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
    groups.append((tr("In the runs table"), runs))
    return [(title, rows) for title, rows in groups if rows]


def _made(keys: str, text: str) -> Shortcut:
    form = QKeySequence.SequenceFormat.NativeText
    each = [one.toString(form) for one in QKeySequence.listFromString(keys)]
    return Shortcut(" · ".join(each), tr(text).rstrip("…"))
