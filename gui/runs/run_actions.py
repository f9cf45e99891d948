"""What can be done with runs of the history: one table, and when each can be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.remote import Place
from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from modelmon.core.history.rows import RunRow
    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.session import Session


@dataclass(frozen=True, slots=True)
class RunAction:
    """A command for the selected runs; `RunsTabController` does it.

    Keys work in the table, or wherever in the tab the keyboard is.
    """

    id: str
    text: str
    shortcut: str = ""
    starts_group: bool = False
    in_whole_tab: bool = False


RUN_ACTIONS = (
    RunAction("show", mark("Show in plots"), "Return"),
    RunAction("show_a", mark("Show in place of A"), "Ctrl+Shift+A"),
    RunAction("show_b", mark("Show in place of B"), "Ctrl+Shift+B"),
    RunAction("use_a", mark("Use as A")),
    RunAction("use_b", mark("Use as B")),
    RunAction("replay", mark("Replay"), "Shift+Return"),
    RunAction("open_model", mark("Open its model")),
    RunAction("outcome", mark("Show its comparison or Find best")),
    RunAction("resume", mark("Resume its comparison or Find best")),
    RunAction("overlay", mark("Overlay in plots"), "Space", starts_group=True),
    RunAction("overlay_medians", mark("Overlay median of each group")),
    RunAction("clear_overlay", mark("Clear overlay")),
    RunAction("strips", mark("Show as strips"), "Ctrl+T"),
    RunAction("compare", mark("Compare selected runs…"), "Ctrl+Shift+K", starts_group=True),
    RunAction("changes", mark("What changed…")),
    RunAction("star", mark("Star"), "Ctrl+B", starts_group=True),
    RunAction("rename", mark("Rename"), "F2"),
    RunAction("delete", mark("Delete…"), "Del"),
    RunAction("undo", mark("Undo delete"), "Ctrl+Z", in_whole_tab=True),
    RunAction("copy", mark("Copy as Markdown"), "Ctrl+C", starts_group=True),
    RunAction("export", mark("Export selection…")),
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
        against |= dict.fromkeys((*one, "save", "resume", "outcome"), tr("Select one run."))
    elif not kept:
        against |= dict.fromkeys(
            ("rename", "resume", "outcome"), tr("This run isn't in the history.")
        )
    if not kept:
        against |= dict.fromkeys(("star", "delete", "export"), tr("Select runs in the table."))
    if not lines:
        against["copy"] = tr("Select runs in the table.")
    if not any(line.has_events for line in lines):
        recorded = tr("Select runs that have recordings.")
        against |= dict.fromkeys(("overlay", "overlay_medians"), recorded)
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
    if line.row is not None and not _can_go_on(line):
        against["resume"] = tr(
            "Only stopped comparisons and Find best runs on this machine and disk can be resumed."
        )
    if line.row is not None and (why := _against_outcome(session, line.row)):
        against["outcome"] = why
    return against


def _against_outcome(session: Session, row: RunRow) -> str:
    """Why the comparison or Find best of a run can't be shown now."""
    if row.kind not in ("compare", "best"):
        return tr("This run belongs to no comparison or Find best.")
    opened = session.inspection
    if opened is None or row.path != str(Place(opened.model.path, opened.server)):
        return tr("Open its model first.")
    return ""


def model_path(line: RunLine) -> str:
    """Where the model of a run lay; "" where that is not known, or on another machine."""
    return "" if line.row is None or line.row.is_imported else line.row.path


def _can_go_on(line: RunLine) -> bool:
    row = line.row
    if row is None or line.elsewhere:
        return False
    return row.kind in ("compare", "best") and row.state != "done"
