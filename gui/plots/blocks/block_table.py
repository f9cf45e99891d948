"""Blocks of both runs side by side, in the order in which they are shown."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from modelmon.core.worker.events import BlockTiming
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.window.notices import ArmLabel

Order = Literal["execution", "slowest"]


class BlockTable:
    """One row per block that either run knows; a run without a block has no timing there."""

    def __init__(
        self,
        records: dict[ArmLabel, RunRecord | None],
        order: Order = "execution",
        arms: Collection[ArmLabel] = ("A", "B"),
    ) -> None:
        self.order = order
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
        if order == "slowest":
            self.names.sort(key=lambda name: -self._slowest_ns(name, arms))

    def has(self, label: ArmLabel) -> bool:
        """Whether a run has any timings."""
        return bool(self._timings[label])

    def timing(self, label: ArmLabel, name: str) -> BlockTiming | None:
        """What a run says of a block; None before any of its bytes came."""
        timing = self._timings[label].get(name)
        return timing if timing is not None and timing.requests else None

    def planned_bytes(self, name: str) -> int:
        """The block's size, as far as the runs wanted it."""
        return self._planned_bytes.get(name, 0)

    def busy_ns(self, label: ArmLabel) -> NDArray[np.float64]:
        """Each block's part of the load time, nan where none of it was loaded."""
        timings = [self.timing(label, name) for name in self.names]
        return np.array([block.busy_ns if block else np.nan for block in timings], dtype=float)

    def ready_s(self, label: ArmLabel) -> NDArray[np.float64]:
        """When each block was complete, nan where it is not yet."""
        timings = [self.timing(label, name) for name in self.names]
        ready = [block.ready_ns if block else None for block in timings]
        return np.array([np.nan if ns is None else ns / 1e9 for ns in ready], dtype=float)

    def csv_text(self, arms: Collection[ArmLabel]) -> str:
        """The timings as a table, in base units; what is not known stays empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("run", "block", "nbytes", "busy_ns", "ready_ns", "requests"))
        for label in arms:
            for name in self.names:
                if (block := self.timing(label, name)) is not None:
                    figures = (block.nbytes, block.busy_ns, block.ready_ns, block.requests)
                    writer.writerow((label, name, *figures))
        return text.getvalue()

    def _slowest_ns(self, name: str, arms: Collection[ArmLabel]) -> int:
        timings = [self.timing(label, name) for label in arms]
        return max((block.busy_ns for block in timings if block), default=0)


def split_where_falling(
    x: NDArray[np.float64], ready: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The ready line, broken where a block is ready earlier than the one before it.

    Readers take ranges that follow one another, so each rising piece is one reader's.
    """
    falls = np.flatnonzero(np.diff(ready) < 0) + 1
    return np.insert(x, falls, np.nan), np.insert(ready, falls, np.nan)
