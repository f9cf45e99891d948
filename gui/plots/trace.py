"""One curve of one arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg

from modelmon.gui.plots.scale import highest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from PySide6.QtGui import QPen

    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.theme import ArmLabel, Theme

_POINT_PX = 5

_NOTHING: NDArray[np.float64] = np.empty(0)


def stepped(
    edges: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A curve that keeps each of n values between two of n + 1 edges."""
    return np.repeat(edges, 2)[1:-1], np.repeat(values, 2)


class Trace:
    """A curve over seconds, kept in base units and drawn on the plot's scale."""

    def __init__(
        self,
        canvas: Canvas,
        label: ArmLabel,
        pen_of: Callable[[Theme, ArmLabel], QPen],
        *,
        is_main: bool,
    ) -> None:
        self.label = label
        self.is_main = is_main
        self.seconds: NDArray[np.float64] = np.empty(0)
        self.values: NDArray[np.float64] = np.empty(0)
        self._points = False
        self._pen_of = pen_of
        self._item = pg.PlotDataItem(connect="finite", clipToView=True)
        self._item.setZValue(20 if label == "B" else 10)
        canvas.add(self._item)

    def set_curve(
        self,
        seconds: NDArray[np.float64],
        values: NDArray[np.float64],
        *,
        points: bool = False,
    ) -> None:
        """The curve from now on; `points` marks each value, where there are few."""
        self.seconds, self.values = seconds, values
        self._points = points

    def set_steps(self, edges: NDArray[np.float64], values: NDArray[np.float64]) -> None:
        """A curve that keeps each of n values between two of n + 1 edges."""
        self.set_curve(*stepped(edges, values))

    def draw(self, scale: YScale) -> None:
        """Show the curve on `scale`."""
        # A figure that this platform lacks is nothing to draw, not a row of gaps: pyqtgraph
        # looks for the lowest of its points and finds none.
        known = bool(np.isfinite(self.values).any())
        seconds, values = (self.seconds, self.values) if known else (_NOTHING, _NOTHING)
        self._item.setData(seconds, scale.place(values))
        self._item.setSymbol("o" if self._points else None)

    @property
    def drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What the curve shows, in axis units."""
        x, y = self._item.getOriginalDataset()
        return (np.empty(0), np.empty(0)) if x is None else (x, y)

    def at(self, seconds: float) -> float:
        """The curve's value there, nan where it has none."""
        if not len(self.seconds):
            return float("nan")
        return float(
            np.interp(seconds, self.seconds, self.values, left=float("nan"), right=float("nan"))
        )

    @property
    def most(self) -> float:
        """The highest value, 0 without any."""
        return highest(self.values)

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return bool(self._item.isVisible())

    def set_visible(self, *, visible: bool) -> None:
        """Show or hide it."""
        self._item.setVisible(visible)

    def set_opacity(self, share: float) -> None:
        """Paler while another run is what one watches."""
        self._item.setOpacity(share)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's pen."""
        pen = self._pen_of(theme, self.label)
        # Thin dense lines are drawn without antialiasing, which costs more than it gives.
        self._item.opts["antialias"] = self.is_main
        self._item.setPen(pen)
        self._item.setSymbolPen(None)
        self._item.setSymbolBrush(theme.arm(self.label))
        self._item.setSymbolSize(_POINT_PX)
