"""How long the model tree takes with many tensors: to open, to expand, to search, to scroll.

Run: QT_QPA_PLATFORM=offscreen .venv/bin/python benchmarks/gui_tree.py
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from modelmon.core.model.blocks import blocks_of
from modelmon.core.model.tensors import Model, Shard, Tensor
from modelmon.gui.model.model_tree import ModelTree
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
