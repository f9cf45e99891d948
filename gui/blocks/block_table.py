"""Blocks of both runs side by side, in the order in which they are shown, and their plots' base."""

from __future__ import annotations

from collections import deque
from functools import lru_cache, partial
from math import inf
from operator import attrgetter, eq
from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QMenu

from modelmon.core.export.csv_tables import csv_table
from modelmon.core.units import size_text
from modelmon.gui.language import tr
from modelmon.gui.plots.frame import RunsPlot
from modelmon.gui.plots.timeline import ARMS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from modelmon.core.worker.events import BlockTiming
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.session.notices import ArmLabel

Part = Literal["busy_ns", "decode_ns", "wait_ns"]
PARTS: tuple[Part, ...] = ("busy_ns", "decode_ns", "wait_ns")
"""A block's part of the load time, and what of that was decoding and waiting for it."""

STEPS: dict[int, int] = {
    **dict.fromkeys((Qt.Key.Key_Left, Qt.Key.Key_Up), -1),
    **dict.fromkeys((Qt.Key.Key_Right, Qt.Key.Key_Down), 1),
}
"""From one block to the next, by arrow keys."""
Order = Literal["execution", "slowest", "A ready", "B ready", "difference"]


_name = attrgetter("name")
_recent: deque[tuple[tuple[str, ...], dict[str, int]]] = deque(maxlen=4)


def _places_of(blocks: Sequence[BlockTiming]) -> tuple[tuple[str, ...], dict[str, int]]:
    """Names of blocks, and where each stands. Reports of a load name the same blocks ten times a
    second: to compare them takes a fifth of sorting them in.
    """
    for names, places in _recent:
        if len(names) == len(blocks) and all(map(eq, names, map(_name, blocks))):
            return names, places
    names = tuple(map(_name, blocks))
    _recent.appendleft((names, {name: at for at, name in enumerate(names)}))
    return _recent[0]


@lru_cache(maxsize=4)
def _planned_places(names: tuple[str, ...]) -> dict[str, int]:
    return {name: at for at, name in enumerate(names)}


@lru_cache(maxsize=4)
def _all_names(lists: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in lists for name in names))


class BlockTable:
    """One row per block that either run knows; a run without a block has no timing there."""

    def __init__(
        self,
        records: dict[ArmLabel, RunRecord | None],
        order: Order = "execution",
        arms: Collection[ArmLabel] = ARMS,
    ) -> None:
        self._blocks: dict[ArmLabel, tuple[BlockTiming, ...]] = {}
        self._at: dict[ArmLabel, dict[str, int]] = {}
        self._sizes: list[tuple[dict[str, int], tuple[int, ...]]] = []
        known = []
        for label, record in records.items():
            blocks = self._blocks[label] = tuple(record.blocks) if record is not None else ()
            names, self._at[label] = _places_of(blocks)
            planned = record.planned if record is not None and blocks else None
            if planned is not None:
                self._sizes.append((_planned_places(planned.block_names), planned.block_bytes))
                known.append(planned.block_names)
            known.append(names)
        self.names = list(_all_names(tuple(known)))
        self._sort(order, arms)

    def has(self, label: ArmLabel) -> bool:
        """Whether a run has any timings."""
        return bool(self._blocks[label])

    def timing(self, label: ArmLabel, name: str) -> BlockTiming | None:
        """What a run says of a block; None before any of its bytes came."""
        timing = self._of(label, name)
        return timing if timing is not None and timing.requests else None

    def seen(self, label: ArmLabel, name: str) -> BlockTiming | None:
        """The same, or of a replayed block that is not complete when its bytes arrived so far."""
        timing = self._of(label, name)
        return timing if timing is not None and (timing.requests or timing.arrivals_ns) else None

    def planned_bytes(self, name: str) -> int:
        """The block's size, as far as the runs wanted it."""
        for at, sizes in reversed(self._sizes):
            if name in at:
                return sizes[at[name]]
        return next((of.nbytes for label in ARMS if (of := self._of(label, name))), 0)

    def times(self, label: ArmLabel, part: Part) -> NDArray[np.float64]:
        """One of PARTS of each block, nan where none of it was loaded, or nothing decoded."""
        timings = [self.timing(label, name) for name in self.names]
        return np.array([getattr(block, part) if block else None for block in timings], dtype=float)

    def decodes(self, label: ArmLabel) -> bool:
        """Whether a run decodes what it loads."""
        return any(block.decode_ns is not None for block in self._blocks[label])

    def ready_ns(self, label: ArmLabel, name: str) -> int | None:
        """When a block was complete, None where it is not yet."""
        timing = self._of(label, name)
        return timing.ready_ns if timing is not None else None

    def csv_text(self, arms: Collection[ArmLabel]) -> str:
        """The timings as a table, in base units; what is not known stays empty."""
        times = ("busy_ns", "decode_ns", "wait_ns", "requested_ns", "ready_ns", "arriving_ns")
        columns = ("nbytes", *times, "requests")
        return csv_table(
            ("run", "block", *columns),
            (
                (label, name, *(getattr(block, each) for each in columns))
                for label in arms
                for name in self.names
                if (block := self.timing(label, name)) is not None
            ),
        )

    def _of(self, label: ArmLabel, name: str) -> BlockTiming | None:
        at = self._at[label].get(name)
        return None if at is None else self._blocks[label][at]

    def _sort(self, order: Order, arms: Collection[ArmLabel]) -> None:
        """What is not known comes last; blocks that are alike stay in execution order."""
        match order:
            case "execution":
                pass
            case "slowest":
                self.names.sort(key=lambda name: -self._slowest_ns(name, arms))
            case "A ready" | "B ready":
                label: ArmLabel = "A" if order == "A ready" else "B"
                ready = {name: self.ready_ns(label, name) for name in self.names}
                self.names.sort(key=lambda name: inf if (ns := ready[name]) is None else ns)
            case "difference":
                self.names.sort(key=lambda name: -self._apart_ns(name))

    def _slowest_ns(self, name: str, arms: Collection[ArmLabel]) -> int:
        timings = [self.timing(label, name) for label in arms]
        return max((block.busy_ns for block in timings if block), default=0)

    def _apart_ns(self, name: str) -> int:
        a, b = self.ready_ns("A", name), self.ready_ns("B", name)
        return -1 if a is None or b is None else abs(a - b)


