"""Moments that all plots over time have in common, as dashed vertical lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg

from modelmon.gui.plots.pens import pen
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.gui.plots.canvas import Canvas

_BEHIND_CURVES = 4


class Moments:
    """The lines of one plot."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._lines: list[pg.InfiniteLine] = []
        self._shown: object = None
        self.seconds: tuple[float, ...] = ()

    def show(self, seconds: Sequence[float]) -> None:
        """Mark these moments, and no others."""
        theme = manager().theme
        if (shown := (tuple(seconds), theme)) == self._shown:
            return
        self._shown, self.seconds = shown, tuple(seconds)
        while len(self._lines) < len(seconds):
            line = pg.InfiniteLine()
            line.setZValue(_BEHIND_CURVES)
            self._canvas.add(line)
            self._lines.append(line)
        for at, line in enumerate(self._lines):
            line.setVisible(at < len(seconds))
            if at < len(seconds):
                line.setValue(seconds[at])
                line.setPen(pen(theme.control, 1, (3, 3)))
