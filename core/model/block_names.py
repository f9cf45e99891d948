"""Short names for blocks: as much of a tensor's name as tells them apart."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

# Wrappers around a whole model, which say nothing about a part of it.
_WRAPPERS = frozenset(
    {"model", "diffusion_model", "module", "base_model", "transformer", "backbone", "net"}
)
_COUNT = re.compile(r"_[0-9]+(?:_.*)?$", re.DOTALL)
_WORDS = re.compile(r"([0-9]{1,18})")


def container_labels(containers: Collection[str]) -> dict[str, str]:
    """A label for each container of a network: its last word, and before it those that differ.

    `model.encoder.layers` and `model.decoder.layers` become `encoder.layers` and
    `decoder.layers`; a lone `model.layers` becomes `layers`.
    """
    following: dict[tuple[str, ...], set[str]] = defaultdict(set)
    paths = {container: tuple(container.split(".")) for container in containers}
    for path in paths.values():
        for depth, word in enumerate(path):
            following[path[:depth]].add(word)
    labels: dict[str, str] = {}
    whole: dict[str, str] = {}
    for container, path in paths.items():
        differs = {depth for depth in range(len(path) - 1) if len(following[path[:depth]]) > 1}
        # A number alone says nothing: the word that it counts goes with it.
        counted = {depth - 1 for depth in differs if depth and path[depth].isdigit()}
        named = {depth for depth in differs if path[depth] not in _WRAPPERS}
        whole[container] = _label(path, differs | counted)
        labels[container] = _label(path, named | counted)
    return labels if len(set(labels.values())) == len(labels) else whole


def _label(path: tuple[str, ...], kept: set[int]) -> str:
    return ".".join([*(path[depth] for depth in sorted(kept)), path[-1]])


def parents_of(containers: Collection[str]) -> frozenset[str]:
    """Everything that containers lie in: `bert` and `bert.encoder` of `bert.encoder.layer`."""
    found: set[str] = set()
    for container in containers:
        words = container.split(".")
        found.update(".".join(words[:depth]) for depth in range(1, len(words)))
    return frozenset(found)


def first_word(name: str, parents: Collection[str]) -> str:
    """The word at which a name leaves `parents`, wrappers and counts aside; `other` without one."""
    modules = name.split(".")[:-1]
    if not modules:
        counted = _COUNT.sub("", name)
        return counted if counted and counted != name else "other"
    depth = 0
    while depth < len(modules) and ".".join(modules[: depth + 1]) in parents:
        depth += 1
    own = modules[depth:] or ["other"]
    word = next((word for word in own if word not in _WRAPPERS), own[0])
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


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Sort key that puts `layer.2` before `layer.10`."""
    return tuple((int(word), "") if word.isdecimal() else (0, word) for word in _WORDS.split(name))
