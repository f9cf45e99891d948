"""Blocks of both runs side by side, in the order in which they are shown."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal

import numpy as np

from modelmon.core.export.csv_tables import csv_table

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from modelmon.core.worker.events import BlockTiming
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.session.notices import ArmLabel

Part = Literal["busy_ns", "decode_ns", "wait_ns"]
PARTS: tuple[Part, ...] = ("busy_ns", "decode_ns", "wait_ns")
"""A block's part of the load time, and what of that was decoding and waiting for it."""

Order = Literal["execution", "slowest", "A ready", "B ready", "difference"]


class BlockTable:
    """One row per block that either run knows; a run without a block has no timing there."""

    def __init__(
        self,
        records: dict[ArmLabel, RunRecord | None],
        order: Order = "execution",
        arms: Collection[ArmLabel] = ("A", "B"),
    ) -> None:
        self._timings: dict[ArmLabel, dict[str, BlockTiming]] = {
            label: {block.name: block for block in record.blocks} if record else {}
            for label, record in records.items()
        }
        planned: dict[str, int] = {}
        for record in records.values():
            if record is None or not record.blocks:
                continue
            if record.planned is not None:
                names = record.planned.block_names
                planned.update(zip(names, record.planned.block_bytes, strict=True))
            for block in record.blocks:
                planned.setdefault(block.name, block.nbytes)
        self._planned_bytes = planned
        self.names = list(planned)
        self._sort(order, arms)

    def has(self, label: ArmLabel) -> bool:
        """Whether a run has any timings."""
        return bool(self._timings[label])

    def timing(self, label: ArmLabel, name: str) -> BlockTiming | None:
        """What a run says of a block; None before any of its bytes came."""
        timing = self._timings[label].get(name)
        return timing if timing is not None and timing.requests else None

    def seen(self, label: ArmLabel, name: str) -> BlockTiming | None:
        """The same, or of a replayed block that is not complete when its bytes arrived so far."""
        timing = self._timings[label].get(name)
        return timing if timing is not None and (timing.requests or timing.arrivals_ns) else None

    def planned_bytes(self, name: str) -> int:
        """The block's size, as far as the runs wanted it."""
        return self._planned_bytes.get(name, 0)

    def times(self, label: ArmLabel, part: Part) -> NDArray[np.float64]:
        """One of PARTS of each block, nan where none of it was loaded, or nothing decoded."""
        timings = [self.timing(label, name) for name in self.names]
        return np.array([getattr(block, part) if block else None for block in timings], dtype=float)

    def decodes(self, label: ArmLabel) -> bool:
        """Whether a run decodes what it loads."""
        return any(block.decode_ns is not None for block in self._timings[label].values())

    def ready_ns(self, label: ArmLabel, name: str) -> int | None:
        """When a block was complete, None where it is not yet."""
        timing = self._timings[label].get(name)
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

    def _sort(self, order: Order, arms: Collection[ArmLabel]) -> None:
        """What is not known comes last; blocks that are alike stay in execution order."""
        match order:
            case "execution":
                pass
            case "slowest":
                self.names.sort(key=lambda name: -self._slowest_ns(name, arms))
            case "A ready" | "B ready":
                label: ArmLabel = "A" if order == "A ready" else "B"
                self.names.sort(key=lambda name: _or_last(self.ready_ns(label, name)))
            case "difference":
                self.names.sort(key=lambda name: -self._apart_ns(name))

    def _slowest_ns(self, name: str, arms: Collection[ArmLabel]) -> int:
        timings = [self.timing(label, name) for label in arms]
        return max((block.busy_ns for block in timings if block), default=0)

    def _apart_ns(self, name: str) -> int:
        a, b = self.ready_ns("A", name), self.ready_ns("B", name)
        return -1 if a is None or b is None else abs(a - b)


def _or_last(ns: int | None) -> float:
    return inf if ns is None else ns
