"""Access map: where in the model each request read, and when."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton

from modelmon.core.units import three_figures
from modelmon.gui.blocks.request_map import RequestMap, RequestSizes
from modelmon.gui.blocks.requests import requests_of
from modelmon.gui.language import mark, said, tr
from modelmon.gui.plots.explanations import ACCESS_MAP
from modelmon.gui.plots.frame import RunsPlot
from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.plots.scale import range_end
from modelmon.gui.plots.time_range import RangeSelector
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import TIME_TITLE
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QShowEvent

    from modelmon.gui.blocks.block_places import BlockPlaces
    from modelmon.gui.blocks.requests import Requests
    from modelmon.gui.plots.time_range import TimeRange
    from modelmon.gui.session.notices import ArmLabel

_TIMES_APART = 10.0
_OWN_TIME_TITLE = mark("time since start, separate scales")


class AccessMap(RunsPlot):
    """Maps of A and B side by side.

    The maps are made when they are first seen: the window comes up without them.
    """

    block_selected = Signal(str)
    explained = ACCESS_MAP

    def __init__(self) -> None:
        super().__init__(tr("Access map"), tr("Run A or B to see where and when it reads."))
        self.maps: dict[ArmLabel, RequestMap] = {}
        self.selected = ""
        self._places: BlockPlaces | None = None
        for label in ARMS:
            self.add_entry(label, _entry(label))
            self.entries[label].toggled.connect(self._show_maps)
        self.sizes = RequestSizes()
        self.sizes_button = QToolButton()
        self.sizes_button.setText(tr("Sizes"))
        self.sizes_button.setToolTip(tr("Show request sizes"))
        self.sizes_button.setCheckable(True)
        self.sizes_button.setChecked(True)
        self.sizes_button.setProperty("compact", True)
        self.sizes_button.toggled.connect(self._show_maps)
        self.header.add_entry(self.sizes_button, optional=True)
        self._row = in_row(self.sizes, on=self.content, spacing=8)
        self.renew()

    def follow_range(self, time_range: TimeRange) -> None:
        """Select and show ranges of time together with the plots."""
        self.time_range = time_range
        time_range.changed.connect(self._show_maps)

    def set_places(self, places: BlockPlaces | None) -> None:
        """The blocks of the model that is open now."""
        self._places = places
        self.select_block("")

    def select_block(self, name: str) -> None:
        """Mark where a block lies; an empty name stands for none."""
        self.selected = name
        self._show_selection()

    def state(self) -> dict[str, object]:
        """The requests that both records know, and of which of them."""
        of_runs: dict[str, object] = {
            label: record and (record, len(record.chunks), record.done)
            for label, record in self.records.items()
        }
        return {**of_runs, "arms": self.visible_arms}

    def renew(self) -> None:
        """Of one load alone nothing has to be told apart."""
        alone = manager().alone
        for label in ARMS:
            self.header.set_entry_shown(self.entries[label], shown=not alone)
        self.header.set_entry_shown(self.sizes_button, shown=not alone)
        super().renew()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while it was hidden, and mark what was selected elsewhere."""
        if not self.maps:
            self._make_maps()
        super().showEvent(event)
        self._show_selection()

    def _make_maps(self) -> None:
        for label in ARMS:
            own = self.maps[label] = RequestMap(label)
            RangeSelector(own.canvas, self.time_range, has_handles=False)
            self._row.insertWidget(self._row.indexOf(self.sizes), own, 1)
            own.clicked.connect(partial(self._on_clicked, label))

    def _draw(self, stale: Collection[str]) -> None:
        dropped = (
            said(warning.message)
            for record in filter(None, self.records.values())
            for warning in record.warnings
            if warning.kind == "dropped-requests"
        )
        empty = not any(self._has_requests(label) for label in ARMS)
        self.show_empty(empty=empty, reason=next(dropped, ""))
        ends = {label: self._end_s(label) for label in ARMS}
        known = [end for end in ends.values() if end > 0]
        apart = len(known) == len(ARMS) and max(known) > _TIMES_APART * min(known)
        for label in ARMS:
            record = self.records[label]
            if record is None or not self._has_requests(label):
                continue
            own = self.maps[label]
            end_s = range_end(ends[label] if apart else max(known, default=0.0))
            own.canvas.axes.set_title(tr(_OWN_TIME_TITLE if apart else TIME_TITLE))
            if label not in stale and own.requests is not None and own.end_s == end_s:
                continue
            requests = requests_of(record)
            own.show_requests(requests, end_s, live=not record.done)
            own.badge.setVisible(not manager().alone)
            own.legend.setVisible(not manager().alone)
        self._show_maps()

    def _show_maps(self) -> None:
        if not self.maps:
            return
        for label in ARMS:
            self.maps[label].setVisible(self._is_shown(label))
            self._tell(label)
        shown = {
            label: requests
            for label in ARMS
            if self._is_shown(label) and (requests := self.maps[label].requests) is not None
        }
        self.sizes.show_requests(shown)
        wanted = self.sizes_button.isChecked() and not manager().alone
        self.sizes.setVisible(wanted and bool(shown))
        for label in shown:
            self.set_unit(self.maps[label].unit)
        self._show_selection()

    def _tell(self, label: ArmLabel) -> None:
        """The figures of the selected range, or of the whole load."""
        own, record, seconds = self.maps[label], self.records[label], self.time_range.seconds
        if record is None or own.requests is None:
            return
        program = record.hello is not None and record.hello.job.program is not None
        own.detail.set_more("" if program else tr(RESTARTS_TIP))
        if program:
            text = tr("Pages as they came into the page cache; its requests aren't seen")
        elif seconds is None:
            text = load_text(own.requests, self._end_s(label))
        else:
            found, jumps = self.time_range.figures(record), own.requests.jumps_between(*seconds)
            text = tr(
                "{part} of {requests} requests in {span}, {rate} seeks/s",
                part=f"{found.requests or 0:,}" if found is not None else "0",
                requests=f"{len(own.requests):,}",
                span=self.time_range.short_text,
                rate=three_figures(jumps * 1e9 / found.duration_ns if found is not None else 0.0),
            )
        own.detail.set_whole(text)

    def _places_of(self, label: ArmLabel) -> BlockPlaces | None:
        """The blocks, if the run of an arm has loaded the open files."""
        record, places = self.records[label], self._places
        planned = record.planned if record is not None else None
        fits = places is not None and planned is not None and places.fits(planned.shard_bytes)
        return places if fits else None

    def _show_selection(self) -> None:
        """Mark the selected block in the maps of the runs that have loaded the open files."""
        if not self.isVisible() or not self.maps:
            return
        for label in ARMS:
            places = self._places_of(label)
            pieces = places.of(self.selected) if places is not None and self.selected else ()
            self.maps[label].block_at = places.at if places is not None else None
            self.maps[label].select(pieces)

    def _on_clicked(self, label: ArmLabel, offset_bytes: float) -> None:
        places = self._places_of(label)
        if places is not None and (name := places.at(offset_bytes)):
            self.select_block(name)
            self.block_selected.emit(name)

    def _is_shown(self, label: ArmLabel) -> bool:
        wanted = label in self.visible_arms and self.entries[label].isChecked()
        return wanted and self._has_requests(label)

    def _has_requests(self, label: ArmLabel) -> bool:
        record = self.records[label]
        return record is not None and len(record.chunks) > 0

    def _end_s(self, label: ArmLabel) -> float:
        """How long the run took so far; requests of a short one come before its first sample."""
        record = self.records[label]
        if record is None:
            return 0.0
        return (record.t_ns or max(record.chunks.end_ns, default=0)) / 1e9


def _entry(label: ArmLabel) -> LegendEntry:
    return LegendEntry(
        tr("{arm} request", arm=label), "round" if label == "A" else "diamond", label
    )


RESTARTS_TIP = mark(
    "A seek is a request that doesn't continue where its descriptor's previous one ended."
)


def load_text(requests: Requests, end_s: float) -> str:
    """Requests and restarts of a whole load, and restarts a second."""
    return tr(
        "{requests} requests, {restarts} seeks (inferred), {rate} seeks/s",
        requests=f"{len(requests):,}",
        restarts=f"{requests.restarts:,}",
        rate=three_figures(requests.restarts / end_s if end_s > 0 else 0.0),
    )
