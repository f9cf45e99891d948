"""Throughput over time: what was delivered, what the device gave for it, and where runs end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QBrush

from modelmon.core.units import duration_text, rate_text
from modelmon.core.worker.curves import delivered_rate, is_exact
from modelmon.core.worker.wait_parts import reading_of, wait_parts
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.explanations import THROUGHPUT
from modelmon.gui.plots.items import Area, LabelLine
from modelmon.gui.plots.scale import YScale, data_unit, linear, logarithmic
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import NOTHING, TimePlot
from modelmon.gui.plots.traces import Curve, stepped
from modelmon.gui.session.run_words import time_of_part
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.timeline import Floats, Timeline
    from modelmon.gui.session.notices import ArmLabel

_LOGARITHMIC_FROM = 10.0
_LINEAR_BELOW = 7.0
_LIMIT_IN_SIGHT = 4.0
_UNKNOWN_LIMIT = mark("Measure the disk to see its top speed.")
_BEHIND_CURVES = -10
_WORDS_PX = 14
_WORTH_A_BAND = 0.05
"""Of the limit: less is not called unused."""


def end_text(label: ArmLabel, record: RunRecord, *, with_rate: bool = False) -> str:
    """`B done 5.23 s`, or what else became of the run; with its mean rate if asked for."""
    text = _end(label, record, time_of_part(duration_text(record.t_ns), record))
    if not with_rate:
        return text
    return tr("{end}, {rate}", end=text, rate=rate_text(record.bytes_per_s))


def _end(label: ArmLabel, record: RunRecord, time: str) -> str:
    if record.finished is not None and manager().alone:
        late = any(warning.kind == "cut-off" for warning in record.warnings)
        return tr("not ready, {time}", time=time) if late else tr("ready {time}", time=time)
    arm = manager().arm_text(label)
    if record.finished is not None:
        return tr("{arm} done {time}", arm=arm, time=time)
    if record.failed is None:
        return tr("{arm}, {time}", arm=arm, time=time)
    if record.failed.kind == "cancelled":
        return tr("{arm} stopped {time}", arm=arm, time=time)
    return tr("{arm} failed {time}", arm=arm, time=time)


class ThroughputPlot(TimePlot):
    """Delivered (thick) and device (thin) bytes per second.

    While a run loads, the delivered curve comes from its samples; afterwards from its
    requests, which are exact however short the load was.
    """

    fields = ("delivered_bytes", "device_bytes", "device.read_bytes_per_s")
    # The widest plot of the row says it for all of them.
    tells_few_samples = True
    explained = THROUGHPUT

    def __init__(self) -> None:
        super().__init__(tr("Throughput"), tr("Run A or B to see throughput."))
        self.add_series("delivered", tr("loaded"), "thick", _delivered)
        self.add_series("device", tr("from disk"), "thin", _from_device)
        self.add_series("limit", tr("disk limit"), "dotted", is_optional=True)
        self.entries["limit"].set_available(available=False, reason=tr(_UNKNOWN_LIMIT))
        self.ends: dict[ArmLabel, LabelLine] = {
            arm: LabelLine(self.canvas, at=0.0, z=26, angle=90, weight=600) for arm in ARMS
        }
        self.limit = LabelLine(self.canvas, at=1.0)
        self.canvas.laid_out.connect(self.refresh)
        self._names_ends = True
        self.unused = self.canvas.add(Area(z=_BEHIND_CURVES))
        self._limit_bytes_per_s: float | None = None
        self._limit_text = ""

    def set_stacked(self, *, stacked: bool, is_last: bool = True) -> None:
        """Where the timeline is just above, that names the end."""
        self._names_ends = not stacked
        super().set_stacked(stacked=stacked, is_last=is_last)
        self.show_visible()

    def set_limit(self, bytes_per_s: float | None, text: str = "") -> None:
        """Show what the storage can give, in words such as `Disk limit 3.41 GB/s`."""
        if (bytes_per_s, text) == (self._limit_bytes_per_s, self._limit_text):
            return
        self._limit_bytes_per_s = bytes_per_s
        self._limit_text = text
        known = bytes_per_s is not None
        self.entries["limit"].set_available(available=known, reason=tr(_UNKNOWN_LIMIT))
        self.renew()

    def load_curves(self, label: ArmLabel) -> None:
        """Delivered from requests once they are all known."""
        super().load_curves(label)
        record = self.records[label]
        if record is not None and is_exact(record):
            curve = self.main_curve(record, self.timeline(label))
            self.traces[label, "delivered"].set_curve(*curve)

    def main_curve(self, record: RunRecord, timeline: Timeline) -> Curve:
        """What was delivered: from requests once they are all known, else from samples."""
        if is_exact(record):
            return stepped(*delivered_rate(record.chunks, record.t_ns))
        return Curve(timeline.seconds, _delivered(timeline))

    def range_text(self, label: ArmLabel, record: RunRecord, seconds: tuple[float, float]) -> str:
        """What was loaded there, per second."""
        del label
        found = self.time_range.figures_of(record, *seconds)
        return self.value_text(found.bytes_per_s) if found else NOTHING

    def state(self) -> dict[str, object]:
        """The height too: words take more of a low plot."""
        return {**super().state(), "height": self.canvas.size_px[1]}

    def wanted_scale(self) -> YScale:
        """Linear, or logarithmic where one arm is more than ten times as fast."""
        most = self.shown_most
        limit = self._limit_bytes_per_s if self.entries["limit"].isChecked() else None
        if limit is not None:
            # Where curves are below it, its words stand above; of one beyond the axis above these.
            others = 1 - _WORDS_PX / max(self.canvas.size_px[1], 2 * _WORDS_PX)
            in_sight = limit <= _LIMIT_IN_SIGHT * most or self._from_disk() is not None
            most = max(most, limit / others) if in_sight else most / others
        records = [record for record in self.records.values() if record is not None]
        records += [run.record for run in self.overlays.curves]
        rates = [record.bytes_per_s for record in records if record.bytes_per_s > 0]
        apart = max(rates) / min(rates) if rates else 1.0
        if apart > (_LINEAR_BELOW if self.scale.logarithmic else _LOGARITHMIC_FROM):
            return logarithmic(data_unit(min(rates)), min(rates), most)
        return linear(data_unit(most), most)

    def why_missing(self, key: str) -> str:
        """A server or a filesystem without a device of its own counts nothing here."""
        if key == "device":
            return tr("Bytes from disk aren't counted for this storage.")
        return super().why_missing(key)

    def value_text(self, value: float) -> str:
        """A rate with its unit."""
        return rate_text(value)

    def unit_text(self) -> str:
        """Per second, and whether the axis is logarithmic."""
        unit = f"{self.scale.unit.name}/s"
        return tr("{unit} (log)", unit=unit) if self.scale.logarithmic else unit

    def show_visible(self) -> None:
        """Show the ends of the shown arms too, and the disk's limit."""
        super().show_visible()
        for label, end in self.ends.items():
            record = self.records[label] if label in self.visible_arms else None
            text, place, is_over = "", None, False
            if record is not None and record.t_ns > 0:
                place, is_over = record.t_ns / 1e9, record.done
                if self._names_ends:
                    text = end_text(label, record, with_rate=self.scale.logarithmic)
            colour = manager().theme.arm(label)
            end.show_at(place, text, colour, (3, 3) if is_over else ())
        self._show_limit()

    def _from_disk(self) -> RunRecord | None:
        """The record of a watched program that reads its model from the disk; None of others."""
        record = self.records["A"]
        program = record is not None and record.hello is not None and record.hello.job.program
        if record is None or not program or not record.samples:
            return None
        last = record.samples[-1]
        came_bytes, disk_bytes = last.delivered_bytes, last.device_bytes
        # What was in memory already says nothing of the disk.
        is_cached = disk_bytes is not None and disk_bytes < came_bytes / 2
        return None if is_cached or not came_bytes else record

    def _show_limit(self) -> None:
        """The disk's limit, and what of it a watched program left unused while it read."""
        limit, theme = self._limit_bytes_per_s, manager().theme
        self.unused.hide()
        if limit is None or not self.entries["limit"].isChecked():
            self.limit.show_at(None, "", theme.text_2)
            return
        y = self.scale.height(limit)
        beyond = y > self.scale.high
        text = f"{self._limit_text} ↑" if beyond else self._limit_text
        used = self._fill_unused(limit, y)
        if used:
            text = tr("{limit}; {rate} used while reading", limit=text, rate=used)
        colour = theme.warn if used else theme.text_2
        self.limit.show_at(self.scale.high if beyond else y, text, colour)

    def _fill_unused(self, limit: float, limit_y: float) -> str:
        """Fill what is between the curve of a watched program and the limit while it read. Returns
        the rate that it used; "" where it left next to nothing.
        """
        record = self._from_disk()
        reading = reading_of(wait_parts(record)) if record is not None else None
        if record is None or reading is None:
            return ""
        first_s, last_s = reading.begin_ns / 1e9, reading.end_ns / 1e9
        rate = record.delivered_bytes / max(last_s - first_s, 1e-9)
        if rate > (1 - _WORTH_A_BAND) * limit:
            return ""
        seconds, values = self.traces["A", "delivered"].curve
        inside = (seconds > first_s) & (seconds < last_s)
        heights = np.minimum(np.nan_to_num(self.scale.place(values[inside])), limit_y)
        first, last = heights[[0, -1]] if inside.any() else (0.0, 0.0)
        x = np.concatenate([[first_s], seconds[inside], [last_s]])
        low = np.concatenate([[first], heights, [last]])
        self.unused.filling = QBrush(manager().theme.warn_soft)
        self.unused.set_curves(x, low, np.full(len(x), limit_y))
        self.unused.show()
        return rate_text(rate)


def _delivered(timeline: Timeline) -> Floats:
    return timeline.rate("delivered_bytes")


def _from_device(timeline: Timeline) -> Floats:
    """From totals of the processes, or else from the device."""
    total = timeline.rate("device_bytes")
    return np.where(np.isfinite(total), total, timeline.mean("device.read_bytes_per_s"))
