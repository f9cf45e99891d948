"""Tensors grouped into blocks, in execution order, by their names.

A name either lies in a *layer*, that is a container and a number (`model.layers` and 3), or
belongs to a group of its network: what comes before the layers (`embeddings`, or `input` where
nothing is looked up), what comes after them (`output`), or what its name begins with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.model.block_layers import layers_of, merged
from modelmon.core.model.block_names import (
    container_labels,
    first_word,
    natural,
    parents_of,
    unique,
)
from modelmon.core.model.block_order import (
    Place,
    has_two_stacks,
    layers_place,
    rest_place,
    step,
    turn,
)
from modelmon.core.model.block_words import end_of, is_embedding
from modelmon.core.model.networks import MAIN, Network, networks_of
from modelmon.core.model.tensors import Block
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from modelmon.core.model.block_words import Layer
    from modelmon.core.model.tensors import Tensor

MOST_BLOCKS = 1024
"""More than any model has layers; a name with more numbers counts something else."""

_MOST_GROUPS = 64
_ENDS: dict[int, str] = {
    Place.INPUT: "input",
    Place.DECODER_INPUT: "input",
    Place.ENCODER_OUTPUT: "output",
    Place.OUTPUT: "output",
}
_SIDES: dict[int, str] = {
    Place.ENCODER_REST: "encoder",
    Place.ENCODER_OUTPUT: "encoder",
    Place.DECODER_INPUT: "decoder",
    Place.DECODER_REST: "decoder",
}


_Groups = dict[tuple[Network, int, str], list[int]]
"""By network, place and first word."""


class _Part(NamedTuple):
    """Tensors of one network that stand together; `order` sorts parts of one place."""

    network: Network
    place: int
    turn: int
    label: tuple[int, tuple[tuple[int, str], ...]]
    step: int
    name: str
    members: list[int]


def blocks_of(tensors: Sequence[Tensor]) -> tuple[Block, ...]:
    """All blocks of `tensors` in execution order; every tensor is in exactly one."""
    names = [tensor.name for tensor in tensors]
    layers, rest = layers_of(names)
    containers = dict.fromkeys(layer.container for layer in layers)
    with_layers, without = networks_of(containers, (names[index] for index in rest))
    inside: dict[Network, list[str]] = {}
    for container, network in with_layers.items():
        inside.setdefault(network, []).append(container)
    parts: list[_Part] = _groups(rest, names, without, inside)
    parts += _layer_parts(merged(layers, MOST_BLOCKS - len(parts)), with_layers, inside)
    parts.sort(key=lambda part: (part.network.stage, natural(part.network.label), *part[1:5]))
    taken: set[str] = set()
    return tuple(
        Block(
            unique(one_line(f"{part.network.label}.{part.name}"), taken),
            tuple(part.members),
            sum(tensors[index].nbytes for index in part.members),
        )
        for part in parts
    )


def _layer_parts(
    layers: Mapping[Layer, list[int]],
    networks: Mapping[str, Network],
    inside: Mapping[Network, Collection[str]],
) -> list[_Part]:
    labels = {
        container: label
        for containers in inside.values()
        for container, label in container_labels(containers).items()
    }
    two_stacks = {network: has_two_stacks(found) for network, found in inside.items()}
    parts: list[_Part] = []
    for (container, separator, number), members in layers.items():
        network = networks.get(container, MAIN)
        place = layers_place(container, two_stacks=two_stacks.get(network, False))
        label = labels.get(container, container)
        key = (turn(container), (label.count("."), natural(label)), step(container, number))
        parts.append(_Part(network, place, *key, f"{label}{separator}{number}", members))
    return parts


def _groups(
    rest: Sequence[int],
    names: Sequence[str],
    networks: Mapping[str, tuple[Network, str]],
    inside: Mapping[Network, Collection[str]],
) -> list[_Part]:
    """What lies in no layer; a network beside the main one without layers is one group."""
    parents = {network: parents_of(containers) for network, containers in inside.items()}
    two_stacks = {network: has_two_stacks(found) for network, found in inside.items()}
    found: _Groups = {}
    for index in rest:
        name = names[index]
        network, own = networks[name]
        place, word = Place.REST, ""
        if network == MAIN or network in inside:
            end = end_of(own)
            place = rest_place(own, end, two_stacks=two_stacks.get(network, False))
            word = "" if end else first_word(name, parents.get(network, ()))
        found.setdefault((network, place.value, word), []).append(index)
    return [
        _Part(network, at, 0, (members[0], ()), 0, _name(at, word, members, names), members)
        for (network, at, word), members in _few(found).items()
    ]


def _few(groups: _Groups) -> _Groups:
    if len(groups) <= _MOST_GROUPS:
        return groups
    few: _Groups = {}
    for (network, place, word), members in groups.items():
        few.setdefault((network, place, word and "other"), []).extend(members)
    return {key: sorted(members) for key, members in few.items()}


def _name(place: int, word: str, members: Sequence[int], names: Sequence[str]) -> str:
    end = _ENDS.get(place, word)
    if end == "input" and any(is_embedding(names[index]) for index in members):
        end = "embeddings"
    return ".".join(text for text in (_SIDES.get(place, ""), end) if text)
