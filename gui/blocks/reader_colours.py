"""A shade of its arm's colour for each reader of a load, and a legend that tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from modelmon.gui.language import tr
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

MOST_COLOURS = 8
"""More cannot be told apart: further readers share them in turn."""
_SHADES = (0.0, 0.55, -0.5, 0.3, -0.2, 0.5, -0.6, 0.15)
"""How far each is from the arm's colour to the ground's (below 0: to the text's). Neighbours, whose
requests lie beside each other, are far apart.
"""
_SQUARE_PX = 9
_GAP_PX = 4
_BETWEEN_PX = 10


def reader_colours(theme: Theme, label: ArmLabel) -> list[QColor]:
    """Shades of the arm's colour: that says whose load it is."""
    if manager().alone:
        return [theme.text] * MOST_COLOURS  # its readers aren't known
    arm = theme.arm(label)
    return [_mixed(arm, theme.panel if share > 0 else theme.text, abs(share)) for share in _SHADES]


def colour_numbers(readers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of the colours each reader has."""
    numbers: NDArray[np.int64] = readers % MOST_COLOURS
    return numbers


class ReaderLegend(QWidget):
    """A square and a number for each reader; of many, which ones share a colour."""

    def __init__(self, label: ArmLabel) -> None:
        super().__init__()
        self._label: ArmLabel = label
        self.texts: list[str] = []
        self._colours: list[int] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_readers(self, known: list[int]) -> None:
        """Name these readers."""
        texts = [str(reader + 1) for reader in known[:MOST_COLOURS]]
        if len(known) > MOST_COLOURS:
            texts.append(tr("and so on, {count} readers", count=len(known)))
        if texts != self.texts:
            self.texts = texts
            self._colours = [reader % MOST_COLOURS for reader in known[:MOST_COLOURS]]
            self.setToolTip(
                tr("A point's shade shows which reader made the request")
                if len(known) <= MOST_COLOURS
                else tr("Readers share shades: every {step} look the same.", step=MOST_COLOURS)
            )
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Height of a line; as wide as there is room for."""
        metrics = QFontMetricsF(font(11))
        width = sum(metrics.horizontalAdvance(text) for text in (self._title, *self.texts))
        more = (len(self.texts) + 1) * (_SQUARE_PX + _GAP_PX + _BETWEEN_PX)
        return QSize(round(width + more), round(metrics.height()))

    def names_that_fit(self) -> list[str]:
        """What there is room for; where that is not all, an ellipsis ends it."""
        metrics = QFontMetricsF(font(11))
        dots_px = _BETWEEN_PX + metrics.horizontalAdvance("…")
        x = metrics.horizontalAdvance(self._title) + _BETWEEN_PX
        for number, text in enumerate(self.texts):
            x += _SQUARE_PX + _GAP_PX + metrics.horizontalAdvance(text)
            is_last = number == len(self.texts) - 1
            if x + (0.0 if is_last else dots_px) > self.width():
                return [*self.texts[:number], "…"]
            x += _BETWEEN_PX
        return self.texts

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what there is room for."""
        del event
        if not self.texts:
            return
        colours = reader_colours(manager().theme, self._label)
        painter = QPainter(self)
        painter.setFont(font(11))
        metrics = QFontMetricsF(painter.font())
        x = self._write(painter, metrics, 0.0, self._title)
        for number, text in enumerate(self.names_that_fit()):
            if number < len(self._colours) and text == self.texts[number]:
                top = (self.height() - _SQUARE_PX) / 2
                square = QRectF(x, top, _SQUARE_PX, _SQUARE_PX)
                painter.fillRect(square, colours[self._colours[number]])
                x += _SQUARE_PX + _GAP_PX
            x = self._write(painter, metrics, x, text)

    @property
    def _title(self) -> str:
        return tr("Reader")

    def _write(self, painter: QPainter, metrics: QFontMetricsF, x: float, text: str) -> float:
        painter.setPen(manager().theme.text_2)
        width = metrics.horizontalAdvance(text)
        box = QRectF(x, 0, width + 1, self.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        return x + width + _BETWEEN_PX


def _mixed(colour: QColor, ground: QColor, share: float) -> QColor:
    return QColor(
        round(colour.red() * (1 - share) + ground.red() * share),
        round(colour.green() * (1 - share) + ground.green() * share),
        round(colour.blue() * (1 - share) + ground.blue() * share),
    )
