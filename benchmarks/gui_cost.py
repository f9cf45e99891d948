"""What the window costs while it watches: processor time, and what that takes from the load.

    python benchmarks/gui_cost.py                  # on the display there is, else offscreen
    xvfb-run -a python benchmarks/gui_cost.py      # on a virtual X display

Loads of some seconds are watched, then a comparison, and the processor time that the window's own
process took is set against the time that passed. Then loads that the window watches and loads of
the same kind that nobody watches alternate; the ratio of their times says what the window takes.
Of warm loads that takes a model as large as the cache can hold and many pairs to be seen:

    xvfb-run -a python benchmarks/gui_cost.py --size 16GiB --pairs 70

Loads are long by requests of a few KiB, or on a disk that a control group holds to a rate (root),
as they are for people:

    xvfb-run -a python benchmarks/gui_cost.py --disk 200MB --size 1GB --pairs 0
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from on_screen import application
from tests.system.beds import throttle

from modelmon.core.comparison.compare import interleaved
from modelmon.core.comparison.posterior import of_pairs
from modelmon.core.load.config import LoadConfig
from modelmon.core.model.sample import write_sample
from modelmon.core.units import GIB, KIB, duration_text, parse_size, percent_text
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Job
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication

    from modelmon.core.comparison.spread import Ratio
    from modelmon.gui.shell.main_window import MainWindow

PATIENCE_S = 1200
LONG_ENOUGH_NS = 3_000_000_000
"""Of a shorter load the window would be seen starting and ending, not watching."""
REQUESTS_BYTES = (2048 * KIB, 512 * KIB, 128 * KIB, 32 * KIB, 8 * KIB)
_LOOK_MS = 100
"""Looking more often would cost as much as a part of what is measured."""
WATCHED_LOADS = 5
WATCHING_AIM, COMPARING_AIM = 0.08, 0.03
WARM = LoadConfig(access="read", readers=8, chunk_bytes=2048 * KIB, deliver="streamed")
"""Wants all processors, and keeps nothing: a load may be as long as the cache is large."""
SLOWED_AIMS: dict[Cache, float] = {"cold": 1.01, "warm": 1.03}


class Spent(NamedTuple):
    """Processor time of this process and time on the clock, both in seconds."""

    cpu_s: float
    wall_s: float

    @classmethod
    def until_now(cls) -> Spent:
        """Since the process started, and since whenever the clock did."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        return cls(used.ru_utime + used.ru_stime, time.monotonic())

    def share_since(self, start: Spent) -> float:
        """Of one core, from `start` to this."""
        return (self.cpu_s - start.cpu_s) / (self.wall_s - start.wall_s)


