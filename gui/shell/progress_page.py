"""The slot's progress: what is under way, how far, how long still, and Stop."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QProgressBar, QSizePolicy, QWidget

from modelmon.gui.language import mark, tr
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, label, push_button, restyle
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from modelmon.gui.session.notices import ArmLabel, ProgressView, Square

_ONE_ROW = 10
_ROOM_FOR_ORDER_PX = 960
_BAR_PX = 8
_STEPS = 1000
_SWING_S = 2.4
_PIECE_SHARE = 0.25
_SIZE_PX = 16
_ROWS = 2
_MOST_PER_ROW = 10
_WORDS = {
    "done": mark("done"),
    "discarded": mark("done, not counted"),
    "now": mark("in progress"),
    "to-do": mark("pending"),
}


class OrderStrip(QLabel):
    """A square for each run in its arm's colour: filled is done, struck out is not counted, soft is
    now.

    Shows up to two rows; of longer experiments the part around the current run, with an ellipsis
    where runs before or after it are left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Run order"))
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setFont(font(11, 600))
        self._squares: tuple[Square, ...] = ()
        manager().changed.connect(self._draw)

    def set_squares(self, squares: tuple[Square, ...]) -> None:
        """Show another order, or another state of it."""
        if squares == self._squares:
            return
        self._squares = squares
        words = [f"{square.label} {tr(_WORDS[square.state])}" for square in squares]
        self.setAccessibleDescription(tr(", ").join(words))
        self.setToolTip(self.accessibleDescription())
        self._draw()

    def _draw(self) -> None:
        squares, most = self._squares, _ROWS * _MOST_PER_ROW
        here = next((at for at, square in enumerate(squares) if square.state == "now"), 0)
        first = max(0, min(here - most // 2, len(squares) - most))
        cells = [_cell(square) for square in squares[first : first + most]]
        if first:
            cells[0] = _ELLIPSIS
        if first + most < len(squares):
            cells[-1] = _ELLIPSIS
        rows = (cells[at : at + _MOST_PER_ROW] for at in range(0, len(cells), _MOST_PER_ROW))
        table = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        self.setText(f"<table cellspacing='4' cellpadding='3'>{table}</table>" if cells else "")


_ELLIPSIS = f"<td width='{_SIZE_PX}'><center>…</center></td>"


def _cell(square: Square) -> str:
    theme = manager().theme
    arm, soft = theme.arm(square.label), theme.arm_soft(square.label)
    ground, ink, text = {
        "done": (arm, theme.on_fill, square.label),
        "discarded": (theme.hover, arm, f"<s>{square.label}</s>"),
        "now": (soft, arm, f"<u>{square.label}</u>"),
        "to-do": (theme.hover, theme.text_2, square.label),
    }[square.state]
    filled = f"<td width='{_SIZE_PX}' bgcolor='{ground.name()}'>"
    return f"{filled}<center style='color:{ink.name()}'>{text}</center></td>"


class ProgressPage(QWidget):
    """Says what is under way, how far it is and how long it will take."""

    def __init__(self) -> None:
        super().__init__()
        self.headline = ElidedLabel("headline", smaller="title")
        self.time_left = label("", "label")
        self.bar = ShareBar()
        self.detail = ElidedLabel("value", lines=2)
        self.fact = ElidedLabel("label")
        # What is under way matters most: it has all the room that the time left does not take.
        first = in_row((self.headline, 1), self.time_left, spacing=16)
        told = in_column(STRETCH, first, self.bar, self.detail, self.fact, STRETCH, spacing=4)
        self.order = OrderStrip()
        self._order_title = label(tr("Run order"), "label")
        order = in_column(STRETCH, self._order_title, self.order, STRETCH, spacing=2)
        self.stop = push_button(tr("Stop"), "stop", "danger", "on_fill")
        row = in_row((told, 1), order, on=self, margins=(16, 4, 16, 4), spacing=24)
        row.addWidget(self.stop, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_view(self, view: ProgressView) -> None:
        """Show where things stand."""
        self.headline.set_whole(view.headline)
        self.time_left.setText(view.time_left)
        self.detail.set_whole(view.detail)
        restyle(self.detail, tone="warn" if view.is_silent else "")
        self.fact.set_whole(view.fact)
        self.bar.show_share(view.share, view.arm)
        self.order.set_squares(view.squares)
        roomy = self.width() >= _ROOM_FOR_ORDER_PX
        self._order_title.setVisible(roomy and 1 <= len(view.squares) <= _ONE_ROW)
        self.order.setVisible(roomy and bool(view.squares))


class ShareBar(QProgressBar):
    """Filled up to the share; a piece that wanders to and fro while nobody knows the share.

    The piece stands where the clock says and is painted with the frame. Qt's own moves by a
    timer, thirty times a second, which takes processor time from the load.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setAccessibleName(tr("Progress"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_BAR_PX)
        self._arm: ArmLabel | None = None
        manager().changed.connect(self.update)

    def show_share(self, share: float | None, arm: ArmLabel | None) -> None:
        """Show another share, 0 to 1, None while it is not known, in the colour of the arm."""
        self._arm = arm
        # Or Qt paints the whole window at once, before the rest of the frame is there.
        self.setUpdatesEnabled(False)
        self.setRange(0, 0 if share is None else _STEPS)
        if share is not None:
            self.setValue(round(share * _STEPS))
        self.setUpdatesEnabled(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground and what is done."""
        del event
        theme = manager().theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        radius = self.height() / 2
        painter.setBrush(theme.hover)
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        painter.setBrush(theme.arm(self._arm) if self._arm else theme.focus)
        start, share = self._filled()
        if share > 0:
            width = max(share * self.width(), 2 * radius)
            painter.drawRoundedRect(
                QRectF(start * (self.width() - width), 0, width, self.height()), radius, radius
            )
        painter.end()

    def _filled(self) -> tuple[float, float]:
        """Where the filled part stands between the ends, and its share of the bar."""
        if self.maximum():
            return 0.0, self.value() / self.maximum()
        phase = time.monotonic() / _SWING_S % 1
        return 1 - abs(2 * phase - 1), _PIECE_SHARE