class BlockPlot(RunsPlot):
    """Shows the blocks of both arms in the order that its box says."""

    block_selected = Signal(str)

    def __init__(self, name: str, empty_text: str, orders: Mapping[Order, str]) -> None:
        super().__init__(name, empty_text)
        self.table = BlockTable(self.records)
        self.selected = ""
        self.describe: Callable[[str], str] | None = None
        self.order_box = QComboBox()
        self.order_box.setProperty("compact", True)
        self.order_box.setAccessibleName(tr("Block order"))
        self._orders = tuple(orders)
        self.order_box.addItems([tr(each) for each in orders.values()])
        self.order_box.currentIndexChanged.connect(self.refresh)

    @property
    def order(self) -> Order:
        """The order of the blocks."""
        return self._orders[self.order_box.currentIndex()]

    def state(self) -> dict[str, object]:
        """The newest timings of both runs, how they are shown."""
        of_runs: dict[str, object] = {
            at: each and (each.blocks, each.done) for at, each in self.records.items()
        }
        return {**of_runs, "arms": self.visible_arms, "order": self.order}

    @property
    def has_table(self) -> bool:
        """The figures of each block."""
        return True

    def csv_text(self) -> str:
        """A row for each block of each shown arm, in the order in which they are shown."""
        return self.table.csv_text([label for label in ARMS if label in self.visible_arms])

    def make_menu(self) -> QMenu:
        """Orders, too, for where the box has no room."""
        menu = super().make_menu()
        orders = menu.addMenu(tr("Block order"))
        for at in range(self.order_box.count()):
            name = self.order_box.itemText(at)
            choice = orders.addAction(name, partial(self.order_box.setCurrentIndex, at))
            choice.setCheckable(True)
            choice.setChecked(at == self.order_box.currentIndex())
        return menu

    def describe_blocks_with(self, describe: Callable[[str], str]) -> None:
        """Let `describe` say more of a block than its size: `9 tensors, 436 MB, BF16`."""
        self.describe = describe
        self.select_block(self.selected)

    def select_block(self, name: str) -> None:
        """Mark a block and show its figures; an empty name stands for none."""
        raise NotImplementedError

    def about(self, name: str) -> str:
        """What a block is."""
        told = self.describe(name) if self.describe and name else ""
        return told or size_text(self.table.planned_bytes(name))

    def row_of_selected(self) -> int | None:
        """Where the selected block is shown."""
        names = self.table.names
        return names.index(self.selected) if self.selected in names else None

    def choose(self, row: int) -> None:
        """Select the block that is shown there, on the user's behalf."""
        if 0 <= row < len(self.table.names):
            self.select_block(self.table.names[row])
            self.block_selected.emit(self.selected)

    def on_key(self, key: int) -> None:
        """Arrow keys select the block before or after the selected one."""
        if step := STEPS.get(key):
            here = self.row_of_selected()
            row = here + step if here is not None else 0
            self.choose(min(max(row, 0), len(self.table.names) - 1))
