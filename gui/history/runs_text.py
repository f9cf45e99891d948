"""What the Runs tab says of what it shows, and of what it does not. Pure text, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.gui.models.run_lines import RunLine

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
        parts.append(tr("older ones with modelmon history"))
    if listed.hidden:
        parts.append(
            tr("{number} of another machine or disk not shown", number=f"{listed.hidden:,}")
        )
    return tr("; ").join(parts)


def empty_text(listed: Listed) -> str:
    """What stands in a table without rows."""
    if listed.problem:
        return tr("{problem} Runs are measured all the same.", problem=listed.problem)
    if not listed.known and listed.of_a_model:
        return tr("No run of this model is recorded yet. Run A, Run B or Compare A/B adds some.")
    if not listed.known:
        return tr("No run is recorded yet. Open a model and run it, or drop a recording here.")
    if listed.hidden and not listed.shown:
        return tr(
            "{number} runs were measured on another machine or disk. Untick"
            " “Only this machine and disk” to see them.",
            number=f"{listed.hidden:,}",
        )
    return tr("No run has what the row above asks for.")


def loss_text(lines: Sequence[RunLine]) -> str:
    """What goes with these runs when they are deleted."""
    if len(lines) == 1:
        return "\n".join(_loss_of_one(lines[0]))
    said = []
    recorded = sum(_is_recorded(line) for line in lines)
    if recorded:
        said.append(
            tr("{number} with their recordings, which cannot be replayed then.", number=recorded)
        )
    starred = sum(line.starred for line in lines)
    if starred:
        said.append(tr("{number} of them are starred.", number=starred))
    names = [line.name for line in lines if line.name]
    if names:
        more = ["…"] if len(names) > MOST_NAMES else []
        listed = tr(", ").join(names[:MOST_NAMES] + more)
        said.append(tr("{number} of them have names: {names}.", number=len(names), names=listed))
    said.append(
        tr("Undo (Ctrl+Z) brings them back, until other runs are deleted or this window is closed.")
    )
    return "\n".join(said)


def _loss_of_one(line: RunLine) -> list[str]:
    said = []
    if _is_recorded(line):
        said.append(tr("Its recording goes too, so that it cannot be replayed then."))
    if line.starred:
        said.append(tr("It is starred."))
    if line.name:
        said.append(tr("It has a name: {name}.", name=line.name))
    said.append(
        tr("Undo (Ctrl+Z) brings it back, until other runs are deleted or this window is closed.")
    )
    return said


def _is_recorded(line: RunLine) -> bool:
    return line.row is not None and line.row.events_file is not None
