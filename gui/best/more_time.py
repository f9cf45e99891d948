"""Below a ranking: whether it is settled, and buttons to continue the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from modelmon.core.units import limit_text, rough_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import ElidedLabel, label, styled

if TYPE_CHECKING:
    from modelmon.core.find_best.result import Objective, SearchResult

_OTHERS: dict[Objective, str] = {
    "cold": mark("Test cold starts…"),
    "warm": mark("Test warm starts…"),
}
_MARGIN_PX = 8


class MoreTimePanel(QWidget):
    """`budget_wanted` carries the time that the whole race shall have, in ns, to go on with it;
    `other_wanted` the objective of another race, about starts that this one did not test.
    """

    budget_wanted = Signal(object)
    other_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.text = ElidedLabel("value", lines=2)
        self.more = styled(QPushButton(), "", compact=True)
        self.other = styled(QPushButton(), "", compact=True)
        heading = label(tr("More time"), "heading")
        margins = (_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        in_row(heading, (self.text, 1), self.more, self.other, on=self, margins=margins, spacing=8)
        self._budget_ns = 0
        self._other: Objective = "warm"
        self.more.clicked.connect(lambda: self.budget_wanted.emit(self._budget_ns))
        self.other.clicked.connect(lambda: self.other_wanted.emit(self._other))

    def show_race(self, race: SearchResult | None, reference: str) -> None:
        """Show a race that is over; it can go on where the history has it by its `reference`."""
        self.setVisible(race is not None)
        if race is None:
            return
        self._other = "cold" if race.objective == "warm" else "warm"
        self.other.setText(tr(_OTHERS[self._other]))
        self.text.set_whole(_text(race))
        self.more.setVisible(bool(reference) and race.ending != "decided")
        left_ns = race.budget_ns - race.spent_ns
        if race.ending == "stopped" and left_ns > 0:
            self._budget_ns = race.budget_ns
            self.more.setText(tr("Resume"))
        else:
            self._budget_ns = race.spent_ns + race.more_ns
            self.more.setText(tr("Continue {time}", time=said(limit_text(race.more_ns))))

    def allow(self, allowed: bool) -> None:
        """Whether a race can go on now."""
        for button in (self.more, self.other):
            button.setEnabled(allowed)
            button.setToolTip("" if allowed else tr("Stop what is under way first"))


def _text(race: SearchResult) -> str:
    if race.ending == "decided":
        return tr("The result is clear. More time would hardly change it.")
    if race.why_stopped:
        return tr("It can't be resumed. Start Find best again.")
    left_ns = race.budget_ns - race.spent_ns
    if race.ending == "stopped" and left_ns > 0:
        return tr("It was stopped {time} before its time limit.", time=rough_text(left_ns))
    return tr("The time limit was reached before the result was clear.")
