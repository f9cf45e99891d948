"""What changed since a day: from when on loads took longer, or less time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QDateEdit, QWidget

from modelmon.core.comparison.changes import changes
from modelmon.core.machine.origin import this_machine
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.table_dialog import TableDialog
from modelmon.gui.widgets.text_table import TextRow

if TYPE_CHECKING:
    from modelmon.core.comparison.changes import Change, Changes
    from modelmon.core.errors import ModelmonError
    from modelmon.gui.background.history_access import HistoryAccess

_HEADINGS = (mark("Change"), mark("How sure"), mark("What to check"))
_DAYS_BACK = 30


class ChangesDialog(TableDialog):
    """A day that can be chosen, and what changed from it on here."""

    def __init__(self, history: HistoryAccess, parent: QWidget | None = None) -> None:
        super().__init__(tr("What changed"), _HEADINGS, (), parent)
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
                self.table.set_rows([_row(change) for change in found.changes])
                self.said.setText(said(found.summary(day.toString("yyyy-MM-dd"))))

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket:
                self.table.set_rows([])
                self.said.setText(said(error.text))

        self._history.ask(
            lambda history: changes(history, since_unix_s, this_machine().id), show, fail
        )


def _row(change: Change) -> TextRow:
    cells = said(change.headline), said(change.reason), said(change.remedy)
    return TextRow(cells, "bad" if change.finding == "slower" else "plain")
