"""What the slot says: a headline that is always whole, what stands behind it, and chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.icons import set_icon
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import ElidedLabel, line_starts, plain, styled

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.session.notices import Chip

_GAP_PX, _CHIPS_GAP_PX = 2, 8
_SLIM_LINES, _BESIDE_PX = 2, 12
_MOST_HEADLINES = 3
_BETWEEN_CHIPS_PX = 8


class ChipRow(QWidget):
    """Shows as many chips as there is room for, the gravest first; `clicked` carries the tool tip
    of one.
    """

    clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = in_row(on=self, spacing=_BETWEEN_CHIPS_PX)
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
        return sum(widths) + _BETWEEN_CHIPS_PX * (len(widths) - 1) if widths else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show those that fit by now."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room_px = self.width() + _BETWEEN_CHIPS_PX
        for chip in self.chips:
            room_px -= chip.sizeHint().width() + _BETWEEN_CHIPS_PX
            chip.setVisible(room_px >= 0)


class SlotTexts(QWidget):
    """Divides its height: headline and chips take what they need, the caveat a line, the reason
    the most of the rest. Together they stand in the middle.

    `lasting` chips come before those of the texts. In a slim slot the headline is all, but for the
    first chip and what has room below: the reason, or what stands for it in brief. `untold` says
    what is left out then.
    """

    fact_clicked = Signal(str)
    """A chip of the texts, by its tool tip; one that lasts shows it."""

    def __init__(self) -> None:
        super().__init__()
        self.headline = ElidedLabel("headline", smaller="title", lines=_MOST_HEADLINES)
        self.reason = ElidedLabel("value")
        self.caveat = ElidedLabel("label")
        self.brief = ElidedLabel("value")
        self._labels = (self.headline, self.reason, self.caveat)
        self.brief.hide()
        self.chip_row = ChipRow()
        self.chip_row.clicked.connect(self._on_chip)
        for each in (*self._labels, self.brief, self.chip_row):
            each.setParent(self)
        self._chips: tuple[Chip, ...] = ()
        self._own: tuple[Chip, ...] = ()
        self._lasting: tuple[Chip, ...] = ()
        self._slim = False
        self.untold: tuple[str, ...] = ()
        self.is_cut = False
        """Whether the headline has no room in a slim slot."""
        self.chip_row.hide()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    def set_texts(
        self,
        headline: str,
        reason: str,
        caveat: str,
        chips: tuple[Chip, ...] = (),
        brief: str = "",
    ) -> None:
        """Show these; what is empty takes no room."""
        texts = (headline, reason, caveat)
        same = texts == tuple(each.whole for each in self._labels) and brief == self.brief.whole
        if same and chips == self._own:
            return
        self.brief.set_whole(brief)
        self._own = chips
        self._show_chips()
        for each, text in zip(self._labels, texts, strict=True):
            each.set_whole(text)
            each.setVisible(bool(text))
        self._fit()

    def set_lasting(self, chips: tuple[Chip, ...]) -> None:
        """Show these, whatever the texts are."""
        if chips != self._lasting:
            self._lasting = chips
            self._show_chips()
            self._fit()

    def _on_chip(self, about: str) -> None:
        lasting = next((chip for chip in self._lasting if chip.tool_tip == about), None)
        if lasting is None:
            self.fact_clicked.emit(about)
        else:
            TextDialog(lasting.text, about, self.window()).open()

    def _show_chips(self) -> None:
        chips = (*self._lasting, *self._own)
        if chips != self._chips:
            self._chips = chips
            self.chip_row.show_chips(chips)
            self.chip_row.setVisible(bool(chips))

    def set_slim(self, *, slim: bool) -> None:
        """Make do with the height of two lines."""
        if slim != self._slim:
            self._slim = slim
            for each in self._labels:
                each.setVisible(bool(each.whole))
            self.chip_row.setVisible(bool(self._chips))
            self._fit()

    def sizeHint(self) -> QSize:
        """As much as there is."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.untold, self.is_cut = (), False
        self.headline.set_more("")
        self.brief.hide()
        if self._slim:
            self._fit_slim()
            return
        shown = [each for each in self._labels if each.whole]
        width, gaps = self.width(), _GAP_PX * (len(shown) - 1)
        chips = self.chip_row.sizeHint().height() if self._chips else 0
        foot = chips + _CHIPS_GAP_PX if chips else 0
        room = self.height() - gaps - foot
        # Its lines are known once it has its width.
        self._give_width(self.headline, width)
        left = room - self.headline.sizeHint().height()
        wanted = [self._lines(each, width) for each in (self.reason, self.caveat)]
        line_px = self.reason.fontMetrics().lineSpacing()
        heights: list[int] = []
        # Lines in which another font steps in are higher than the label's own.
        for lines in range(max(left // line_px, 1), 0, -1):
            reason, caveat = _shared(lines, wanted[0], wanted[1])
            self.reason.set_lines(max(reason, 1))
            self.caveat.set_lines(max(caveat, 1))
            for each in shown:
                self._give_width(each, width)
            heights = [each.sizeHint().height() for each in shown]
            if sum(heights) <= room:
                break
        top = max((room - sum(heights)) // 2, 0)
        for each, height in zip(shown, heights, strict=True):
            each.setGeometry(0, top, width, height)
            top += height + _GAP_PX
        self.chip_row.setGeometry(0, top - _GAP_PX + _CHIPS_GAP_PX, width, chips)

    def _fit_slim(self) -> None:
        chips_px = self.chip_row.needed_px(1)
        beside_px = self.width() - chips_px - _BESIDE_PX
        lines = self._slim_lines(beside_px)
        with_chip = bool(chips_px) and lines <= _SLIM_LINES
        width = beside_px if with_chip else self.width()
        self._give_width(self.headline, width)
        more = [each for each in (self.reason, self.caveat) if each.whole]
        headline_lines = self._slim_lines(width)
        alone, self.is_cut = headline_lines == 1, headline_lines > _SLIM_LINES
        below = [each for each in (*more[:1], self.brief) if self._lines(each, width) == 1]
        told = below[:1] if alone else []
        self.untold = tuple(each.whole for each in more if each not in told)
        self.headline.set_more("\n".join(self.untold))
        shown = [self.headline, *told]
        for each in (*self._labels, self.brief):
            each.setVisible(each in shown)
            self._give_width(each, width)
        heights = [each.sizeHint().height() for each in shown]
        top = max((self.height() - sum(heights)) // 2, 0)
        for each, height in zip(shown, heights, strict=True):
            each.setGeometry(0, top, width, height)
            top += height
        self.chip_row.setVisible(with_chip)
        chip_height = self.chip_row.sizeHint().height()
        middle = (self.height() - chip_height) // 2
        self.chip_row.setGeometry(self.width() - chips_px, middle, chips_px, chip_height)

    def _slim_lines(self, width_px: int) -> int:
        """How many lines the headline needs in that width, in the smaller of its fonts if in
        more than one.
        """
        self._give_width(self.headline, width_px)
        return self._lines(self.headline, width_px)

    @staticmethod
    def _give_width(text: ElidedLabel, width_px: int) -> None:
        text.resize(width_px, text.height())
        text.elide()

    @staticmethod
    def _lines(text: ElidedLabel, width_px: int) -> int:
        text.ensurePolished()
        return len(line_starts(text.whole, text.font(), width_px)) if text.whole else 0


def _shared(lines: int, reason: int, caveat: int) -> tuple[int, int]:
    """How many of the `lines` each gets of those that it wants."""
    least_caveat = min(caveat, 1)
    reason = min(reason, max(lines - least_caveat, 1))
    return reason, min(caveat, max(lines - reason, least_caveat))
