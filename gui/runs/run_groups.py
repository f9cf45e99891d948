"""Runs of the table by what they have in common: strategy, start, part of the model and place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.comparison.run_validity import spoiling_in
from modelmon.core.worker.result import middle_run
from modelmon.gui.language import tr
from modelmon.gui.plots.strip_rows import mark_of, row_of, times_title
from modelmon.gui.runs.overlay_controller import name_of
from modelmon.gui.session.run_words import model_share_text
from modelmon.gui.session.session import LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from modelmon.gui.plots.strip_rows import StripMark, StripRow
    from modelmon.gui.runs.overlay_controller import Key
    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session


class RunGroup(NamedTuple):
    """Runs that can be summed up."""

    name: str
    lines: Sequence[RunLine]

    @property
    def middle(self) -> RunLine | None:
        """The run in the middle of those that count and can be drawn."""
        drawn = [line for line in self.lines if line.counts and line.has_events]
        middle = middle_run(line.figures for line in drawn if line.figures is not None)
        return next((line for line in drawn if middle and line.figures is middle), None)


def groups_of(lines: Iterable[RunLine]) -> list[RunGroup]:
    """The runs that have figures, in the order in which their groups come."""
    found: dict[tuple[str, ...], list[RunLine]] = {}
    for line in lines:
        if line.figures is not None:
            place = line.where if line.row is not None and line.elsewhere else ""
            part = model_share_text(line.figures)
            what = times_title((line.figures,))
            key = (line.strategy, line.start.lower(), part, line.model, place, what)
            found.setdefault(key, []).append(line)
    # Where all are of one model, were made here, or tell the same time, no name says so.
    tell = [at < 3 or len({key[at] for key in found}) > 1 for at in range(6)]
    return [
        RunGroup(
            tr(", ").join(part for part, told in zip(key, tell, strict=True) if told and part), each
        )
        for key, each in found.items()
    ]


def title_of(groups: Iterable[RunGroup]) -> str:
    """What the times of these groups are of."""
    firsts = (next(iter(group.lines)).figures for group in groups)
    return times_title([figures for figures in firsts if figures is not None])


def strip_rows(
    groups: Iterable[RunGroup], session: Session, styles: Mapping[Key, int]
) -> list[StripRow]:
    """A row for each group in the color that its runs have in the plots: A's, B's or that of a
    further run; those without one take the next.
    """
    groups = list(groups)
    known = [_hue(group, session, styles) for group in groups]
    taken = {hue for hue in known if isinstance(hue, int)}
    free = (number for number in range(len(taken) + len(groups)) if number not in taken)
    rows = []
    for group, hue in zip(groups, known, strict=True):
        shown = next(free) if hue is None else hue
        rows.append(row_of(group.name, shown, [_mark(line) for line in group.lines]))
    return rows


def _mark(line: RunLine) -> StripMark:
    assert line.figures is not None
    # The history's rows do not say what a run was warned of.
    result = line.run.result if line.run is not None else None
    return mark_of(line.figures, name_of(line), spoiling_in(result) if result is not None else ())


def arm_of(group: RunGroup, session: Session) -> ArmLabel | None:
    """The arm that shows one of its runs."""
    records = [line.run.record for line in group.lines if line.run is not None]
    shown = (at for at in LABELS if any(record is session.record(at) for record in records))
    return next(shown, None)


def _hue(group: RunGroup, session: Session, styles: Mapping[Key, int]) -> ArmLabel | int | None:
    styled = (styles[line.key] for line in group.lines if line.key in styles)
    return arm_of(group, session) or next(styled, None)
