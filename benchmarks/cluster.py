"""What 1,000 nodes take in driver, result and window: processor time, memory, size of the result.

The nodes are made up, with the lines of a load of 60 samples each, and answer at once: what is left
is decoding, keeping, judging and showing them, without Ray. Times are of this process's processors,
for others may be at work.

Run: QT_QPA_PLATFORM=offscreen .venv/bin/python benchmarks/cluster.py
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from tests.core.cluster.simulated import GB, SimulatedFleet
from tests.core.cluster.starts import way

from modelmon.core.cluster.drive import Begun, ClusterOptions, Ended, Standing, decode_live, measure
from modelmon.core.messages import to_text, to_wire
from modelmon.core.units import duration_text, size_text
from modelmon.gui.session.settings import Settings
from modelmon.gui.shell.main_window import MainWindow
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.cluster.drive import LiveEvent
    from modelmon.core.cluster.result import ClusterResult

_SAMPLES = 60
_SHARED_BYTES_PER_S = 200 * GB
_PATH = "/models/m.safetensors"
_NODES = (10, 100, 1000)
_STANDINGS = 40
_FRAMES = 20
_SIZE_PX = (1280, 800)


def main() -> None:
    """Lines for each number of nodes; the most memory is of all lines until then."""
    app = QApplication(sys.argv[:1])
    manager().apply(app)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MODELMON_DATA_DIR"] = folder
        window = MainWindow.built(Settings(Path(folder, "window.ini")))
        window.resize(*_SIZE_PX)
        window.show()
        for nodes in _NODES:
            _show(window, nodes)
        window.close()


def _show(window: MainWindow, nodes: int) -> None:
    fleet = SimulatedFleet(nodes, GB, _SHARED_BYTES_PER_S, samples=_SAMPLES, slow={nodes // 2: 2.0})
    began_ns = time.process_time_ns()
    result = measure(fleet, [way()], ClusterOptions(_PATH, repeats=1))
    driver_ns = time.process_time_ns() - began_ns
    document = msgspec.json.encode(result, enc_hook=to_text)
    _say(
        f"{nodes} nodes, {len(result.runs)} starts: driver {duration_text(driver_ns)},"
        f" {size_text(len(document))} of JSON, {size_text(_most_bytes())} of memory"
    )
    ended_ns, ended = _timed(lambda: decode_live(_line(Ended(result))))
    assert isinstance(ended, Ended)
    clusters = window.session.clusters
    clusters.begin()
    window.workspace.show_cluster()
    clusters.take(Begun(_PATH, tuple(fleet.nodes), (way(),), 1))
    frames = [_frame(window, standing) for standing in _standings(nodes)]
    conclude_ns, _ = _timed(lambda: _conclude(window, ended.result))
    tab = window.workspace.cluster
    moves = [_timed(partial(_point, window, at))[0] for at in range(_FRAMES)]
    tab.resize(tab.size())
    drawn_ns, _ = _timed(lambda: _resized(window))
    _say(
        f"    window: result read in {duration_text(ended_ns)}, shown in"
        f" {duration_text(conclude_ns)}, drawn anew in {duration_text(drawn_ns)}; a frame while"
        f" nodes load {duration_text(median(frames))} (most {duration_text(max(frames))}), while"
        f" the pointer moves {duration_text(median(moves))};"
        f" {size_text(_most_bytes())} of memory"
    )


def _standings(nodes: int) -> list[Standing]:
    names = tuple(f"node-{number}" for number in range(nodes))
    return [
        Standing(
            "A",
            "direct",
            0,
            1,
            names,
            tuple(GB * step // _STANDINGS for _ in names),
            GB * nodes,
            (),
            step * GB // 4,
        )
        for step in range(1, _STANDINGS)
    ]


def _line(event: LiveEvent) -> bytes:
    return msgspec.json.encode(event, enc_hook=to_wire)


def _frame(window: MainWindow, standing: Standing) -> int:
    """What arrives is decoded, taken in and painted."""
    line = _line(standing)

    def work() -> None:
        window.session.clusters.take(decode_live(line))
        _paint(window)

    return _timed(work)[0]


def _conclude(window: MainWindow, result: ClusterResult) -> None:
    window.session.conclude(result)
    _paint(window)


def _point(window: MainWindow, at: int) -> None:
    plot = window.workspace.cluster.map
    assert plot.times is not None
    share = (at + 0.5) / _FRAMES
    plot.canvas.hovered.emit(share * plot.times.end_s, share * len(plot.times.names))
    _paint(window)


def _resized(window: MainWindow) -> None:
    window.resize(_SIZE_PX[0] + 1, _SIZE_PX[1])
    _paint(window)
    window.resize(*_SIZE_PX)


def _paint(window: MainWindow) -> None:
    window.workspace.cluster.repaint()
    QApplication.processEvents()


def _timed(work: Callable[[], object]) -> tuple[int, object]:
    """Nanoseconds of the processors, and what came of it."""
    began_ns = time.process_time_ns()
    found = work()
    return time.process_time_ns() - began_ns, found


def _most_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
