"""Recorded runs side by side, with ratios where nothing but the strategy differs; and what changed
since a day: from when on loads took longer, or less time. Both as the terminal prints them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QComboBox, QDateEdit, QWidget

from modelmon.core.comparison.changes import changes
from modelmon.core.comparison.posterior import usual_ratio
from modelmon.core.export.history_items import change_items, group_items
from modelmon.core.history.groups import side_by_side, without_follow_ups
from modelmon.core.machine.origin import this_machine
from modelmon.gui.language import said, tr
from modelmon.gui.session.details import markdown_of
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.layout import STRETCH, in_row
from modelmon.gui.widgets.styling import label
from modelmon.gui.widgets.tables import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.comparison.changes import Changes
    from modelmon.core.errors import ModelmonError
    from modelmon.core.history.rows import RunRow
    from modelmon.gui.background.history_access import HistoryAccess

    Named = tuple[str, list[RunRow]]

_SIZE_PX = (960, 420)
_DAYS_BACK = 30


class _AskedDialog(TextDialog):
    """An answer, below what it is the answer for."""

    def __init__(self, title: str, question: str, field: QWidget, parent: QWidget, hint: str = ""):
        super().__init__(title, "", parent, _SIZE_PX, is_markdown=True, hint=hint)
        field.setAccessibleName(question)
        self.column.insertLayout(0, in_row(label(question, "label"), field, STRETCH, spacing=8))


def named_groups(rows: Sequence[RunRow]) -> list[Named]:
    """Runs of one arm of an experiment together, as far as its verdict rests on them; each by
    itself where all are of one arm.
    """
    arms: dict[str, list[RunRow]] = {}
    for row in rows:
        arms.setdefault(row.experiment, []).append(row)
    if len(arms) > 1:
        used = {arm: without_follow_ups(each) or each for arm, each in arms.items()}
        return [
            (each[0].name or arm if len(each) == 1 else arm, each) for arm, each in used.items()
        ]
    return [(row.name or tr("run {number}", number=row.id), [row]) for row in rows]


class CompareRunsDialog(_AskedDialog):
    """Groups of runs, set against the one that is chosen above."""

    def __init__(self, rows: Sequence[RunRow], parent: QWidget) -> None:
        self._named = named_groups(rows)
        self.base = QComboBox()
        groups = side_by_side(self._named, usual_ratio)
        self.base.addItems([f"{group.name}, {group.strategy}" for group in groups])
        super().__init__(tr("Compare recorded runs"), tr("Compare"), self.base, parent)
        self.base.currentIndexChanged.connect(self._show)
        self._show(0)

    def _show(self, at: int) -> None:
        base = self._named[at]
        others = (group for group in self._named if group is not base)
        self.show_markdown(markdown_of(group_items(side_by_side([base, *others], usual_ratio))))


class ChangesDialog(_AskedDialog):
    """A day that can be chosen, and what changed from it on here."""

    def __init__(self, history: HistoryAccess, parent: QWidget) -> None:
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
        super().__init__(tr("What changed"), tr("Since"), self.day, parent, hint)
        self.day.dateChanged.connect(self._ask)
        self._ask()

    def done(self, result: int) -> None:
        """An answer that comes later is not shown."""
        self._ticket = None
        super().done(result)

    def _ask(self) -> None:
        ticket = self._ticket = object()
        day, here = self.day.date(), this_machine().id
        since_unix_s = day.startOfDay().toSecsSinceEpoch()
        self.show_markdown(tr("Reading the history"))

        def show(found: Changes) -> None:
            if ticket is self._ticket:
                self.show_markdown(
                    markdown_of(change_items(found, day.toString("yyyy-MM-dd"), here))
                )

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket:
                self.show_markdown(escaped(said(error.text)))

        self._history.ask(lambda history: changes(history, since_unix_s, here), show, fail)
