"""Short names for blocks under an axis, only as many as there is room for."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NUMBERED = re.compile(r"(.*?)[._]?(\d+)")
_LETTERS = 3
_GAP_PX = 6
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def short_names(names: Sequence[str]) -> list[str]:
    """`layers.7` as `7`, `embeddings` as `emb`.

    Where several kinds of blocks are numbered, the first letter tells them apart: `d7`, `s7`.
    """
    matches = [_NUMBERED.fullmatch(name) for name in names]
    kinds = Counter(match[1] for match in matches if match)
    return [
        (match[1][:1] if len(kinds) > 1 else "") + match[2] if match else name[:_LETTERS]
        for name, match in zip(names, matches, strict=True)
    ]


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
