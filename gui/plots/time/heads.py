"""Where curves are: at a moment, and at the heads of those that still grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modelmon.gui.plots.crosshair import Dots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.plots.time.trace import Trace
    from modelmon.gui.slot import ArmLabel


class Heads:
    """One dot for each main curve of a run that is under way."""

    def __init__(self, canvas: Canvas) -> None:
        self._dots = Dots(canvas, z=35)

    def show(
        self, traces: Iterable[Trace], records: dict[ArmLabel, RunRecord | None], scale: YScale
    ) -> None:
        """Put the dots where the curves end now."""
        heads: list[tuple[ArmLabel, float, float]] = []
        for trace in traces:
            record = records[trace.label]
            running = record is not None and not record.done
            if trace.is_main and trace.visible and running and len(trace.seconds):
                y = scale.height(float(trace.values[-1]))
                if np.isfinite(y):
                    heads.append((trace.label, float(trace.seconds[-1]), y))
        self._dots.show_points(heads)


def heights_at(
    traces: Iterable[Trace], scale: YScale, seconds: float
) -> list[tuple[ArmLabel, float]]:
    """Where the shown curves are at a moment, in axis units."""
    heights = [(trace.label, scale.height(trace.at(seconds))) for trace in traces if trace.visible]
    return [(label, y) for label, y in heights if np.isfinite(y)]
