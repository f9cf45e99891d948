"""An hour in the window: what it takes of memory, and how long its recording takes to open.

    python benchmarks/gui_hour.py                  # on the display there is, else offscreen
    xvfb-run -a python benchmarks/gui_hour.py      # on a virtual X display

A recording of an hour is written down as a worker would have done it, and opened. Then two made-up
loads of an hour, sampled 20 times a second, grow in all six plots; a frame is drawn for each second
of them. Resident memory is looked at each minute: the highest of the hour is compared with what it
was after ten minutes.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import psutil
from gui_frames import HOUR_SAMPLES, HZ, Film, sample
from on_screen import application

from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import verbatim
from modelmon.core.units import MIB
from modelmon.core.worker.events import PROTOCOL, AnyEvent, Hello, Job, Ready, Started, encode

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

MINUTE_S, HOUR_S = 60, 3600
WARM_UP_MINUTES = 10
MEMORY_AIM_MIB, OPENING_AIM_S = 5.0, 2.0
PATIENCE_S = 120


def resident_mib() -> float:
    """Resident memory of this process, without what can be collected."""
    gc.collect()
    return float(psutil.Process().memory_info().rss) / MIB


def measure_memory(film: Film) -> list[float]:
    """Resident memory in MiB after each minute of the hour."""
    film.show()
    after = []
    for _ in range(HOUR_S // MINUTE_S):
        for _ in range(MINUTE_S):
            film.grown(HZ)
        after.append(resident_mib())
    return after


def write_hour(path: Path) -> None:
    """A load of an hour, as its worker would have written it down so far."""
    started: tuple[AnyEvent, ...] = (
        Hello(PROTOCOL, Job("/model", LoadConfig()), "0", 0.0, "Linux", 8),
        Ready(0.0, verbatim("cachestat"), 0),
        Started(),
    )
    with path.open("wb") as file:
        file.writelines(encode(event) for event in started)
        file.writelines(encode(sample(number, 1.94)) for number in range(1, HOUR_SAMPLES + 1))


def opening_s(app: QApplication, recording: Path, settings: Path) -> float:
    """From asking a window for the recording until its plots are painted."""
    from PySide6.QtCore import QEventLoop  # noqa: PLC0415 (after the platform is set)

    from modelmon.gui.session.settings import Settings  # noqa: PLC0415 (likewise)
    from modelmon.gui.shell.main_window import MainWindow  # noqa: PLC0415 (likewise)

    window = MainWindow(Settings(settings))
    window.resize(1440, 900)
    window.show()
    app.processEvents()
    start = time.perf_counter()
    window.open_controller.open(str(recording))
    while window.session.record("A") is None and window.session.record("B") is None:
        # As in a window that waits: asking on and on would take the interpreter from the reading.
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        if time.perf_counter() - start > PATIENCE_S:
            raise SystemExit("The recording was not opened.")
    app.processEvents()
    took_s = time.perf_counter() - start
    window.close()
    return took_s


def main() -> int:
    """Measure, and say what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--openings", type=int, default=5)
    openings = parser.parse_args().openings
    app = application()
    from modelmon.gui.plots.plot_row import PlotRow  # noqa: PLC0415 (after the platform is set)
    from modelmon.gui.session.session import Session  # noqa: PLC0415 (likewise)

    with tempfile.TemporaryDirectory() as name:
        os.environ["MODELMON_DATA_DIR"] = name
        recording = Path(name, "hour.jsonl")
        write_hour(recording)
        times = [
            opening_s(app, recording, Path(name, f"{number}.ini")) for number in range(openings)
        ]
    middle = median(times)
    _say(f"a recording of an hour opens in {middle:.2f} s", middle <= OPENING_AIM_S)
    session = Session()
    after = measure_memory(Film(app, session, PlotRow(session)))
    warm, most = after[WARM_UP_MINUTES - 1], max(after[WARM_UP_MINUTES:])
    told = f"{warm:.1f} MiB after {WARM_UP_MINUTES} minutes, {after[-1]:.1f} after the hour"
    _say(f"{told}, {most:.1f} at most between", most - warm <= MEMORY_AIM_MIB)
    return 0


def _say(text: str, met: bool) -> None:
    sys.stdout.write(f"{text}: {'met' if met else 'missed'}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
