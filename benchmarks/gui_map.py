"""What the access map costs with 100,000 requests of each run: to grow, to look into, to point at.

    python benchmarks/gui_map.py                  # on the display there is, else offscreen
    xvfb-run -a python benchmarks/gui_map.py      # on a virtual X display

The requests are made up: A's go through one shared descriptor of eight processes, which jumps at
each of them, B's eight readers take a part of the model each. A frame is timed from the call until
the map is painted.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from gui_frames import Frame, sample, tell
from on_screen import application

from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import verbatim
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication

    from modelmon.gui.blocks.access_map import AccessMap
    from modelmon.gui.session.notices import ArmLabel

REQUESTS = 100_000
READERS = 8
BATCH = 500
REQUEST_BYTES = 256 * 1024
REQUEST_NS = 100_000
SIZE_PX = (1640, 420)
RANGE_SHARE = 0.04


def begun(readers_share: bool) -> RunRecord:
    """A run that was just let go."""
    config = LoadConfig(readers=READERS, descriptor="shared" if readers_share else "own")
    nbytes = REQUESTS * REQUEST_BYTES
    record = RunRecord()
    record.feed(ev.Hello(ev.PROTOCOL, ev.Job("/model", config), "0", 0.0, "Linux", 8))
    record.feed(
        ev.Planned(
            *("model", nbytes, nbytes, REQUESTS, READERS),
            shard_paths=("/model",),
            shard_bytes=(nbytes,),
            block_names=("model",),
            block_bytes=(nbytes,),
            device_name=None,
            filesystem="ext4",
        )
    )
    record.feed(ev.Ready(0.0, verbatim("cachestat"), 0))
    record.feed(ev.Started())
    return record


def read(record: RunRecord, first: int, count: int) -> None:
    """Feed a run so many requests of each reader, from its request with the number `first` on."""
    part_bytes = REQUESTS // READERS * REQUEST_BYTES
    numbers = range(first, first + count)
    for reader in range(READERS):
        starts_ns = tuple(number * REQUEST_NS for number in numbers)
        record.feed(
            ev.Chunks(
                reader,
                (0,) * count,
                tuple(reader * part_bytes + number * REQUEST_BYTES for number in numbers),
                (REQUEST_BYTES,) * count,
                starts_ns,
                tuple(start_ns + REQUEST_NS for start_ns in starts_ns),
            )
        )
    record.feed(sample(round((first + count) * REQUEST_NS * 20 / 1e9), 2.0))


def finish(record: RunRecord) -> None:
    """The run is over."""
    wall_ns = REQUESTS // READERS * REQUEST_NS
    record.feed(
        ev.Finished(
            wall_ns=wall_ns,
            warmup_ns=0,
            delivered_bytes=REQUESTS * REQUEST_BYTES,
            memory_kind="owned",
            cache_state="cold",
            cache_evidence="verified",
            counts=True,
            samples=20,
            supervisor_cpu_ns=0,
            startup_ns=0,
        )
    )


class Desk:
    """A map on a screen, and what people do with it."""

    def __init__(self, app: QApplication) -> None:
        from modelmon.gui.blocks.access_map import AccessMap  # noqa: PLC0415 (after the platform is set)

        self._app = app
        self.map: AccessMap = AccessMap()
        self.map.resize(*SIZE_PX)
        self.map.show()
        self.records: dict[ArmLabel, RunRecord] = {"A": begun(True), "B": begun(False)}
        for label, record in self.records.items():
            self.map.set_record(label, record)

    def frame(self, do: Callable[[], None]) -> Frame:
        """Do it and paint what came of it."""
        wall, cpu = time.perf_counter(), time.thread_time()
        do()
        self._app.processEvents()
        return Frame((time.perf_counter() - wall) * 1e3, (time.thread_time() - cpu) * 1e3)

    def grow(self, label: ArmLabel) -> list[Frame]:
        """Frames of a run under way, to its end."""
        frames, each, record = [], BATCH // READERS, self.records[label]
        for first in range(0, REQUESTS // READERS, each):
            read(record, first, each)
            frames.append(self.frame(self.map.refresh))
        finish(record)
        self.map.refresh()
        self._app.processEvents()
        return frames

    def drag(self, moves: int) -> list[Frame]:
        """Frames of the range that is selected in the slower run, for a closer look."""
        width_s = self.map.maps["A"].end_s * RANGE_SHARE
        steps = [(self.map.maps["A"].end_s - width_s) * at / moves for at in range(moves)]
        self.map.follow_range(self.map.time_range)
        select = self.map.time_range.select
        frames = [self.frame(partial(select, at, at + width_s)) for at in steps]
        self.map.time_range.clear()
        return frames

    def zoom(self, moves: int) -> list[Frame]:
        """Frames of the whole map, closer and closer."""
        canvas, end_s = self.map.maps["B"].canvas, self.map.maps["B"].end_s
        ends_s = [end_s * (1 - at / moves) for at in range(moves)]
        return [self.frame(partial(canvas.show_x, 0.0, end)) for end in ends_s]

    def point(self, moves: int) -> list[Frame]:
        """Frames of the pointer on its way across, over requests and beside them."""
        canvas, end_s = self.map.maps["B"].canvas, self.map.maps["B"].end_s
        places_s = [end_s * at / moves for at in range(moves)]
        return [self.frame(partial(canvas.hovered.emit, at, 3.0)) for at in places_s]


def main() -> int:
    """Exit code 1 where a frame takes longer than the aim."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moves", type=int, default=200, help="of each kind; default 200")
    moves = parser.parse_args().moves
    desk = Desk(application())
    met = [
        tell(f"A grows to {REQUESTS:,} requests", desk.grow("A")),
        tell("B grows to as many beside it", desk.grow("B")),
        tell("the range is dragged", desk.drag(moves)),
        tell("the map is zoomed", desk.zoom(moves)),
        tell("the pointer moves", desk.point(moves)),
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
