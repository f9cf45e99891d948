"""Tensors grouped into blocks, in execution order, by their names.

A name either lies in a *layer*, that is a container and a number (`model.layers` and 3), or
belongs to a group: `embeddings` (first), `output` (last), or what its name begins with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.model.block_names import container_labels, first_word, unique
from modelmon.core.model.block_order import Stage, layer_rank, stage
from modelmon.core.model.tensors import Block

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.model.tensors import Tensor

MOST_BLOCKS = 1024
"""More than any model has layers; a name with more numbers counts something else."""

_FEWEST_NUMBERS = 4
_MOST_GROUPS = 64

# `model.layers.3.`, `transformer.h.3.`, `blk.3.`, `double_blocks.3.`, `encoder.down.3.`, and
# the one layer at the turn of a U-shaped network, which has no number. The first one in a
# name counts, so that an expert stays inside its layer.
_LAYER = re.compile(
    r"(?:^|\.)(?:(?:mid_block|middle_block|mid)(?=\.)"
    r"|(?:\w*(?:layers?|blocks?|blk|stages?)|h|down|up)(\.)([0-9]{1,9})(?=\.|$))"
)
# Whatever else is counted: `features.3.weight`, `lora_unet_down_blocks_3_proj.alpha`.
_COUNTED = re.compile(r"([._])([0-9]{1,9})(?=[._]|$)")
_OUTPUT = re.compile(
    r"(?:^|\.)(?:lm_head|head|output|output_norm|norm|ln_f|norm_f|final_norm|final_layer_?norm"
    r"|ln_final|final_layer|embed_out|unembed\w*|norm_out|proj_out|conv_norm_out|conv_out|out"
    r"|score|classifier)(?=\.|$)"
)
_EMBEDDINGS = re.compile(
    r"embed|embd|(?:^|[._])emb(?=[._]|$)|(?:^|\.)(?:wte|wpe|shared|\w+_in|rope_freqs)(?=\.|$)"
)


class _Layer(NamedTuple):
    """`model.layers`, `.` and `3`; a middle block has no separator and no number."""

    container: str
    separator: str
    number: str


def blocks_of(tensors: Sequence[Tensor]) -> tuple[Block, ...]:
    """All blocks of `tensors` in execution order; every tensor is in exactly one."""
    layers, groups = _grouped([tensor.name for tensor in tensors])
    first = {"embeddings": groups.pop("embeddings", [])}
    last = {"output": groups.pop("output", [])}
    layers = _merged(layers, MOST_BLOCKS - len(groups) - 2)
    middle = _in_order(layers, groups)
    blocks: list[Block] = []
    taken: set[str] = set()
    for name, members in (*first.items(), *middle, *last.items()):
        if members:
            nbytes = sum(tensors[index].nbytes for index in members)
            blocks.append(Block(unique(name, taken), tuple(sorted(members)), nbytes))
    return tuple(blocks)


def _grouped(names: Sequence[str]) -> tuple[dict[_Layer, list[int]], dict[str, list[int]]]:
    """Tensors' indices by layer, and those of the others by group."""
    found: dict[str, list[int]] = {}
    layers: dict[_Layer, list[int]] = {}
    rest: list[int] = []
    search = _LAYER.search
    for index, name in enumerate(names):
        match = search(name)
        if match is None:
            rest.append(index)
            continue
        # The name up to the number stands for the layer: one look-up for most tensors.
        prefix = name[: match.end()]
        members = found.get(prefix)
        if members is None:
            members = found[prefix] = layers[_layer(name, match)] = []
        members.append(index)
    groups: dict[str, list[int]] = {}
    counted: dict[_Layer, list[int]] = {}
    for index in rest:
        name = names[index]
        if (group := _well_known_group(name)) is not None:
            groups.setdefault(group, []).append(index)
        elif (match := _COUNTED.search(name)) is not None:
            counted.setdefault(_layer(name, match), []).append(index)
        else:
            groups.setdefault(first_word(name), []).append(index)
    _sort_counted(counted, names, layers, groups)
    return layers, _few(groups)


def _layer(name: str, match: re.Match[str]) -> _Layer:
    if match[1] is None:
        return _Layer(name[: match.end()], "", "")
    return _Layer(name[: match.start(1)], match[1], match[2])


def _well_known_group(name: str) -> str | None:
    at = stage(name)
    if at is Stage.MAIN and _OUTPUT.search(name):
        return "output"
    if at in (Stage.MAIN, Stage.TOWER) and _EMBEDDINGS.search(name):
        return "embeddings"
    return None


def _sort_counted(
    counted: dict[_Layer, list[int]],
    names: Sequence[str],
    layers: dict[_Layer, list[int]],
    groups: dict[str, list[int]],
) -> None:
    """Counted names are layers where the count goes on; `linear_1` and `linear_2` are not."""
    numbers = _numbers_by_container(counted)
    for layer, members in counted.items():
        if len(numbers[layer.container, layer.separator]) >= _FEWEST_NUMBERS:
            layers[layer] = members
        else:
            for index in members:
                groups.setdefault(first_word(names[index]), []).append(index)


def _numbers_by_container(layers: Iterable[_Layer]) -> dict[tuple[str, str], list[_Layer]]:
    numbers: dict[tuple[str, str], list[_Layer]] = {}
    for layer in layers:
        numbers.setdefault((layer.container, layer.separator), []).append(layer)
    return numbers


def _few(groups: dict[str, list[int]]) -> dict[str, list[int]]:
    if len(groups) <= _MOST_GROUPS:
        return groups
    few: dict[str, list[int]] = {}
    for name, members in groups.items():
        kept = name if name in ("embeddings", "output") else "other"
        few.setdefault(kept, []).extend(members)
    return {name: sorted(members) for name, members in few.items()}


def _merged(layers: dict[_Layer, list[int]], most: int) -> dict[_Layer, list[int]]:
    """At most `most` layers: containers that count the furthest become one layer each."""
    if len(layers) <= most:
        return layers
    merged = dict(layers)
    for _, counted in sorted(_numbers_by_container(layers).items(), key=lambda item: -len(item[1])):
        whole = _Layer(counted[0].container, "", "")
        members = [index for layer in counted for index in merged.pop(layer)]
        merged[whole] = sorted(members + merged.pop(whole, []))
        if len(merged) <= most:
            return merged
    return {_Layer("tensors", "", ""): sorted(i for members in merged.values() for i in members)}


def _in_order(
    layers: dict[_Layer, list[int]], groups: dict[str, list[int]]
) -> list[tuple[str, list[int]]]:
    """Named members of all layers and groups, sorted by when a model runs them."""
    labels = container_labels({layer.container for layer in layers})
    first_seen: dict[str, int] = {}
    for layer, members in layers.items():
        first_seen.setdefault(layer.container, members[0])
    rows = [
        (
            layer_rank(layer.container),
            first_seen[layer.container],
            int(layer.number or 0),
            f"{labels[layer.container]}{layer.separator}{layer.number}",
            members,
        )
        for layer, members in layers.items()
    ]
    rows += [
        (layer_rank(name, is_group=True), members[0], 0, name, members)
        for name, members in groups.items()
    ]
    rows.sort(key=lambda row: row[:4])
    return [(name, members) for *_, name, members in rows]
