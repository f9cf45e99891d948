"""What can be plotted of a block device, as `iostat -x` names it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.units import percent_text, request_text, three_figures, wait_text
from modelmon.gui.language import mark
from modelmon.gui.plots.counts import count_text, count_unit, request_unit, wait_unit
from modelmon.gui.plots.scale import Unit, YScale, linear

if TYPE_CHECKING:
    from collections.abc import Callable

_PERCENT = YScale(Unit("%", 0.01), 0.0, 100.0, 25.0)


@dataclass(frozen=True)
class DeviceFigure:
    """One figure: its field of DeviceActivity, its name, its axis, and a value in words."""

    field: str
    name: str
    scale: Callable[[float], YScale]
    text: Callable[[float], str]


FIGURES = (
    DeviceFigure(
        "reads_per_s",
        mark("Requests"),
        lambda most: linear(count_unit(most), most),
        count_text,
    ),
    DeviceFigure(
        "mean_request_bytes",
        mark("Request size"),
        lambda most: linear(request_unit(most), most),
        request_text,
    ),
    DeviceFigure(
        "read_await_ns", mark("Await"), lambda most: linear(wait_unit(most), most), wait_text
    ),
    DeviceFigure("busy_share", mark("Utilisation"), lambda _: _PERCENT, percent_text),
    DeviceFigure(
        "queue_depth", mark("Queue"), lambda most: linear(Unit("", 1.0), most), three_figures
    ),
)
