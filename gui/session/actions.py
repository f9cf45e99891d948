"""Every command of the window in one table, and when each can be used."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from modelmon.core.cluster.on_ray import missing
from modelmon.gui.language import mark, tr
from modelmon.gui.session.arm_settings import not_agreed
from modelmon.gui.session.session import LABELS, Activity
from modelmon.gui.session.watched_run import NOT_WATCHABLE
from modelmon.gui.widgets.theme import set_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import QObject

    from modelmon.gui.session.session import Session


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """A command; what does it, the window says by its id."""

    id: str
    menu: str
    text: str
    shortcut: str = ""
    icon: str = ""
    tool_tip: str = ""
    checkable: bool = False
    starts_group: bool = False


ACTIONS = (
    ActionSpec("open_file", mark("File"), mark("Open file…"), "Ctrl+O", "file"),
    ActionSpec("open_folder", mark("File"), mark("Open folder…"), "Ctrl+Shift+O", "open"),
    ActionSpec(
        "open_on_server",
        mark("File"),
        mark("Open on a server…"),
        "Ctrl+Alt+O",
        "cloud",
        mark("Measure a model on its server, over SSH"),
    ),
    ActionSpec("open_recording", mark("File"), mark("Open recording…"), "Ctrl+R", "clock"),
    ActionSpec(
        "save_recording",
        mark("File"),
        mark("Save recording…"),
        "Ctrl+S",
        "save",
        mark("Save the selected or latest run as a recording"),
        starts_group=True,
    ),
    ActionSpec(
        "export", mark("File"), mark("Export…"), "Ctrl+E", "export", mark("Write modelmon.toml")
    ),
    ActionSpec(
        "share",
        mark("File"),
        mark("Share…"),
        "Ctrl+Shift+E",
        "file",
        mark("Write a page or Markdown to hand on, without what is private"),
    ),
    ActionSpec(
        "copy_result",
        mark("File"),
        mark("Copy result as Markdown"),
        "Ctrl+Shift+M",
        "copy",
        mark("Copy the verdict, or the ranking of Find best, for an issue or a page"),
    ),
    ActionSpec(
        "new_window",
        mark("File"),
        mark("New window"),
        "Ctrl+N",
        tool_tip=mark("Open another model in a second window"),
        starts_group=True,
    ),
    ActionSpec("settings", mark("File"), mark("Settings…"), "Ctrl+,", "machine"),
    ActionSpec("quit", mark("File"), mark("Quit"), "Ctrl+Q", "close", starts_group=True),
    ActionSpec("show_a", mark("View"), mark("Show A"), "A"),
    ActionSpec("show_both", mark("View"), mark("Show both"), "Shift+B"),
    ActionSpec("show_b", mark("View"), mark("Show B"), "B"),
    ActionSpec(
        "side_panel", mark("View"), mark("Side panel"), "F9", checkable=True, starts_group=True
    ),
    ActionSpec(
        "history",
        mark("View"),
        mark("History…"),
        "Ctrl+H",
        tool_tip=mark("All recorded runs, even without an open model"),
    ),
    ActionSpec(
        "replay",
        mark("View"),
        mark("Replay runs"),
        "F8",
        "clock",
        mark("Watch the runs of A and B again"),
    ),
    ActionSpec("menu_bar", mark("View"), mark("Menu bar"), "F10"),
    ActionSpec("next_panel", mark("View"), mark("Next panel"), "F6"),
    ActionSpec("previous_panel", mark("View"), mark("Previous panel"), "Shift+F6"),
    ActionSpec("find", mark("View"), mark("Find block or tensor"), "Ctrl+F", "search"),
    ActionSpec("contents", mark("View"), mark("Model contents"), "Ctrl+I", "model"),
    ActionSpec(
        "theme_system", mark("View"), mark("System colors"), checkable=True, starts_group=True
    ),
    ActionSpec("theme_light", mark("View"), mark("Light"), checkable=True),
    ActionSpec("theme_dark", mark("View"), mark("Dark"), checkable=True),
    ActionSpec(
        "run_a", mark("Run"), mark("Run A"), "Ctrl+1", "run", mark("Load once with A's settings")
    ),
    ActionSpec(
        "run_b", mark("Run"), mark("Run B"), "Ctrl+2", "run", mark("Load once with B's settings")
    ),
    ActionSpec(
        "compare",
        mark("Run"),
        mark("Compare A/B"),
        "F5",
        "compare",
        mark("Run A and B alternately and show which is faster"),
    ),
    ActionSpec(
        "best",
        mark("Run"),
        mark("Find best…"),
        "F7",
        "best",
        mark("Test every strategy that works here and recommend one"),
    ),
    ActionSpec(
        "watch",
        mark("Run"),
        mark("Watch…"),
        "F4",
        "watch",
        mark("Watch another program load this model, and see what slows it down"),
    ),
    ActionSpec(
        "cluster",
        mark("Run"),
        mark("Cluster…"),
        "F3",
        "cluster",
        mark("Load on several Ray nodes at once and compare speeds"),
    ),
    ActionSpec(
        "probe",
        mark("Run"),
        mark("Measure the disk"),
        "Ctrl+D",
        "disk",
        mark("Measure the top speed of storage and memory in a few seconds; reads only the model"),
    ),
    ActionSpec("stop", mark("Run"), mark("Stop"), "Ctrl+.", "stop", mark("Stop the current task")),
    ActionSpec(
        "swap", mark("Run"), mark("Swap A and B"), "Ctrl+Shift+X", "swap", starts_group=True
    ),
    ActionSpec(
        "palette",
        mark("Help"),
        mark("Commands and keys…"),
        "Ctrl+K; F1; ?",
        "search",
        mark("Find and run any command; all keys"),
    ),
    ActionSpec(
        "stories",
        mark("Help"),
        mark("Stories…"),
        tool_tip=mark("Run a published case of a slow load again, explained"),
    ),
    ActionSpec("tour", mark("Help"), mark("Tour")),
    ActionSpec(
        "explain",
        mark("Help"),
        mark("What am I looking at?"),
        "Shift+F1",
        tool_tip=mark("Click a plot or a table to have it explained"),
    ),
    ActionSpec("about", mark("Help"), mark("About modelmon"), icon="info"),
)
MENUS = tuple(dict.fromkeys(spec.menu for spec in ACTIONS))

_NEEDS_IDLE = ("replay", "open_file", "open_folder", "open_on_server", "open_recording", "swap")
_NEEDS_MODEL = ("run_a", "run_b", "compare", "best", "probe")


def reasons_against(session: Session) -> dict[str, str]:
    """Commands that cannot be used now, and why; what is not named can be used."""
    against: dict[str, str] = {}
    if session.busy:
        under_way = tr("Not available while {doing}.", doing=tr(session.activity.value))
        for name in (*_NEEDS_IDLE, *_NEEDS_MODEL, "cluster", "watch", "stories"):
            against[name] = under_way
    elif session.inspection is None:
        against |= dict.fromkeys(_NEEDS_MODEL, tr("Open a model first."))
    elif obstacle := session.arms.obstacle_to_comparing():
        against["compare"] = obstacle
    if not session.busy:
        against["stop"] = tr("Nothing is running.")
    elif session.activity is Activity.STOPPING:
        against["stop"] = tr("Stopping.")
    results = {
        "export": session.has_outcome,
        "share": session.shown_verdict or session.shown_records,
    }
    for name, something in results.items():
        if not something or session.busy:
            nothing = tr("Nothing to export yet. Make a run first.")
            against[name] = under_way if something else nothing
    watched = session.program is not None and session.program.result is not None
    if not watched and session.shown_verdict is None:
        against["copy_result"] = tr("Nothing to copy yet. Use Compare A/B or Find best first.")
    if not any(run.recording for run in session.runs):
        against["save_recording"] = tr("Make a run to save first.")
    if not session.busy and not any(session.record(label) for label in LABELS):
        against["replay"] = tr("Make a run to replay first.")
    if session.inspection is None:
        against |= dict.fromkeys(("find", "contents"), tr("Open a model first."))
    return against | _against_programs(session) | _against_clusters()


def _against_programs(session: Session) -> dict[str, str]:
    """What watching a program needs, and what has to wait meanwhile."""
    against: dict[str, str] = {}
    if not session.busy and session.inspection is not None:
        for label, program in session.arms.programs.items():
            if not program.agreed:
                against[f"run_{label.lower()}"] = not_agreed(label)
    if sys.platform != "linux":
        against["watch"] = tr(NOT_WATCHABLE)
    if session.busy and session.program is not None:
        waits = tr("Not available while {doing}.", doing=tr(session.activity.value))
        against |= dict.fromkeys(("show_a", "show_both", "show_b"), waits)
    return against


def _against_clusters() -> dict[str, str]:
    """What a cluster needs."""
    if no_ray := missing():
        return {"cluster": tr("{why} Install it: pip install 'ray[client]'.", why=no_ray)}
    return {}


def make_actions(does: Mapping[str, Callable[[], object]], parent: QObject) -> dict[str, QAction]:
    """The table as QActions, each connected to what does it."""
    made: dict[str, QAction] = {}
    for spec in ACTIONS:
        action = QAction(tr(spec.text), parent)
        action.setObjectName(spec.id)
        action.setCheckable(spec.checkable)
        if spec.shortcut:
            action.setShortcuts(QKeySequence.listFromString(spec.shortcut))
        action.triggered.connect(partial(_do, does[spec.id]))
        made[spec.id] = action
    return made


def give_icons(actions: Mapping[str, QAction]) -> None:
    """Draw the icons of all actions: nobody sees them before a menu is open."""
    for spec in ACTIONS:
        if spec.icon:
            set_icon(actions[spec.id], spec.icon)


def _do(does: Callable[[], object], *_checked: bool) -> None:
    does()


def update_actions(actions: Mapping[str, QAction], against: Mapping[str, str]) -> None:
    """Enable what can be used; the tool tip says what a command does, or why it cannot."""
    for spec in ACTIONS:
        action = actions[spec.id]
        action.setEnabled(spec.id not in against)
        shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        does = f"{tr(spec.tool_tip or spec.text)}{f' ({shortcut})' if shortcut else ''}"
        action.setToolTip(against.get(spec.id, does))
