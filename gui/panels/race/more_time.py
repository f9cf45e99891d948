"""Below a ranking: what more time would bring, and buttons to continue the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from modelmon.core.best.confidence import chance_text
from modelmon.core.units import percent_text, rough_text
from modelmon.gui.find_best.race_words import HARDLY_ANY_SHARE, now_text
from modelmon.gui.look.language import mark, tr
from modelmon.gui.look.layout import STRETCH, in_column, in_row
from modelmon.gui.look.styling import ElidedLabel, label, rule, styled

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from modelmon.core.best.result import MoreTime, Objective, Race

_OTHERS: dict[Objective, str] = {
    "cold": mark("Test cold starts…"),
    "warm": mark("Test warm starts…"),
}
_BUTTON_PX = 128
_MARGIN_PX = 8


class MoreTimePanel(QWidget):
    """`budget_wanted` carries the time that the whole race shall have, in ns, to go on with it;
    `other_wanted` the objective of another race, about starts that this one did not test.
    """

    budget_wanted = Signal(object)
    other_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        row = in_row(on=self, margins=(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX), spacing=24)
        self._heading = in_row(label(tr("What more time would bring"), "heading"), spacing=8)
        self.now = ElidedLabel("label")
        self._heading.addWidget(self.now, 1)
        self.other = styled(QPushButton(), "", compact=True)
        self.other.clicked.connect(lambda: self.other_wanted.emit(self._other))
        self._heading.addWidget(self.other)
        self._rows = in_column(spacing=4)
        self._right = in_column(self._heading, self._rows, STRETCH, spacing=4)
        row.addLayout(self._right, 1)
        self.buttons: list[QPushButton] = []
        self._lines: list[QWidget] = []
        self._shown: tuple[Race | None, str] = (None, "")
        self._other: Objective = "warm"
        self._is_slim, self._allowed = False, True

    def show_race(self, race: Race | None, reference: str) -> None:
        """Show a race that is over; it can go on where the history has it by its `reference`."""
        self.setVisible(race is not None)
        before, self._shown = self._shown, (race, reference)
        if race is None or self._shown == before:
            return
        found = race.recommendation
        self.now.set_whole(now_text(race))
        self._other = "cold" if race.objective == "warm" else "warm"
        self.other.setText(tr(_OTHERS[self._other]))
        for widget in (*self.buttons, *self._lines):
            widget.hide()
            widget.deleteLater()
        self.buttons, self._lines = [], []
        left_ns = race.budget_ns - race.spent_ns
        if race.ending == "stopped" and left_ns > 0 and reference:
            time = rough_text(left_ns)
            self._add(
                tr("Rest of the limit"),
                tr("It was stopped {time} before its time limit.", time=time),
                tr("Resume"),
                race.budget_ns,
            )
        for more in found.more_time:
            time = rough_text(more.extra_ns)
            self._add(
                tr("{time} more", time=time),
                _promise(more),
                tr("Continue {time}", time=time) if reference else "",
                race.spent_ns + more.extra_ns,
            )
        if not (self._lines or self.buttons):
            self._add("", _nothing(race), "", 0)
        self.allow(self._allowed)
        self._fit()

    def set_slim(self, *, slim: bool) -> None:
        """Take one line, where the ranking above needs the room: what each button would bring is
        its tool tip.
        """
        if slim != self._is_slim:
            self._is_slim = slim
            shown, self._shown = self._shown, (None, "")
            self.show_race(*shown)

    def allow(self, allowed: bool) -> None:
        """Whether a race can go on now."""
        self._allowed = allowed
        for button in (*self.buttons, self.other):
            button.setEnabled(allowed)
            does = button.accessibleDescription() if self._is_slim else ""
            button.setToolTip(does if allowed else tr("Stop what is under way first"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words take more lines in less width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._right.sizeHint().height() + 2 * _MARGIN_PX)

    def _add(self, name: str, text: str, button_text: str, budget_ns: int) -> None:
        if button_text:
            button = QPushButton(button_text)
            button.setProperty("compact", True)
            button.setAccessibleDescription(text)
            button.clicked.connect(lambda: self.budget_wanted.emit(budget_ns))
            self.buttons.append(button)
            if self._is_slim:
                self._heading.insertWidget(self._heading.indexOf(self.other), button)
                return
        line = QWidget()
        grid = QGridLayout(line)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.addWidget(rule(), 0, 0, 1, 3)
        if name:
            heading = label(name, "heading")
            heading.setMinimumWidth(_BUTTON_PX - 16)
            grid.addWidget(heading, 1, 0)
        said = ElidedLabel("value", text, lines=2)
        grid.addWidget(said, 1, 1 if name else 0, 1, 1 if name else 2)
        if button_text:
            button.setMinimumWidth(_BUTTON_PX)
            grid.addWidget(button, 1, 2, Qt.AlignmentFlag.AlignVCenter)
        self._rows.addWidget(line)
        self._lines.append(line)
        # Layouts count what is shown, and show what is new only later.
        line.show()


def _promise(more: MoreTime) -> str:
    chance = chance_text(more.chance_of_other)
    if more.gain_share < HARDLY_ANY_SHARE:
        return tr(
            "Hardly anything left to gain; {chance} that another strategy is recommended.",
            chance=chance,
        )
    return tr(
        "At most {share} left to gain; {chance} that another strategy is recommended.",
        share=percent_text(more.gain_share),
        chance=chance,
    )


def _nothing(race: Race) -> str:
    if race.ending == "decided":
        return tr("The result is clear. More time would hardly change it.")
    if race.objective == "memory":
        return tr("More runs hardly change what memory a strategy takes.")
    if race.why_stopped:
        return tr("It can't be resumed. Start Find best again.")
    return tr("One round takes too long to predict what more time would bring.")
