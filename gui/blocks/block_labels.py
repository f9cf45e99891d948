"""Short names for blocks under an axis, only as many as there is room for."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_NUMBERED = re.compile(r"(.*?)[._]?(\d+)")
_WORDS = re.compile(r"[._]+")
_LETTERS = 3
_GAP_PX = 6
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def short_names(names: Sequence[str]) -> list[str]:
    """`layers.7` as `7`, `embeddings` as `emb`: as short as tells every block from the others.

    Where several kinds of blocks are numbered, their first letter tells them apart (`d7`, `s7`),
    else the letters their words begin with (`tel7`, `tb7`), else three of each word; what is
    still the same has its whole name. All blocks of a kind are called alike.
    """
    short = {name: name for name in names}
    taken = set(short)
    kinds = _kinds(short)
    alone = sum(kind.numbered for kind in kinds) == 1
    for form in (_number if alone else _first, _initials, _beginnings):
        tried = {kind: _labels(members, form(kind)) for kind, members in kinds.items()}
        often = Counter(label for labels in tried.values() for label in labels)
        for kind, labels in tried.items():
            if all(often[label] == 1 and label not in taken for label in labels):
                taken.update(labels)
                short.update(zip(kinds.pop(kind), labels, strict=True))
    return [short[name] for name in names]


class _Kind(NamedTuple):
    """What blocks of one kind are called but for their number; one without is its own kind."""

    name: str
    numbered: bool


def _kinds(names: Iterable[str]) -> dict[_Kind, list[str]]:
    kinds: dict[_Kind, list[str]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        kind = _Kind(match[1], numbered=True) if match else _Kind(name, numbered=False)
        kinds.setdefault(kind, []).append(name)
    return kinds


def _labels(names: Sequence[str], start: str) -> list[str]:
    matches = [_NUMBERED.fullmatch(name) for name in names]
    return [f"{start}{match[2]}" if match else start for match in matches]


def _number(kind: _Kind) -> str:
    return "" if kind.numbered else kind.name[:_LETTERS]


def _first(kind: _Kind) -> str:
    return kind.name[: 1 if kind.numbered else _LETTERS]


def _initials(kind: _Kind) -> str:
    if not kind.numbered:
        return _beginnings(kind)
    return "".join(word[:1] for word in _WORDS.split(kind.name))


def _beginnings(kind: _Kind) -> str:
    return ".".join(word[:_LETTERS] for word in _WORDS.split(kind.name))


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
