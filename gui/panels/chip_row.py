"""A few words beside a verdict, each with an icon; a click on one asks for its details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from modelmon.gui.look.icons import set_icon
from modelmon.gui.look.layout import in_row
from modelmon.gui.look.styling import styled
from modelmon.gui.look.tool_tips import plain

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.window.notices import Chip

_GAP_PX = 8


class ChipRow(QWidget):
    """Shows as many chips as there is room for, the gravest first; `clicked` carries the tool tip
    of one.
    """

    clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = in_row(on=self, spacing=_GAP_PX)
        self.chips: list[QPushButton] = []

    def show_chips(self, wanted: tuple[Chip, ...]) -> None:
        """Show these."""
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
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
        self._fit()

    def sizeHint(self) -> QSize:
        """As high as a chip, also while there is room for none."""
        return QSize(0, max((chip.sizeHint().height() for chip in self.chips), default=0))

    def needed_px(self, count: int) -> int:
        """The width that the first `count` chips take; zero where there are none."""
        widths = [chip.sizeHint().width() for chip in self.chips[:count]]
        return sum(widths) + _GAP_PX * (len(widths) - 1) if widths else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show those that fit by now."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room_px = self.width() + _GAP_PX
        for chip in self.chips:
            room_px -= chip.sizeHint().width() + _GAP_PX
            chip.setVisible(room_px >= 0)
