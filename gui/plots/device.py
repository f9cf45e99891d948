"""What the block device under the model did over time, for whomever, and before the load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from modelmon.core.units import percent_text, request_text, three_figures, wait_text
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.explanations import DEVICE
from modelmon.gui.plots.items import LabelLine
from modelmon.gui.plots.scale import (
    Unit,
    YScale,
    count_text,
    count_unit,
    linear,
    request_unit,
    wait_unit,
)
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import TimePlot
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.worker.events import DeviceActivity

_PERCENT = YScale(Unit("%", 0.01), 0.0, 100.0, 25.0)
_SERIES = "device"


@dataclass(frozen=True)
class DeviceFigure:
    """One figure: its field of DeviceActivity, name, axis, a value in words, and what it is."""

    field: str
    name: str
    scale: Callable[[float], YScale]
    text: Callable[[float], str]
    about: str


FIGURES = (
    DeviceFigure(
        "reads_per_s",
        mark("Requests"),
        lambda most: linear(count_unit(most), most),
        count_text,
        mark("Read requests per second to the disk, by the kernel; other programs count."),
    ),
    DeviceFigure(
        "mean_request_bytes",
        mark("Request size"),
        lambda most: linear(request_unit(most), most),
        request_text,
        mark("Mean size of a read request, by the kernel. Larger ones cost less each."),
    ),
    DeviceFigure(
        "read_await_ns",
        mark("Latency"),
        lambda most: linear(wait_unit(most), most),
        wait_text,
        mark("Mean time that a read request takes, by the kernel. Lower is better."),
    ),
    DeviceFigure(
        "busy_share",
        mark("Utilization"),
        lambda _: _PERCENT,
        percent_text,
        mark("Percent of time in which the disk had a request. SSDs can do more even at 100%."),
    ),
    DeviceFigure(
        "queue_depth",
        mark("Queue"),
        lambda most: linear(Unit("", 1.0), most),
        three_figures,
        mark("Mean number of requests under way at once. More readers keep more under way."),
    ),
)

_EMPTY = mark("Run A or B to see what the disk does.")


class DevicePlot(TimePlot):
    """One of the figures of the device, which the box in the header chooses.

    A dotted level shows what others did on it just before the run, or else what the look at
    the idle machine has seen.
    """

    fields = tuple(f"device.{figure.field}" for figure in FIGURES)
    explained = DEVICE

    def __init__(self) -> None:
        super().__init__(tr("Disk"), tr(_EMPTY))
        self.figure = FIGURES[0]
        self.chooser = QComboBox()
        self.chooser.setProperty("compact", True)
        self.chooser.setAccessibleName(tr("Disk metric"))
        self.chooser.addItems([tr(figure.name) for figure in FIGURES])
        for at, figure in enumerate(FIGURES):
            self.chooser.setItemData(at, tr(figure.about), Qt.ItemDataRole.ToolTipRole)
        self.header.add_entry(self.chooser)
        self.add_series(
            _SERIES,
            "",
            "thick",
            lambda timeline: timeline.mean(f"device.{self.figure.field}"),
        )
        self.add_series("idle", tr("idle"), "dotted", is_optional=True)
        self.header.set_entry_shown(self.entries[_SERIES], shown=False)
        self.idle = LabelLine(self.canvas, at=1.0)
        self._seen_idle: DeviceActivity | None = None
        self.chooser.currentIndexChanged.connect(self._choose)
        self._choose(0)

    def set_idle(self, activity: DeviceActivity | None) -> None:
        """What the device did while nothing was loading; None where nobody looked."""
        self._seen_idle = activity
        if activity is not None and activity.busy_share is not None:
            self.empty_text = tr(
                "Idle: {requests}, {busy} busy. Run A or B to see the disk at work.",
                requests=count_text(activity.reads_per_s),
                busy=percent_text(activity.busy_share),
            )
        else:
            self.empty_text = tr(_EMPTY)
        self.renew()

    def wanted_scale(self) -> YScale:
        """As the figure needs; utilisation always goes to 100."""
        return self.figure.scale(self.shown_most)

    def value_text(self, value: float) -> str:
        """As the figure is told."""
        return self.figure.text(value)

    def why_missing(self, key: str) -> str:
        """A server, a filesystem in memory or one over several disks has no counters."""
        del key
        return tr("This model's storage has no disk counters.")

    def show_visible(self) -> None:
        """The level before the loads of the shown arms too."""
        super().show_visible()
        value = self._idle_value() if self.entries["idle"].isChecked() else None
        y = None if value is None else self.scale.height(value)
        if y is not None and y > self.scale.high:
            y = None
        text = "" if value is None else tr("idle {value}", value=self.figure.text(value))
        self.idle.show_at(y, text, manager().theme.text_2)

    def _choose(self, index: int) -> None:
        self.figure = FIGURES[index]
        self.chooser.setToolTip(tr(self.figure.about))
        self.entries[_SERIES].setText(tr(self.figure.name))
        runs = list(self.overlays.curves)
        self.overlays.set_runs([])
        self.set_overlays(runs)

    def _idle_value(self) -> float | None:
        looks = [self._seen_idle]
        for label in ARMS:
            record = self.records[label]
            if record is not None and record.ready is not None and label in self.visible_arms:
                looks.insert(0, record.ready.idle_device)
        look = next((look for look in looks if look is not None), None)
        value: float | None = getattr(look, self.figure.field) if look is not None else None
        return value
