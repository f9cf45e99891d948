"""The order of a comparison's runs as a row of lettered squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from modelmon.gui.look.language import mark, tr
from modelmon.gui.look.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from modelmon.gui.window.notices import Square

_SIZE_PX = 24
_GAP_PX = 5
_ROWS = 2
_MOST_PER_ROW = 10
_WORDS = {
    "done": mark("done"),
    "discarded": mark("done, not counted"),
    "now": mark("in progress"),
    "to-do": mark("pending"),
}


class OrderStrip(QWidget):
    """Squares in the arms' colours: filled is done, crossed out is not counted, soft is now.

    Shows up to two rows; of longer experiments the part around the current run, with an ellipsis
    where runs before or after it are left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Run order"))
        self._squares: tuple[Square, ...] = ()
        self._first = 0
        manager().changed.connect(self.update)

    def set_squares(self, squares: tuple[Square, ...]) -> None:
        """Show another order, or another state of it."""
        if squares == self._squares:
            return
        resized = len(squares) != len(self._squares)
        self._squares = squares
        here = next((at for at, square in enumerate(squares) if square.state == "now"), 0)
        most = _ROWS * _MOST_PER_ROW
        self._first = max(0, min(here - most // 2, len(squares) - most))
        words = [f"{square.label} {tr(_WORDS[square.state])}" for square in squares]
        self.setAccessibleDescription(tr(", ").join(words))
        if resized:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for up to two rows of ten."""
        columns = min(len(self._squares), _MOST_PER_ROW)
        rows = 1 if len(self._squares) <= _MOST_PER_ROW else _ROWS
        step = _SIZE_PX + _GAP_PX
        return QSize(max(0, columns * step - _GAP_PX), rows * step - _GAP_PX)

    def event(self, event: QEvent) -> bool:
        """Each square has a tool tip of its own."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            for at in range(len(self._squares)):
                if self._place(at - self._first).contains(event.pos()) and at >= self._first:
                    QToolTip.showText(event.globalPos(), self._about(at), self)
                    return True
            QToolTip.hideText()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the squares."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(11, 600))
        for at, square in enumerate(self._squares[self._first :][: _ROWS * _MOST_PER_ROW]):
            if self._left_out(self._first + at):
                painter.setPen(manager().theme.text_2)
                painter.drawText(self._place(at), Qt.AlignmentFlag.AlignCenter, "…")
            else:
                self._paint(painter, self._place(at), square)
        painter.end()

    def _left_out(self, at: int) -> int:
        """How many runs the square stands for, where it is the first or last of a part."""
        last = self._first + _ROWS * _MOST_PER_ROW - 1
        if at == self._first > 0:
            return at + 1
        return len(self._squares) - at if at == last < len(self._squares) - 1 else 0

    def _about(self, at: int) -> str:
        left_out = self._left_out(at)
        if left_out:
            first = at + 2 - left_out if at == self._first else at + 1
            return tr("Runs {first} to {last}", first=first, last=first + left_out - 1)
        square = self._squares[at]
        return tr(
            "Run {number} of {count}: {arm}, {state}",
            number=at + 1,
            count=len(self._squares),
            arm=square.label,
            state=tr(_WORDS[square.state]),
        )

    def _place(self, at: int) -> QRectF:
        row, column = divmod(at, _MOST_PER_ROW)
        step = _SIZE_PX + _GAP_PX
        return QRectF(column * step + 1, row * step + 1, _SIZE_PX - 2, _SIZE_PX - 2)

    def _paint(self, painter: QPainter, place: QRectF, square: Square) -> None:
        theme = manager().theme
        arm, soft = theme.arm(square.label), theme.arm_soft(square.label)
        ground, outline, text, width = {
            "done": (arm, arm, theme.on_fill, 1.0),
            "discarded": (theme.panel, arm, arm, 1.0),
            "now": (soft, arm, arm, 2.0),
            "to-do": (theme.panel, theme.control, theme.text_2, 1.0),
        }[square.state]
        painter.setPen(QPen(outline, width))
        painter.setBrush(ground)
        painter.drawRoundedRect(place, 4, 4)
        painter.setPen(text)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, square.label)
        if square.state == "discarded":
            painter.setPen(QPen(outline, 1.5))
            painter.drawLine(place.bottomLeft(), place.topRight())
