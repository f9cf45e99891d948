"""How long trees take with many rows: tensors to open, expand, search, scroll; runs to sort.

Run: QT_QPA_PLATFORM=offscreen .venv/bin/python benchmarks/gui_tree.py
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from modelmon.core.load.config import LoadConfig
from modelmon.core.model.blocks import blocks_of
from modelmon.core.model.tensors import Model, Shard, Tensor
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import RunResult
from modelmon.gui.model.model_tree import ModelTree
from modelmon.gui.runs.run_library import MOST_ROWS
from modelmon.gui.runs.run_lines import RunLine
from modelmon.gui.runs.runs_tree import RunsTree
from modelmon.gui.session.session import Run
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable

_LAYERS, _SHARDS = 60, 8
_PARTS = ("gate_proj", "up_proj", "down_proj")
_BYTES = 1 << 20
_SIZE_PX = (264, 600)


def mixture_of_experts(count: int) -> Model:
    """A model of about `count` tensors in 60 layers and 8 shards, nearly all of them experts."""
    experts = count // (_LAYERS * len(_PARTS))
    names = [
        f"model.layers.{layer}.mlp.experts.{expert}.{part}.weight"
        for layer in range(_LAYERS)
        for expert in range(experts)
        for part in _PARTS
    ]
    share = -(-len(names) // _SHARDS)
    tensors = tuple(
        Tensor(name, "BF16", (512, 1024), at // share, at % share * _BYTES, _BYTES)
        for at, name in enumerate(names)
    )
    shards = tuple(
        Shard(f"/m/model-{at + 1:05}-of-{_SHARDS:05}.safetensors", share * _BYTES, 0)
        for at in range(_SHARDS)
    )
    return Model("moe", "/m", "safetensors", shards, tensors, blocks_of(tensors), {})


class Desk:
    """A tree on a screen, and what people do with it."""

    def __init__(self, app: QApplication, model: Model) -> None:
        self._app = app
        self._model = model
        self._tree = ModelTree()
        self._tree.resize(*_SIZE_PX)
        self._tree.show()
        app.processEvents()

    def steps(self) -> dict[str, Callable[[], None]]:
        """What is measured, in the order in which it is done."""
        view = self._tree.view
        return {
            "name blocks": lambda: self._nothing(blocks_of(self._model.tensors)),
            "open": lambda: self._tree.set_model(self._model),
            "expand one block": lambda: view.expand(
                view.model().index(0, 0, view.model().index(0, 0))
            ),
            "scroll by a page": lambda: self._scroll(view.verticalScrollBar().pageStep()),
            "search, few found": lambda: self._search("layers.7.mlp.experts.9.up"),
            "search, third found": lambda: self._search("up_proj"),
            "search, all found": lambda: self._search("weight"),
            "end search": lambda: self._search(""),
            "expand all": view.expandAll,
            "scroll to the end": lambda: self._scroll(view.verticalScrollBar().maximum()),
        }

    def time_ms(self, do: Callable[[], None]) -> float:
        """From the call until the window has painted what came of it."""
        start = time.perf_counter()
        do()
        self._app.processEvents()
        return (time.perf_counter() - start) * 1e3

    def close(self) -> None:
        """Take the tree off the screen."""
        self._tree.close()

    def _scroll(self, by: int) -> None:
        bar = self._tree.view.verticalScrollBar()
        bar.setValue(bar.value() + by)

    def _search(self, text: str) -> None:
        self._tree.search.setText(text)
        self._tree.apply_filter()

    def _nothing(self, result: object) -> None:
        del result


def recorded_run(at: int) -> RunLine:
    """One of many runs, which took another time than its neighbours."""
    read_ns = 10**8 + at * 7919 % 10**8
    result = RunResult(
        strategy="mmap",
        config=LoadConfig(),
        load_bytes=_BYTES,
        model_bytes=_BYTES,
        cache_asked="cold",
        started_unix_s=float(at),
        wall_ns=read_ns,
        warmup_ns=0,
        memory_kind="mapped",
        cache_state="cold",
        cache_evidence="verified",
        counts=True,
    )
    run = Run(at, "A", RunRecord(), None, result)
    return RunLine(None, run, float(at), *("moe", "mmap", "A", "Cold", "Counts", "Here", "moe"))


def sort_ms(app: QApplication, rounds: int) -> float:
    """Of as many runs as are listed, of which one is selected, by a click on another heading."""
    table, times_ms = RunsTree(), []
    table.resize(1100, 500)
    table.show()
    table.runs.set_lines(map(recorded_run, range(MOST_ROWS)))
    table.setCurrentIndex(table.runs.index(3, 0))
    for at in range(rounds):
        app.processEvents()
        start = time.perf_counter()
        table.header().setSortIndicator((1, 5)[at % 2], Qt.SortOrder.AscendingOrder)
        app.processEvents()
        times_ms.append((time.perf_counter() - start) * 1e3)
    table.close()
    return statistics.median(times_ms)


def main() -> int:
    """Print the median of each step for both sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tensors", type=int, nargs="+", default=[20_000, 100_000])
    options = parser.parse_args()
    app = QApplication(sys.argv[:1])
    manager().apply(app)
    for count in options.tensors:
        model = mixture_of_experts(count)
        found: dict[str, list[float]] = {}
        for _ in range(options.rounds):
            desk = Desk(app, model)
            for name, do in desk.steps().items():
                found.setdefault(name, []).append(desk.time_ms(do))
            desk.close()
        sys.stdout.write(f"{len(model.tensors):,} tensors, {len(model.shards)} shards\n")
        for name, times in found.items():
            sys.stdout.write(f"  {name:20} {statistics.median(times):8.1f} ms\n")
    sys.stdout.write(f"{MOST_ROWS:,} runs\n  {'sort':20} {sort_ms(app, options.rounds):8.1f} ms\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
