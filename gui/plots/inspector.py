"""Pointer and arrow keys over a plot: the crosshair follows, the readout says the values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from modelmon.core.units import three_figures
from modelmon.gui.plots.crosshair import Crosshair
from modelmon.gui.plots.readout import Readout, Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

_KEYBOARD_STEPS = 100
_LEAST_FOR_LINKED_PX = 120
"""In a lower plot the box would hide what the line points at."""

Points = list[tuple["ArmLabel", float]]
Values = tuple[list[str], list[Row]]


class Inspector(QObject):
    """Asks the plot for heights (axis units) and values at a moment, and shows them.

    `moved` carries seconds when the pointer or a key moved the crosshair, None when it left.
    """

    moved = Signal(object)

    def __init__(
        self,
        canvas: Canvas,
        heights_at: Callable[[float], Points],
        values_at: Callable[[float], Values],
    ) -> None:
        super().__init__(canvas)
        self.readout = Readout(canvas)
        self.seconds: float | None = None
        self._canvas = canvas
        self._heights_at = heights_at
        self._values_at = values_at
        self._crosshair = Crosshair(canvas)
        self._is_here = False
        canvas.hovered.connect(self._on_hovered)
        canvas.left.connect(self._on_left)
        canvas.key_pressed.connect(self._on_key)
        canvas.laid_out.connect(self.refresh)

    def show(self, seconds: float | None) -> None:
        """Put the crosshair at `seconds` with the values: all series where the pointer is, what
        the plot is mainly about where it is over another.
        """
        self.seconds = self._canvas.anchor = seconds
        if seconds is None:
            self._crosshair.hide()
            self.readout.hide()
            return
        points = [(label, seconds, y) for label, y in self._heights_at(seconds)]
        self._crosshair.show(seconds, points)
        if not self._is_here and self._canvas.height() < _LEAST_FOR_LINKED_PX:
            self.readout.hide()
            return
        names, rows = self._values_at(seconds)
        if not self._is_here:
            names, rows = names[:1], [replace(row, texts=row.texts[:1]) for row in rows]
        at = self._canvas.to_px(seconds, sum(self._canvas.y_range) / 2)
        self.readout.show_rows(f"{three_figures(seconds)} s", names, rows, at)
        if not (self._is_here or self.readout.is_inside):
            # It would lie over what the plot beside says.
            self.readout.hide()

    def refresh(self) -> None:
        """Show the values anew after the curves changed."""
        if self.seconds is not None:
            self.show(self.seconds)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's colours."""
        self._crosshair.apply_theme(theme)
        self.refresh()

    def _on_hovered(self, seconds: float, _y: float) -> None:
        self._is_here = True
        self.show(seconds)
        self.moved.emit(seconds)

    def _on_left(self) -> None:
        if self._is_here:
            self._is_here = False
            self.show(None)
            self.moved.emit(None)

    def _on_key(self, key: int) -> None:
        if key == Qt.Key.Key_Escape:
            self._on_left()
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return
        low, high = self._canvas.x_range
        at = low if self.seconds is None else self.seconds
        step = (high - low) / _KEYBOARD_STEPS
        at += step if key == Qt.Key.Key_Right else -step
        self._on_hovered(min(max(at, low), high), 0.0)
