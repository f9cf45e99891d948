"""What can be done with runs of the history: one table, and when each can be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.session import Session


@dataclass(frozen=True, slots=True)
class RunAction:
    """A command for the selected runs; `RunsTabController` does it.

    Keys work in the table, or wherever in the tab the keyboard is. `on_button` is its text there.
    """

    id: str
    text: str
    shortcut: str = ""
    starts_group: bool = False
    in_whole_tab: bool = False
    on_button: str = ""


RUN_ACTIONS = (
    RunAction("show", mark("Show in plots"), "Return"),
    RunAction("show_a", mark("Show in place of A"), "Ctrl+Shift+A"),
    RunAction("show_b", mark("Show in place of B"), "Ctrl+Shift+B"),
    RunAction("use_a", mark("Use as A")),
    RunAction("use_b", mark("Use as B")),
    RunAction("replay", mark("Replay"), "Shift+Return"),
    RunAction("open_model", mark("Open its model")),
    RunAction("outcome", mark("Show its comparison or Find best")),
    RunAction("resume", mark("Resume its comparison or Find best"), on_button=mark("Resume")),
    RunAction("overlay", mark("Overlay in plots"), "Space", starts_group=True),
    RunAction("clear_overlay", mark("Clear overlay")),
    RunAction(
        "compare",
        mark("Compare selected runs…"),
        "Ctrl+Shift+K",
        starts_group=True,
        on_button=mark("Compare…"),
    ),
    RunAction("changes", mark("What changed…"), on_button=mark("What changed…")),
    RunAction("star", mark("Star"), "Ctrl+B", starts_group=True),
    RunAction("rename", mark("Rename"), "F2"),
    RunAction("delete", mark("Delete…"), "Del"),
    RunAction("undo", mark("Undo delete"), "Ctrl+Z", in_whole_tab=True, on_button=mark("Undo")),
    RunAction("copy", mark("Copy as Markdown"), "Ctrl+C", starts_group=True),
    RunAction("export", mark("Export selection…")),
    RunAction("share", mark("Share…")),
    RunAction("save", mark("Save recording…")),
    RunAction("import", mark("Import recording…")),
)


_NEED_IDLE = (
    *("show", "show_a", "show_b", "use_a", "use_b", "replay", "open_model"),
    *("delete", "undo", "resume", "outcome", "import"),
)


def reasons_against(
    session: Session,
    lines: Sequence[RunLine],
    *,
    deleted: int = 0,
    gone: Collection[str] = (),
) -> dict[str, str]:
    """Commands that cannot be used with these runs now, and why.

    `deleted` runs can come back; at the paths of `gone` there is no model any more.
    """
    against: dict[str, str] = {}
    if not deleted:
        against["undo"] = tr("No runs were deleted in this window.")
    kept = [line for line in lines if line.row is not None]
    if len(lines) != 1:
        one = ("show", "show_a", "show_b", "use_a", "use_b", "replay", "open_model", "rename")
        against |= dict.fromkeys((*one, "save"), tr("Select one run."))
    elif not kept:
        against["rename"] = tr("This run isn't in the history.")
    against |= _against_experiment(session, lines)
    if not kept:
        of_history = ("star", "delete", "export", "share")
        against |= dict.fromkeys(of_history, tr("Select runs in the table."))
    if not lines:
        against["copy"] = tr("Select runs in the table.")
    if not any(line.has_events for line in lines):
        against["overlay"] = tr("Select runs that have recordings.")
    if len(kept) < 2:
        against["compare"] = tr("Select two or more runs.")
    if len(lines) == 1:
        against |= _against_one(session, lines[0], gone)
    if session.busy:
        under_way = tr("Not available while {doing}.", doing=tr(session.activity.value))
        against |= dict.fromkeys(_NEED_IDLE, under_way)
    return against


def _against_one(session: Session, line: RunLine, gone: Collection[str]) -> dict[str, str]:
    """Commands for one run that cannot be used with it, and why."""
    against: dict[str, str] = {}
    if model_path(line) in ("", *gone):
        against["open_model"] = tr("Its model was moved, or was never on this machine.")
    no_model = tr("Open a model first.") if session.inspection is None else ""
    unfinished = tr("This run didn't finish.") if line.figures is None else ""
    if why := no_model or unfinished:
        against |= dict.fromkeys(("use_a", "use_b"), why)
    if not line.has_events:
        dropped = tr("This run's recording was deleted.")
        against |= dict.fromkeys(("show", "show_a", "show_b", "replay", "save"), dropped)
    return against


def _against_experiment(session: Session, lines: Sequence[RunLine]) -> dict[str, str]:
    """Why the comparison or Find best that these runs are of can't be shown or go on now."""
    if len({line.set_key or line.key for line in lines}) != 1:
        why = tr("Select one run, or the runs of one comparison.")
        return dict.fromkeys(("resume", "outcome"), why)
    line, opened = lines[0], session.inspection
    against: dict[str, str] = {}
    if line.row is None:
        return dict.fromkeys(("resume", "outcome"), tr("This run isn't in the history."))
    if line.set_key is None or line.row.state == "done" or line.elsewhere:
        against["resume"] = tr(
            "Only stopped comparisons and Find best runs on this machine and disk can be resumed."
        )
    if line.set_key is None:
        against["outcome"] = tr("This run belongs to no comparison or Find best.")
    elif opened is None or line.row.path not in opened.references:
        against["outcome"] = tr("Open its model first.")
    return against


def model_path(line: RunLine) -> str:
    """Where the model of a run lay; "" where that is not known, or on another machine."""
    return "" if line.row is None or line.row.is_imported else line.row.path


def make_run_actions(tab: QWidget, table: QWidget) -> dict[str, QAction]:
    """The commands; their keys work in the table, or in the whole tab."""
    made = {}
    for spec in RUN_ACTIONS:
        action = made[spec.id] = QAction(tr(spec.text), table)
        action.setObjectName(spec.id)
        if spec.on_button:
            action.setIconText(tr(spec.on_button))
        contexts, place = Qt.ShortcutContext, tab if spec.in_whole_tab else table
        action.setShortcut(QKeySequence(spec.shortcut))
        action.setShortcutContext(
            contexts.WidgetWithChildrenShortcut if spec.in_whole_tab else contexts.WidgetShortcut
        )
        place.addAction(action)
    return made
