"""What changed: the same loads before a day and since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QDateEdit, QWidget

from modelmon.core.experiment.changes import changes
from modelmon.core.machine.origin import this_machine
from modelmon.core.units import duration_text, percent_text, three_figures
from modelmon.gui.look.language import mark, said, tr
from modelmon.gui.models.run_lines import start_text
from modelmon.gui.models.text_table import TextRow
from modelmon.gui.panels.table_dialog import TableDialog

if TYPE_CHECKING:
    from modelmon.core.errors import ModelmonError
    from modelmon.core.experiment.changes import Change, Finding
    from modelmon.gui.history.access import HistoryAccess

_HEADINGS = (
    *(mark("Model"), mark("Strategy"), mark("Start"), mark("Disk")),
    *(mark("Before"), mark("Since"), mark("Speed vs. before"), mark("Finding")),
)
_FIGURES = (mark("Before"), mark("Since"), mark("Speed vs. before"))
_FINDINGS: dict[Finding, str] = {
    "faster": mark("Faster now"),
    "slower": mark("Slower now"),
    "no-difference": mark("No clear change"),
    "undecided": mark("No clear change"),
    "too-few": mark("Too few experiments"),
}
_TONES: dict[Finding, Literal["good", "bad"]] = {"faster": "good", "slower": "bad"}
_DAYS_BACK = 30
_MOST_LINES = 4


class ChangesDialog(TableDialog):
    """A day that can be chosen, and the loads that were measured on both sides of it here."""

    def __init__(self, history: HistoryAccess, parent: QWidget | None = None) -> None:
        super().__init__(tr("What changed"), _HEADINGS, _FIGURES, parent)
        self._history = history
        self._ticket: object | None = None
        self.day = QDateEdit(QDate.currentDate().addDays(-_DAYS_BACK))
        self.day.setDisplayFormat("yyyy-MM-dd")
        self.day.setCalendarPopup(True)
        self.day.setMaximumDate(QDate.currentDate())
        hint = tr(
            "Loads on this machine. Each experiment counts once, by its median run; the "
            "number of experiments is in parentheses. A clear result needs about 5 on each "
            "side."
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

        def show(found: list[Change]) -> None:
            if ticket is self._ticket:
                self.table.set_rows([_row(change) for change in found])
                nothing = tr(
                    "No load was measured both before and after {day}.",
                    day=day.toString("yyyy-MM-dd"),
                )
                self.said.setText(_also_changed(found) if found else nothing)

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket:
                self.table.set_rows([])
                self.said.setText(said(error.text))

        self._history.ask(
            lambda history: changes(history, since_unix_s, this_machine().id), show, fail
        )


def _row(change: Change) -> TextRow:
    times = tr("{ratio}×", ratio=three_figures(change.ratio))
    low, high, coverage = change.ratio_low, change.ratio_high, change.coverage_share
    if low is not None and high is not None and coverage is not None:
        times = tr(
            "{ratio}× ({coverage}: {low}–{high})",
            ratio=three_figures(change.ratio),
            coverage=percent_text(coverage),
            low=three_figures(low),
            high=three_figures(high),
        )
    cells = (
        *(change.model_name, change.strategy, start_text(change.cache_state), change.storage),
        f"{duration_text(change.before_ns)} ({change.before_experiments})",
        f"{duration_text(change.since_ns)} ({change.since_experiments})",
        *(times, tr(_FINDINGS[change.finding])),
    )
    return TextRow(cells, _TONES.get(change.finding, "plain"))


def _also_changed(found: list[Change]) -> str:
    lines = [
        tr(
            "{model}, {strategy}, {start}: also different: {changes}.",
            model=change.model_name,
            strategy=change.strategy,
            start=start_text(change.cache_state),
            changes=tr("; ").join(map(said, change.also_changed)),
        )
        for change in found
        if change.also_changed
    ]
    return "\n".join(lines[:_MOST_LINES] + ["…"] * (len(lines) > _MOST_LINES))
