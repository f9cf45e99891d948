"""Where the blocks of a model lie in its files laid end to end, and short names for them."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from modelmon.core.model.sharded import shard_names
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.model.tensors import Model


_NUMBERED = re.compile(r"(.*?)[._]?(\d+)")
_WORDS = re.compile(r"[._]+")
_LETTERS = 3
_GAP_PX = 6
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


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


def short_names(names: Sequence[str]) -> list[str]:
    """`layers.7` as `7`, `embeddings` as `emb`: as short as tells every block from the others.

    Where several kinds of blocks are numbered, the letters their words begin with tell them apart
    (`tel7`, `tb7`); of what isn't numbered, three of each word stay. A kind of which a block would
    be called like another one keeps its whole names.
    """
    kinds: dict[tuple[str, bool], dict[str, str]] = {}
    for name in dict.fromkeys(names):
        match = _NUMBERED.fullmatch(name)
        kind, number = (match[1], match[2]) if match else (name, "")
        kinds.setdefault((kind, match is not None), {})[name] = number
    alone = sum(numbered for _, numbered in kinds) == 1
    tried = [
        {
            name: _beginning(kind, numbered=numbered, alone=alone) + number
            for name, number in of.items()
        }
        for (kind, numbered), of in kinds.items()
    ]
    often = Counter(label for labels in tried for label in labels.values())
    short = {name: name for labels in tried for name in labels}
    for labels in tried:
        if all(often[label] == 1 and label not in short for label in labels.values()):
            short |= labels
    return [short[name] for name in names]


def _beginning(kind: str, *, numbered: bool, alone: bool) -> str:
    words = _WORDS.split(kind)
    if numbered:
        return "" if alone else "".join(word[:1] for word in words)
    return ".".join(word[:_LETTERS] for word in words)


def thinned(
    labels: Sequence[str],
    positions_px: Sequence[float],
    width_px: Callable[[str], float],
    *,
    in_order: bool,
) -> list[int]:
    """Indices of the labels to write so that none touches another.

    Blocks in execution order keep the ones without a number (`emb`, `out`) and round
    numbers; any other order keeps every n-th.
    """
    chosen: list[int] = []
    taken: list[tuple[float, float]] = []

    def place(index: int) -> None:
        half = width_px(labels[index]) / 2 + _GAP_PX / 2
        low, high = positions_px[index] - half, positions_px[index] + half
        if all(high <= start or stop <= low for start, stop in taken):
            chosen.append(index)
            taken.append((low, high))

    if in_order:
        for index, label in enumerate(labels):
            if not label[-1:].isdigit():
                place(index)
    numbered = [label for label in labels if label[-1:].isdigit()] or list(labels)
    widest_px = max((width_px(label) for label in (numbered if in_order else labels)), default=0.0)
    every = _step_that_fits(positions_px, widest_px + _GAP_PX)
    for index, label in enumerate(labels):
        digits = re.search(r"\d+$", label)
        number = int(digits[0]) if in_order and digits else index
        if number % every == 0 and (digits or not in_order):
            place(index)
    return sorted(chosen)


def _step_that_fits(positions_px: Sequence[float], label_px: float) -> int:
    if len(positions_px) < 2:
        return 1
    slot_px = (positions_px[-1] - positions_px[0]) / (len(positions_px) - 1)
    return next((step for step in _STEPS if step * slot_px >= label_px), _STEPS[-1])
