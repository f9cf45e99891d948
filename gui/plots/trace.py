"""Curves of the arms: what they show, where they are at a moment and where they end now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modelmon.gui.plots.crosshair import Dots
from modelmon.gui.plots.line import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray
    from PySide6.QtGui import QPen

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

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
        self.is_known = False
        """Whether it has any value; a figure that a platform lacks has none."""
        self.most = 0.0
        """The highest value, 0 without any."""
        self._points = False
        self._visible, self._opacity = True, 1.0
        self._pen_of = pen_of
        self._line = Line(canvas, z=20 if label == "B" else 10)

    def set_curve(
        self,
        seconds: NDArray[np.float64],
        values: NDArray[np.float64],
        *,
        points: bool = False,
    ) -> None:
        """The curve from now on; `points` marks each value, where there are few."""
        self.seconds, self.values = seconds, values
        finite = values[np.isfinite(values)]
        self.is_known = bool(len(finite))
        self.most = float(finite.max()) if self.is_known else 0.0
        self._points = points

    def draw(self, scale: YScale) -> None:
        """Show the curve on `scale`."""
        # A figure that this platform lacks is nothing to draw, not a row of gaps.
        seconds, values = (self.seconds, self.values) if self.is_known else (_NOTHING, _NOTHING)
        if self._line.marks_points != self._points:
            self._line.marks_points = self._points
            self._line.update()
        self._line.set_data(seconds, scale.place(values))

    @property
    def drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What the curve shows, in axis units."""
        return self._line.at_x, self._line.at_y

    def at(self, seconds: float) -> float:
        """The curve's value there, nan where it has none."""
        if not len(self.seconds):
            return float("nan")
        return float(
            np.interp(seconds, self.seconds, self.values, left=float("nan"), right=float("nan"))
        )

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return self._visible

    def set_visible(self, *, visible: bool) -> None:
        """Show or hide it."""
        if visible != self._visible:
            self._visible = visible
            self._line.setVisible(visible)

    def set_opacity(self, share: float) -> None:
        """Paler while another run is what one watches."""
        if share != self._opacity:
            self._opacity = share
            self._line.setOpacity(share)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's pen."""
        # Thin dense lines are drawn without antialiasing, which costs more than it gives.
        self._line.set_pen(self._pen_of(theme, self.label), antialiased=self.is_main)


class CurveEnds:
    """One dot for each main curve of a run that is under way."""

    def __init__(self, canvas: Canvas) -> None:
        self._dots = Dots(canvas, z=35)

    def show(
        self, traces: Iterable[Trace], records: dict[ArmLabel, RunRecord | None], scale: YScale
    ) -> None:
        """Put the dots where the curves end now."""
        ends: list[tuple[ArmLabel, float, float]] = []
        for trace in traces:
            record = records[trace.label]
            running = record is not None and not record.done
            if trace.is_main and trace.visible and running and len(trace.seconds):
                y = scale.height(float(trace.values[-1]))
                if np.isfinite(y):
                    ends.append((trace.label, float(trace.seconds[-1]), y))
        self._dots.show_points(ends)


def heights_at(
    traces: Iterable[Trace], scale: YScale, seconds: float
) -> list[tuple[ArmLabel, float]]:
    """Where the shown curves are at a moment, in axis units."""
    heights = [(trace.label, scale.height(trace.at(seconds))) for trace in traces if trace.visible]
    return [(label, y) for label, y in heights if np.isfinite(y)]
