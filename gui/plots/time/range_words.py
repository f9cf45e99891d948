"""What a plot shows of the whole load while its legend tells of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtGui import QBrush

from modelmon.gui.look.language import tr
from modelmon.gui.look.theme import font, manager
from modelmon.gui.plots.pens import faded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.window.notices import ArmLabel

_LINES_UP = 3.1
"""So many heights of itself above the foot, where ends of runs are named."""
_LEAST_LINES = 5


class RangeWords:
    """A line of words at the left, in the colours of the arms, where there is room for it."""

    def __init__(self, canvas: Canvas, name: str) -> None:
        """`name` says of what the figures are."""
        self.text = ""
        self._name = name
        self._canvas = canvas
        self._words = pg.TextItem()
        self._words.setZValue(30)
        self._words.setAnchor((0.0, _LINES_UP))
        self._words.hide()
        canvas.add(self._words)
        canvas.laid_out.connect(self._place)

    def show(self, figures: Mapping[ArmLabel, str]) -> None:
        """Say these figures of whole loads; none hides the line."""
        theme = manager().theme
        self.text = self._line(figures.values()) if figures else ""
        coloured = self._line(
            f"<b style='color:{theme.arm(label).name()}'>{text}</b>"
            for label, text in figures.items()
        )
        self._words.setHtml(f"<span style='color:{theme.text_2.name()}'>{coloured}</span>")
        self._words.setFont(font(11))
        self._words.fill = QBrush(faded(theme.panel, 0.8))
        self._place()

    def _line(self, figures: Iterable[str]) -> str:
        return tr("{name}: {figures}", name=self._name, figures=tr(", ").join(figures))

    def _place(self) -> None:
        room = self._words.boundingRect()
        width_px, height_px = self._canvas.size_px
        fits = room.width() <= width_px and room.height() * _LEAST_LINES <= height_px
        self._words.setVisible(bool(self.text) and fits)
        self._words.setPos(self._canvas.x_range[0], self._canvas.y_range[0])
