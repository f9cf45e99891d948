"""Recorded runs side by side, with ratios where nothing but the strategy differs; and what changed
since a day: from when on loads took longer, or less time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QComboBox, QDateEdit, QWidget

from modelmon.core.comparison.changes import changes
from modelmon.core.comparison.posterior import usual_ratio
from modelmon.core.history.groups import how_compared, side_by_side
from modelmon.core.machine.origin import this_machine
from modelmon.core.units import duration_text, percent_text, rate_text, three_figures
from modelmon.gui.language import mark, said, tr
from modelmon.gui.runs.run_lines import start_text
from modelmon.gui.widgets.styling import restyle
from modelmon.gui.widgets.tables import TableDialog, TextRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.comparison.changes import Change, Changes
    from modelmon.core.errors import ModelmonError
    from modelmon.core.history.groups import Group
    from modelmon.core.history.rows import RunRow
    from modelmon.gui.background.history_access import HistoryAccess

    Named = tuple[str, list[RunRow]]

_PART = mark("Part")
_HEADINGS = (
    mark("Runs"),
    mark("Model"),
    mark("Strategy"),
    mark("Start"),
    mark("Median"),
    mark("Range"),
    _PART,
    mark("Rate"),
    mark("Counted"),
    mark("Speedup"),
)
_FIGURES = (mark("Median"), mark("Range"), _PART, mark("Rate"), mark("Counted"), mark("Speedup"))
_CHANGE_HEADINGS = (mark("Change"), mark("How sure"), mark("What to check"))
_DAYS_BACK = 30


def named_groups(rows: Sequence[RunRow]) -> list[Named]:
    """Runs of one arm of an experiment together; each by itself where all are of one arm."""
    arms: dict[str, list[RunRow]] = {}
    for row in rows:
        arms.setdefault(row.experiment, []).append(row)
    if len(arms) > 1:
        return [
            (each[0].name or arm if len(each) == 1 else arm, each) for arm, each in arms.items()
        ]
    return [(row.name or tr("run {number}", number=row.id), [row]) for row in rows]


class CompareRunsDialog(TableDialog):
    """One row per group of runs, set against the one that is chosen above."""

    def __init__(self, rows: Sequence[RunRow], parent: QWidget | None = None) -> None:
        super().__init__(tr("Compare recorded runs"), _HEADINGS, _FIGURES, parent)
        self._named = named_groups(rows)
        self.base = QComboBox()
        self.base.addItems([f"{name}, {_strategies(group)}" for name, group in self._named])
        hint = tr(
            "Speedup: how many times as fast as the runs above. For a confidence interval, "
            "use Compare A/B."
        )
        self.lay_out(tr("Compare"), self.base, tr("Groups of runs"), hint)
        self.base.currentIndexChanged.connect(self._show)
        self._show(0)

    def _show(self, at: int) -> None:
        base = self._named[at]
        groups = side_by_side(
            [base, *(group for group in self._named if group is not base)], usual_ratio
        )
        self.table.set_rows([_row(group) for group in groups])
        of_parts = any(group.part_share is not None for group in groups)
        self.view.setColumnHidden(_HEADINGS.index(_PART), not of_parts)
        reasons: dict[tuple[str, ...], list[str]] = {}
        for group in groups[1:]:
            if group.differs:
                reasons.setdefault(group.differs, []).append(group.name)
        refused = [
            tr(
                "{names} can't be compared with {base}: {why}.",
                names=tr(", ").join(names),
                base=groups[0].name,
                why=tr(", ").join(map(said, why)),
            )
            for why, names in reasons.items()
        ]
        restyle(self.said, tone="warn" if refused else "plain")
        self.said.setText("\n".join((*refused, *map(said, how_compared(groups)))))


def _strategies(rows: Sequence[RunRow]) -> str:
    return tr(", ").join(sorted({row.strategy for row in rows}))


def _row(group: Group) -> TextRow:
    middle, rate, spread, part, times = tr("none"), "", "", "", tr("not comparable")
    if group.median_ns is not None and group.bytes_per_s is not None:
        middle, rate = duration_text(group.median_ns), rate_text(group.bytes_per_s)
    if group.fastest_ns is not None and group.slowest_ns is not None:
        fastest, slowest = duration_text(group.fastest_ns), duration_text(group.slowest_ns)
        spread = tr("{low} to {high}", low=fastest, high=slowest)
    if group.times_as_fast is not None:
        times = tr("{ratio}×", ratio=three_figures(group.times_as_fast))
    every = group.runs + group.discarded
    counted = tr("{count} of {all}", count=group.runs, all=every)
    starts = tr(", ").join(map(start_text, group.cache_state.split(", ")))
    if group.part_share is not None:
        # What a part took stands in no column of whole loads.
        share = tr("{share} of the model", share=percent_text(group.part_share))
        part = tr("{time} for {part}", time=middle, part=share)
        part = tr(", ").join((part, spread)) if group.runs > 1 else part
        middle = spread = ""
    head = (group.name, group.model_name, group.strategy, starts)
    cells = (*head, middle, spread, part, rate, counted, times)
    return TextRow(cells, "warn" if group.differs else "plain")


class ChangesDialog(TableDialog):
    """A day that can be chosen, and what changed from it on here."""

    def __init__(self, history: HistoryAccess, parent: QWidget | None = None) -> None:
        super().__init__(tr("What changed"), _CHANGE_HEADINGS, (), parent)
        self._history = history
        self._ticket: object | None = None
        self.day = QDateEdit(QDate.currentDate().addDays(-_DAYS_BACK))
        self.day.setDisplayFormat("yyyy-MM-dd")
        self.day.setCalendarPopup(True)
        self.day.setMaximumDate(QDate.currentDate())
        hint = tr(
            "Loads on this machine. Runs of one day count once, by their median. A change shows "
            "after two days, if there were five before."
        )
        self.lay_out(tr("Since"), self.day, tr("Changes"), hint)
        self.day.dateChanged.connect(self._ask)
        self._ask()

    def done(self, result: int) -> None:
        """An answer that comes later is not shown."""
        self._ticket = None
        super().done(result)

    def _ask(self) -> None:
        ticket = self._ticket = object()
        day = self.day.date()
        since_unix_s = day.startOfDay().toSecsSinceEpoch()
        self.said.setText(tr("Reading the history"))

        def show(found: Changes) -> None:
            if ticket is self._ticket:
                self.table.set_rows([_change_row(change) for change in found.changes])
                self.said.setText(said(found.summary(day.toString("yyyy-MM-dd"))))

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket:
                self.table.set_rows([])
                self.said.setText(said(error.text))

        self._history.ask(
            lambda history: changes(history, since_unix_s, this_machine().id), show, fail
        )


def _change_row(change: Change) -> TextRow:
    cells = said(change.headline), said(change.reason), said(change.remedy)
    return TextRow(cells, "bad" if change.finding == "slower" else "plain")
