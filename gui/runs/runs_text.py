"""What the Runs tab says of what it shows, and of what it does not. Pure text, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.gui.runs.run_lines import RunLine

MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Listed:
    """How many runs are shown, known, and hidden because they are of another place.

    `problem` is why the history cannot be read; `of_a_model` whether the runs of an open model
    are listed; `most` how many are read at the most.
    """

    shown: int
    known: int
    hidden: int
    problem: str
    of_a_model: bool
    most: int


def foot_text(listed: Listed) -> str:
    """The line under the table."""
    if listed.problem:
        return listed.problem
    shown, known = f"{listed.shown:,}", f"{listed.known:,}"
    if listed.shown != listed.known:
        parts = [tr("{shown} of {known} runs", shown=shown, known=known)]
    elif listed.known == 1:
        parts = [tr("1 run")]
    else:
        parts = [tr("{known} runs", known=known)]
    if listed.known >= listed.most:
        parts.append(tr("for older ones, use modelmon history"))
    if listed.hidden:
        parts.append(
            tr("{number} from another machine or disk not shown", number=f"{listed.hidden:,}")
        )
    return tr("; ").join(parts)


def empty_text(listed: Listed) -> str:
    """What stands in a table without rows."""
    if listed.problem:
        return tr("{problem} Runs are still measured.", problem=listed.problem)
    if not listed.known and listed.of_a_model:
        return tr("No runs of this model yet. Use Run A, Run B, or Compare A/B.")
    if not listed.known:
        return tr("No runs yet. Open a model and run it, or drop a recording here.")
    if listed.hidden and not listed.shown:
        return tr(
            "{number} runs are from another machine or disk. To see them, clear “Only this "
            "machine and disk”.",
            number=f"{listed.hidden:,}",
        )
    return tr("No runs match these filters")


def loss_text(lines: Sequence[RunLine]) -> str:
    """What goes with these runs when they are deleted."""
    if len(lines) == 1:
        return "\n".join(_loss_of_one(lines[0]))
    said = []
    recorded = sum(_is_recorded(line) for line in lines)
    if recorded:
        said.append(
            tr("{number} with recordings, which can't be replayed afterwards.", number=recorded)
        )
    starred = sum(line.starred for line in lines)
    if starred:
        said.append(tr("{number} are starred.", number=starred))
    names = [line.name for line in lines if line.name]
    if names:
        more = ["…"] if len(names) > MOST_NAMES else []
        listed = tr(", ").join(names[:MOST_NAMES] + more)
        said.append(tr("{number} have names: {names}.", number=len(names), names=listed))
    said.append(
        tr("To restore them, use Undo (Ctrl+Z) before you delete other runs or close this window.")
    )
    return "\n".join(said)


def _loss_of_one(line: RunLine) -> list[str]:
    said = []
    if _is_recorded(line):
        said.append(tr("Its recording is deleted too, so it can't be replayed."))
    if line.starred:
        said.append(tr("It's starred."))
    if line.name:
        said.append(tr("Its name is {name}.", name=line.name))
    said.append(
        tr("To restore it, use Undo (Ctrl+Z) before you delete other runs or close this window.")
    )
    return said


def _is_recorded(line: RunLine) -> bool:
    return line.row is not None and line.row.events_file is not None
