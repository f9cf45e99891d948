"""What the slot's pages have in common: a badge, texts with chips below, and buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy, QWidget

from modelmon.gui.language import sentences
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.layout import STRETCH, cleared, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, plain, restyle, styled
from modelmon.gui.widgets.theme import font, set_icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

BUTTONS_PX = 144
_MARGINS_PX = (16, 2, 16, 2)
_GAP_PX, _BUTTONS_GAP_PX, _CHIPS_GAP_PX = 16, 4, 8
_LINES, _LOW_LINES = 4, 3
"""There is room for so many: of headline, reason and caveat, and of chips where these are below."""
_HEADLINE_PX, _MOST_PX = 16, 16_777_215


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

    def px_within(self, room_px: int, always: int) -> int:
        """The width of as many chips as such a width has room for, and of the first `always`."""
        taken_px = 0
        for at, chip in enumerate(self.chips):
            wider_px = taken_px + chip.sizeHint().width() + (_CHIPS_GAP_PX if at else 0)
            if at >= always and wider_px > room_px:
                break
            taken_px = wider_px
        return taken_px

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
        self._parts = in_column(STRETCH, self._column, self.chip_row, STRETCH, on=self, spacing=2)
        self._is_low = False

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

    def set_low(self, *, low: bool) -> None:
        """Have the chips beside the words, which get fewer lines; or below them."""
        if low != self._is_low:
            self._is_low = low
            self.headline.set_lines((_LOW_LINES if low else _LINES) - 1)
            _lie_down(self._parts, QBoxLayout.Direction.LeftToRight, low=low)
            self._parts.setSpacing(_GAP_PX if low else 2)
            for at, share in enumerate((0, 1, 0, 0) if low else (1, 0, 0, 1)):
                self._parts.setStretch(at, share)
            if not low:
                self.chip_row.setMinimumWidth(0)
                self.chip_row.setMaximumWidth(_MOST_PX)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the lines anew."""
        super().resizeEvent(event)
        self._fit()

    def _show_chips(self) -> None:
        self.chip_row.show_chips((*self._lasting, *self._own))

    def _fit(self) -> None:
        room_px, has_chips = self.width(), bool(self.chip_row.chips)
        if self._is_low and has_chips:
            letters = QFontMetrics(font(_HEADLINE_PX, 600))
            free_px = room_px - letters.horizontalAdvance(self.headline.whole) - _GAP_PX
            chips_px = self.chip_row.px_within(free_px, len(self._lasting))
            self.chip_row.setFixedWidth(chips_px)
            self.chip_row.setVisible(chips_px > 0)
            room_px -= chips_px + _GAP_PX if chips_px else 0
        self.headline.resize(room_px, self.headline.height())
        self.headline.elide()
        lines = self.headline.line_count
        # What two lines and a caveat leave no room for is one text, whole in the tool tip.
        joined = self._is_low and lines > 1
        self.reason.set_whole(sentences(self._reason, self._caveat) if joined else self._reason)
        self.caveat.set_whole("" if joined else self._caveat)
        for each in (self.reason, self.caveat):
            each.setVisible(bool(each.whole))
        taken = lines + bool(self.caveat.whole) + (has_chips and not self._is_low)
        self.reason.set_lines(max(1, (_LOW_LINES if self._is_low else _LINES) - taken))
        # Heights of another width may be in it.
        self._column.invalidate()
        self._column.activate()

    def _on_chip(self, about: str) -> None:
        lasting = next((chip for chip in self._lasting if chip.tool_tip == about), None)
        if lasting is None:
            self.fact_clicked.emit(about)
        else:
            TextDialog(lasting.text, about, self.window()).open()


class SlotPage(QWidget):
    """A badge, the texts, what the page has beside them, and a column of buttons."""

    def __init__(
        self,
        badge: QWidget,
        beside: Sequence[QWidget],
        buttons: Sequence[QPushButton],
        small: Sequence[QPushButton],
    ) -> None:
        """Of the `buttons` the `small` ones are compact."""
        super().__init__()
        self.texts = SlotTexts()
        self.is_low = False
        self._all = buttons
        first = [button for button in buttons if button not in small]
        self._buttons = in_column(*first, in_column(*small, spacing=_BUTTONS_GAP_PX))
        self._buttons.setSpacing(_BUTTONS_GAP_PX)
        for button in buttons:
            restyle(button, compact=button in small)
            button.setMinimumWidth(BUTTONS_PX)
        row = in_row(on=self, margins=_MARGINS_PX, spacing=_GAP_PX)
        row.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.texts, 1)
        for part in beside:
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(in_column(STRETCH, self._buttons, STRETCH))

    def set_low(self, *, low: bool) -> None:
        """Take less height: chips beside the words, small buttons beside the large one."""
        if low != self.is_low:
            self.is_low = low
            self.texts.set_low(low=low)
            _lie_down(self._buttons, QBoxLayout.Direction.RightToLeft, low=low)
            for button in self._all:
                button.setMinimumWidth(0 if low else BUTTONS_PX)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show what there is room for at this width."""


def _lie_down(parts: QBoxLayout, towards: QBoxLayout.Direction, *, low: bool) -> None:
    """Have parts next to each other where there is little height, else below each other."""
    parts.setDirection(towards if low else QBoxLayout.Direction.TopToBottom)