class Watcher:
    """A window with a model open, at the size that people have."""

    def __init__(self, app: QApplication, model: Path, folder: Path) -> None:
        from modelmon.gui.session.settings import Settings  # noqa: PLC0415 (likewise)
        from modelmon.gui.shell.app import tend  # noqa: PLC0415 (after the platform is set)
        from modelmon.gui.shell.main_window import MainWindow  # noqa: PLC0415 (likewise)

        self._app = app
        self.window: MainWindow = MainWindow(Settings(folder / "window.ini"))
        self.window.resize(1440, 900)
        self.window.show()
        tend(self.window)
        session = self.window.session
        self.window.open_controller.open(str(model))
        self.wait(lambda: session.inspection is not None and not session.busy)
        # The doctor looks at the machine right after a model was opened.
        self.wait(lambda: self.window.machine.diagnosis is not None)

    def wait(self, until: Callable[[], bool], look_ms: int = _LOOK_MS) -> None:
        """Let the window work until the condition holds, without turning for it."""
        from PySide6.QtCore import QEventLoop, QTimer  # noqa: PLC0415 (after the platform is set)

        loop, timer = QEventLoop(), QTimer()
        start = time.monotonic()
        timer.timeout.connect(
            lambda: loop.quit() if until() or time.monotonic() - start > PATIENCE_S else None
        )
        timer.start(look_ms)
        loop.exec()
        if not until():
            raise SystemExit("The window did not get there.")

    def watched_run(self, cache: Cache) -> tuple[int, float]:
        """Wall time of a load in ns, and the share of a core that the window took meanwhile."""
        window, session = self.window, self.window.session
        session.set_cache(cache)
        before, shown = len(session.runs), session.record("A")
        window.compare_controller.run("A")
        self.wait(lambda: session.record("A") is not shown)
        start = Spent.until_now()
        self.wait(lambda: (record := session.record("A")) is not None and record.done)
        share = Spent.until_now().share_since(start)
        self.wait(lambda: len(session.runs) > before and not session.busy)
        result = session.runs[-1].result
        if result is None or not result.counts:
            raise SystemExit(f"A run did not start as asked: {result and result.why_not}")
        return result.wall_ns, share

    def make_long(self) -> None:
        """Let A read past the cache, in requests so small that a load takes some seconds."""
        for nbytes in REQUESTS_BYTES:
            config = LoadConfig(access="direct", chunk_bytes=nbytes)
            self.window.session.set_config("A", config)
            if self.watched_run("cold")[0] >= LONG_ENOUGH_NS:
                return

    def watching(self, *, are_long: bool) -> tuple[int, float]:
        """Time in ns and share of a core of the middle one of some long loads."""
        usual = self.window.session.config("A")
        if not are_long:
            self.make_long()
        loads = [self.watched_run("cold") for _ in range(WATCHED_LOADS)]
        self.window.session.set_config("A", usual)
        return sorted(loads, key=lambda load: load[1])[WATCHED_LOADS // 2]

    def comparing_share(self) -> float:
        """The share of a core that the window takes during a whole comparison."""
        session = self.window.session
        session.set_cache("cold")
        start = Spent.until_now()
        self.window.commands.does["compare"]()
        # To look often would be part of what is measured; the end of tens of seconds may come late.
        self.wait(lambda: session.comparison is not None and not session.busy, look_ms=1000)
        return Spent.until_now().share_since(start)

    def slowed(self, model: Path, cache: Cache, pairs: int) -> Ratio:
        """Times of watched loads ÷ times of the same loads that nobody watches."""
        watched: list[float] = []
        alone: list[float] = []
        config = self.window.session.config("A")
        for label in interleaved(pairs, seed=1):
            if label == "A":
                watched.append(self.watched_run(cache)[0])
            else:
                result = summarise(run_job(Job(str(model), config, "A", cache)))
                if not result.counts:
                    raise SystemExit(f"A run did not start as asked: {result.why_not}")
                alone.append(result.wall_ns)
        return of_pairs(watched, alone).ratio("A", "B")


def main() -> int:
    """Measure, and say what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", type=Path, help="model to load (default: a sample)")
    parser.add_argument("--size", type=parse_size, default=4 * GIB, help="of the sample")
    parser.add_argument("--pairs", type=int, default=7, help="of watched and unwatched; 0: none")
    parser.add_argument("--disk", type=parse_size, help="bytes per second that it gives; root")
    asked = parser.parse_args()
    in_folder = "/var/tmp" if Path("/var/tmp").is_dir() else None
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_folder)))
        os.environ["MODELMON_DATA_DIR"] = str(folder / "data")
        model = asked.model or folder / "sample.safetensors"
        if asked.model is None:
            write_sample(model, "safetensors", asked.size, layers=32, seed=0)
        if asked.disk:
            held = stack.enter_context(throttle.throttled(model, asked.disk))
            stack.enter_context(held.joined())
        _measure(model, folder, asked.pairs, are_long=bool(asked.disk))
    return 0


def _measure(model: Path, folder: Path, pairs: int, *, are_long: bool) -> None:
    watcher = Watcher(application(), model, folder)
    wall_ns, share = watcher.watching(are_long=are_long)
    text = f"watching a run of {duration_text(wall_ns)}: {percent_text(share)} of a core"
    _say(text, WATCHING_AIM, share)
    share = watcher.comparing_share()
    _say(f"during Compare: {percent_text(share)} of a core", COMPARING_AIM, share)
    for cache, aim in SLOWED_AIMS.items() if pairs else ():
        if cache == "warm":
            watcher.window.session.set_config("A", WARM)
        ratio = watcher.slowed(model, cache, pairs)
        sure = percent_text(ratio.coverage_share) if ratio.coverage_share else "range"
        text = f"{cache}, watched ÷ alone: {ratio.ratio:.3f}"
        text += f" ({sure}: {ratio.low:.3f}-{ratio.high:.3f})"
        _say(text, aim, ratio.high)
    watcher.window.close()


def _say(text: str, aim: float, value: float) -> None:
    met = "met" if value <= aim else "not shown"
    sys.stdout.write(f"{text}, aim ≤ {aim:g}: {met}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
