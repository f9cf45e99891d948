"""Texts of the slot, with chips below."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.layout import STRETCH, cleared, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, plain, styled
from modelmon.gui.widgets.theme import set_icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

_CHIPS_GAP_PX = 8
_LINES = 4
"""There is room for so many: of headline, reason, caveat and chips."""


class Chip(NamedTuple):
    """Few words on a verdict, with an icon in a role of the theme, and the whole as a tool tip,
    a line of it for each line of the details that says it.
    """

    text: str
    icon: str
    colour: str = "text_2"
    tool_tip: str = ""


class ChipRow(QWidget):
    """Shows as many chips as there is room for, the gravest first; `clicked` carries the tool tip
    of one.
    """

    clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = in_row(on=self, spacing=_CHIPS_GAP_PX)
        self.chips: list[QPushButton] = []

    def show_chips(self, wanted: Sequence[Chip]) -> None:
        """Show these."""
        cleared(self._row)
        self.chips = []
        for chip in wanted:
            button = styled(QPushButton(f" {chip.text}"), "chip")
            button.setAccessibleName(chip.text)
            button.setToolTip(plain(chip.tool_tip))
            set_icon(button, chip.icon, chip.colour)
            button.clicked.connect(lambda _=False, tip=chip.tool_tip: self.clicked.emit(tip))
            self._row.addWidget(button)
            self.chips.append(button)
        self._row.addStretch(1)
        self.setVisible(bool(wanted))
        self._fit()

    def sizeHint(self) -> QSize:
        """As high as a chip, also while there is room for none."""
        return QSize(0, max((chip.sizeHint().height() for chip in self.chips), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show those that fit by now."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room_px = self.width() + _CHIPS_GAP_PX
        for chip in self.chips:
            room_px -= chip.sizeHint().width() + _CHIPS_GAP_PX
            chip.setVisible(room_px >= 0)


class SlotTexts(QWidget):
    """A headline that is always whole, the reason in what lines the rest leaves, a caveat, and
    chips: those that are `lasting` come before those of the texts.
    """

    fact_clicked = Signal(str)
    """A chip of the texts, by its tool tip; one that lasts shows it."""

    def __init__(self) -> None:
        super().__init__()
        self.headline = ElidedLabel("headline", smaller="title", lines=_LINES - 1)
        self.reason = ElidedLabel("value")
        self.caveat = ElidedLabel("label")
        self.chip_row = ChipRow()
        self.chip_row.hide()
        self.chip_row.clicked.connect(self._on_chip)
        self._labels = (self.headline, self.reason, self.caveat)
        self._own: tuple[Chip, ...] = ()
        self._lasting: tuple[Chip, ...] = ()
        self._reason = self._caveat = ""
        self._column = in_column(STRETCH, *self._labels, STRETCH, spacing=2)
        in_column(STRETCH, self._column, self.chip_row, STRETCH, on=self, spacing=2)

    def set_texts(
        self, headline: str, reason: str, caveat: str, chips: tuple[Chip, ...] = ()
    ) -> None:
        """Show these; what is empty takes no room."""
        self._reason, self._caveat = reason, caveat
        self.headline.set_whole(headline)
        self.headline.setVisible(bool(headline))
        if chips != self._own:
            self._own = chips
            self._show_chips()
        self._fit()

    def set_lasting(self, chips: tuple[Chip, ...]) -> None:
        """Show these, whatever the texts are."""
        if chips != self._lasting:
            self._lasting = chips
            self._show_chips()
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the lines anew."""
        super().resizeEvent(event)
        self._fit()

    def _show_chips(self) -> None:
        self.chip_row.show_chips((*self._lasting, *self._own))

    def _fit(self) -> None:
        self.headline.resize(self.width(), self.headline.height())
        self.headline.elide()
        self.reason.set_whole(self._reason)
        self.caveat.set_whole(self._caveat)
        for each in (self.reason, self.caveat):
            each.setVisible(bool(each.whole))
        taken = self.headline.line_count + bool(self._caveat) + bool(self.chip_row.chips)
        self.reason.set_lines(max(1, _LINES - taken))
        # Heights of another width may be in it.
        self._column.invalidate()
        self._column.activate()

    def _on_chip(self, about: str) -> None:
        lasting = next((chip for chip in self._lasting if chip.tool_tip == about), None)
        if lasting is None:
            self.fact_clicked.emit(about)
        else:
            TextDialog(lasting.text, about, self.window()).open()
