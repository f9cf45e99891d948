"""Tensors sorted into layers by their names, known words or not, and never into too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.model.block_words import Layer, find_count, find_layer, layer_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FEWEST_NUMBERS = 4
_MOST_COUNTS = 4


def layers_of(names: Sequence[str]) -> tuple[dict[Layer, list[int]], list[int]]:
    """Indices of names by layer, and those of the names that lie in none."""
    found: dict[str, list[int]] = {}
    layers: dict[Layer, list[int]] = {}
    others: list[int] = []
    for index, name in enumerate(names):
        # Most layers end at the first number of their tensors' names: those are only looked up.
        first = find_count(name)
        members = found.get(name[: first.end()]) if first is not None else None
        if members is None:
            match = find_layer(name)
            if match is None:
                others.append(index)
                continue
            members = layers.setdefault(layer_from(match), [])
            found[name[: match.end()]] = members
        members.append(index)
    return layers, _add_counted(layers, dict.fromkeys(others, 0), names)


def merged(layers: dict[Layer, list[int]], most: int) -> dict[Layer, list[int]]:
    """At most `most` layers: containers that count the furthest become one layer each."""
    if len(layers) <= most:
        return layers
    fewer = dict(layers)
    for counted in sorted(_by_container(layers).values(), key=lambda counted: -len(counted)):
        whole = Layer(counted[0].container, "", "")
        members = [index for layer in counted for index in fewer.pop(layer)]
        fewer[whole] = sorted(members + fewer.pop(whole, []))
        if len(fewer) <= most:
            return fewer
    return {Layer("tensors", "", ""): sorted(i for members in fewer.values() for i in members)}


def _add_counted(
    layers: dict[Layer, list[int]], starts: dict[int, int], names: Sequence[str]
) -> list[int]:
    """Counts that go on are layers, the outermost first; `linear_1` and `linear_2` are not.

    `starts` are names with where to look for their first count. Gives what is left over.
    """
    left: list[int] = []
    for _ in range(_MOST_COUNTS):
        found: dict[str, list[int]] = {}
        matched: dict[str, Layer] = {}
        for index, start in starts.items():
            match = find_count(names[index], start)
            if match is None:
                left.append(index)
                continue
            prefix = names[index][: match.end()]
            if prefix not in found:
                found[prefix], matched[prefix] = [], layer_from(match)
            found[prefix].append(index)
        numbers = _by_container(matched.values())
        starts = {}
        for prefix, members in found.items():
            layer = matched[prefix]
            if len(numbers[layer.container, layer.separator]) >= _FEWEST_NUMBERS:
                layers.setdefault(layer, []).extend(members)
            else:
                starts.update(dict.fromkeys(members, len(prefix)))
    return sorted([*left, *starts])


def _by_container(layers: Iterable[Layer]) -> dict[tuple[str, str], list[Layer]]:
    numbers: dict[tuple[str, str], list[Layer]] = {}
    for layer in layers:
        numbers.setdefault((layer.container, layer.separator), []).append(layer)
    return numbers
