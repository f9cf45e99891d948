"""Where the blocks of a model lie in its files: the shards laid end to end."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from modelmon.core.model.sharded import shard_names
from modelmon.core.terminal_safe import one_line
from modelmon.gui.blocks.block_labels import short_names
from modelmon.gui.plots.arms import ARMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.blocks.request_map import RequestMap
    from modelmon.gui.session.notices import ArmLabel


class MapBlocks(QObject):
    """Marks the selected block in the maps of the runs that have loaded the open files."""

    block_selected = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.selected = ""
        self._maps: dict[ArmLabel, list[RequestMap]] = {label: [] for label in ARMS}
        self._places: BlockPlaces | None = None
        self._fitting: dict[ArmLabel, BlockPlaces] = {}

    def add(self, label: ArmLabel, each: RequestMap) -> None:
        """Mark it in this map of an arm, too."""
        self._maps[label].append(each)
        each.clicked.connect(partial(self._on_clicked, label))

    def set_places(self, places: BlockPlaces | None) -> None:
        """The blocks of the model that is open now."""
        self._places = places
        self.selected = ""

    def select(self, name: str) -> None:
        """Choose the block that is marked; an empty name stands for none."""
        self.selected = name

    def show(self, records: Mapping[ArmLabel, RunRecord | None]) -> None:
        """Mark it in the maps of these runs."""
        self._fitting = {}
        for label, record in records.items():
            planned = record.planned if record is not None else None
            places = self._places
            if places is not None and planned is not None and places.fits(planned.shard_bytes):
                self._fitting[label] = places
            self._mark(label)

    def _mark(self, label: ArmLabel) -> None:
        places = self._fitting.get(label)
        for each in self._maps[label]:
            each.block_at = places.at if places is not None else None
            each.select(places.of(self.selected) if places is not None and self.selected else ())

    def _on_clicked(self, label: ArmLabel, offset_bytes: float) -> None:
        places = self._fitting.get(label)
        name = places.at(offset_bytes) if places is not None else ""
        if name:
            self.selected = name
            for each in ARMS:
                self._mark(each)
            self.block_selected.emit(name)


class Piece(NamedTuple):
    """Consecutive bytes of one block; a block whose tensors are apart has several pieces."""

    start_bytes: int
    end_bytes: int
    block: str


class BlockPlaces:
    """The pieces of all blocks, and what lies at an offset; offsets count from the first shard.

    Nothing is worked out before it is asked for, since a model may have 100,000 tensors.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.shard_bytes = tuple(shard.size_bytes for shard in model.shards)
        self.shard_names = shard_names(shard.path for shard in model.shards)

    def fits(self, shard_bytes: Sequence[int]) -> bool:
        """Whether files of these sizes can be the ones that the blocks lie in."""
        return tuple(shard_bytes) == self.shard_bytes

    @cached_property
    def _tensors(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Starts, ends and numbers of all tensors that have bytes, by their starts."""
        before = np.concatenate([[0], np.cumsum(self.shard_bytes, dtype=np.int64)])
        tensors = self._model.tensors
        shard = np.array([tensor.shard for tensor in tensors], dtype=np.int64)
        start = before[shard] + np.array([tensor.offset_bytes for tensor in tensors], np.int64)
        nbytes = np.array([tensor.nbytes for tensor in tensors], dtype=np.int64)
        order = np.argsort(start, kind="stable")
        order = order[nbytes[order] > 0]
        return start[order], (start + nbytes)[order], order

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces in the order of the files; padding between two of a block belongs to it."""
        starts, ends, numbers = self._tensors
        if not len(starts):
            return ()
        owner = np.zeros(len(self._model.tensors), dtype=np.int64)
        for number, block in enumerate(self._model.blocks):
            owner[list(block.tensors)] = number
        owners = owner[numbers]
        # The header of the next shard is no block's, whatever lies on both sides of it.
        shards = np.searchsorted(np.cumsum(self.shard_bytes), starts, side="right")
        other = (owners[1:] != owners[:-1]) | (shards[1:] != shards[:-1])
        first = np.flatnonzero(np.concatenate([[True], other]))
        # Where tensors share bytes, a piece reaches to the end of the longest.
        last = np.maximum.reduceat(ends, first)
        names = [block.name for block in self._model.blocks]
        rows = zip(starts[first].tolist(), last.tolist(), owners[first].tolist(), strict=True)
        return tuple(Piece(start, end, names[number]) for start, end, number in rows)

    @cached_property
    def _starts(self) -> np.ndarray:
        return np.array([piece.start_bytes for piece in self.pieces], dtype=np.int64)

    def at(self, offset_bytes: float) -> str:
        """The block at an offset; empty where there is none, as in a header."""
        found = int(np.searchsorted(self._starts, offset_bytes, side="right")) - 1
        if found < 0 or offset_bytes >= self.pieces[found].end_bytes:
            return ""
        return self.pieces[found].block

    def between(self, start_bytes: float, end_bytes: float) -> tuple[Piece, ...]:
        """The pieces that have bytes there."""
        first = max(int(np.searchsorted(self._starts, start_bytes, side="right")) - 1, 0)
        last = int(np.searchsorted(self._starts, end_bytes, side="left"))
        found = self.pieces[first:last]
        return found[1:] if found and found[0].end_bytes <= start_bytes else found

    @cached_property
    def short(self) -> dict[str, str]:
        """A short name for each block that has bytes."""
        names = list(dict.fromkeys(piece.block for piece in self.pieces))
        return dict(zip(names, short_names(names), strict=True))

    def of(self, block: str) -> tuple[Piece, ...]:
        """The pieces of one block."""
        return tuple(piece for piece in self.pieces if piece.block == block)

    def next_to(self, block: str, step: int) -> str:
        """The block whose first piece comes before or after this one's; the first for none."""
        names = list(dict.fromkeys(piece.block for piece in self.pieces))
        if not names:
            return ""
        if block not in names:
            return names[0]
        return names[min(max(names.index(block) + step, 0), len(names) - 1)]

    def tensors_between(self, start_bytes: float, end_bytes: float) -> list[str]:
        """Names of the tensors that have bytes there, in the order of the files."""
        starts, ends, numbers = self._tensors
        first = int(np.searchsorted(ends, start_bytes, side="right"))
        last = int(np.searchsorted(starts, end_bytes, side="left"))
        return [
            one_line(self._model.tensors[number].name) for number in numbers[first:last].tolist()
        ]
