"""Short names for blocks: as much of a tensor's name as tells them apart."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

# Wrappers around a whole model, which say nothing about a part of it.
_WRAPPERS = frozenset({"model", "module", "base_model", "transformer", "backbone", "net"})
_COUNT = re.compile(r"_[0-9]+(?:_.*)?$", re.DOTALL)


def container_labels(containers: Collection[str]) -> dict[str, str]:
    """A label for each container: its last word, and before it the words that differ.

    `model.encoder.layers` and `model.decoder.layers` become `encoder.layers` and
    `decoder.layers`; a lone `model.layers` becomes `layers`.
    """
    by_last_word: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for container in containers:
        words = tuple(container.split("."))
        by_last_word[words[-1]].append(words)
    labels: dict[str, str] = {}
    for paths in by_last_word.values():
        following: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for path in paths:
            for depth, word in enumerate(path):
                following[path[:depth]].add(word)
        for path in paths:
            kept = [
                word for depth, word in enumerate(path[:-1]) if len(following[path[:depth]]) > 1
            ]
            labels[".".join(path)] = ".".join([*kept, path[-1]])
    return labels


def first_word(name: str) -> str:
    """What a tensor's name begins with, wrappers and counts aside; `other` for a lone name."""
    modules = name.split(".")[:-1]
    if not modules:
        counted = _COUNT.sub("", name)
        return counted if counted and counted != name else "other"
    word = next((word for word in modules if word not in _WRAPPERS), modules[0])
    return _COUNT.sub("", word) or word


def unique(name: str, taken: set[str]) -> str:
    """`name`, or what tells it from those in `taken`, to which it is added; never empty."""
    name = " ".join(name.split()).strip(" .") or "unnamed"
    number = 1
    candidate = name
    while candidate in taken:
        number += 1
        candidate = f"{name} ({number})"
    taken.add(candidate)
    return candidate
