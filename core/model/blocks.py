"""Tensors grouped into blocks, in execution order, by their names.

A name either lies in a *layer*, that is a container and a number (`model.layers` and 3), or
belongs to a group of its network: what comes before the layers (`embeddings`, or `input` where
nothing is looked up), what comes after them (`output`), or what its name begins with.
"""

from __future__ import annotations

import re
from collections import defaultdict
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

from modelmon.core.model.tensors import Block
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from modelmon.core.model.tensors import Tensor


End = Literal["input", "output"]

# `model.layers.3.`, `transformer.h.3.`, `blk.3.`, `double_blocks.3.`, `encoder.down.3.`, the
# same behind underscores, and the one layer at the turn of a U-shaped network, which has no
# number. The first one in a name counts, so that an expert stays inside its layer.
_LAYER = re.compile(
    r"mid_block(?=[._])|middle_block(?=[._])|(?<![^.])(?:mid|middle)(?=\.)"
    r"|(?:(?:layers?|blocks?|blk|stages?|refiners?|upsamples|downsamples"
    r"|(?<![^.])(?:h|up|down))\.|(?:layers|blocks)_)([0-9]{1,9})(?=[._]|$)"
)
# Whatever else is counted: `features.3.weight`, `lora_unet_unknown_3_proj.alpha`.
_COUNTED = re.compile(r"[._]([0-9]{1,9})(?=[._]|$)")

_OUTPUT = frozenset(
    {
        "lm_head",
        "head",
        "output",
        "output_norm",
        "output_layer",
        "output_projection",
        "norm",
        "ln_f",
        "norm_f",
        "final_norm",
        "final_layernorm",
        "final_layer_norm",
        "ln_final",
        "final_layer",
        "ln_out",
        "ff_out",
        "layernorm",
        "layer_norm",
        "post_layernorm",
        "ln_post",
        "post_ln",
        "embed_out",
        "unembed",
        "unembedding",
        "norm_out",
        "proj_out",
        "conv_norm_out",
        "conv_out",
        "out",
        "quant_conv",
        "score",
        "classifier",
        "fc",
        "text_projection",
        "visual_projection",
        "layernorm_post",
        "vision_adapter",
        "ln",
        "norm_final",
        "final_linear",
        "modF",
        "all_final_layer",
        "scale_shift_table",
        "final_logits_bias",
        "conv_head",
        "clf",
    }
)
_TABLES = frozenset({"emb", "wte", "wpe", "shared"})
_INPUT = frozenset(
    {
        "conv1",
        "conv2",
        "conv1d",
        "stem",
        "cls_token",
        "rope",
        "rope_freqs",
        "rotary_pos_emb",
        "pre_layernorm",
        "pre_layrnorm",
        "ln_pre",
        "pre_ln",
        "post_quant_conv",
        "image_newline",
        "layernorm_pre",
        "conv_stem",
        "bn1",
        "patch_conv",
        "post_conv_layernorm",
        "subsample_conv_projection",
        "token_types",
        "patchify_proj",
        "init_x_linear",
        "cond_seq_linear",
        "t5_yproj",
        "mlp_t5",
        "txt_norm",
        "caption_projection",
        "caption_norm",
        "adaln_single",
        "time_projection",
        "distilled_guidance_layer",
        "pos_frequencies",
        "positional_encoding",
        "altup_proj",
        "altup_projections",
    }
)
_INPUT_PARTS = re.compile(r"_(?:in|tokens?)$|stream_modulation|^per_layer_(?:model_)?proj")
_ENCODER = re.compile(r"(?<![^._])(?:enc|encoder|quant_conv)(?=[._]|$)")
_DECODER = re.compile(r"(?<![^._])(?:dec|decoder)(?=[._]|$)|post_quant_conv")


class Layer(NamedTuple):
    """`model.layers`, `.` and `3`; a middle block has no separator and no number."""

    container: str
    separator: str
    number: str


def find_layer(name: str) -> re.Match[str] | None:
    """The part of a name that says in which layer it lies; None where no word does."""
    return _LAYER.search(name)


def find_count(name: str, start: int = 0) -> re.Match[str] | None:
    """The next number in a name that may count layers, at or behind `start`."""
    return _COUNTED.search(name, start)


def layer_from(match: re.Match[str]) -> Layer:
    """The layer that a match stands for."""
    name = match.string
    if match[1] is None:
        return Layer(name[: match.end()], "", "")
    at = match.start(1)
    return Layer(name[: at - 1], name[at - 1], match[1])


def end_of(name: str) -> End | None:
    """Whether a tensor outside of layers is before or after them; the first word decides."""
    for word in name.split("."):
        if word in _OUTPUT or "unemb" in word:
            return "output"
        if word in _INPUT or _INPUT_PARTS.search(word) or _names_a_table(word):
            return "input"
    return None


def is_embedding(name: str) -> bool:
    """Whether the input that a tensor belongs to is looked up in a table."""
    return any(_names_a_table(word) for word in name.split("."))


def side_of(name: str) -> Literal["encoder", "decoder"] | None:
    """The side of a network of two stacks that a name says it is on."""
    if _DECODER.search(name):
        return "decoder"
    return "encoder" if _ENCODER.search(name) else None


def _names_a_table(word: str) -> bool:
    return "embed" in word or "embd" in word or word in _TABLES or word.endswith("_emb")


class Stage(IntEnum):
    """The parts of a model of several networks, in the order in which they run."""

    TOWER = 0
    PROJECTOR = 1
    TEXT = 2
    MAIN = 3
    IMAGE_CODEC = 4


class Network(NamedTuple):
    """When a network runs (a Stage), and what its blocks' names begin with, if with anything."""

    stage: int
    label: str


MAIN = Network(Stage.MAIN.value, "")
_MOST_NETWORKS = 16

# The third names the network: `{0}` is the word in which the pattern lies, `{1}` its group.
_NETWORKS = (
    (Stage.IMAGE_CODEC, r"first_stage_model(?=\.)|(?<![^.])vae(?=\.)", "vae"),
    (
        Stage.PROJECTOR,
        r"(?:projector|connector|resampler|qformer|merger)\w*(?=\.)"
        r"|(?<![^.])(?:aligner|vision_language_adapter|mm|mlp1)(?=\.)",
        "{0}",
    ),
    (Stage.TOWER, r"cond_stage_model(?=\.)", "text_encoder"),
    (Stage.TOWER, r"conditioner\.embedders\.([0-9]+)(?=\.)", "text_encoder.{1}"),
    (Stage.TOWER, r"text_encoders\.(\w+)(?=\.)", "{1}"),
    (Stage.TOWER, r"(?:text_encoder(?:_[0-9])?|image_encoder)(?=\.)", "{0}"),
    (Stage.TOWER, r"^lora_te[0-9]?(?=_)", "{0}"),
    (
        Stage.TOWER,
        r"(?<![^.])(?:vision|visual|image|audio|speech)"
        r"(?:_(?:tower|model|encoder|backbone|embed|embed_tokens))?(?=\.)|(?<![^.])[va]pm(?=\.)",
        "{0}",
    ),
    (Stage.TOWER, r"^[va](?=\.(?:blk|conv|patch|position|class|pre_ln|post_ln))", "{0}"),
    (Stage.TEXT, r"text_model(?=\.)", "{0}"),
)
_PATTERNS = tuple((stage.value, re.compile(words), label) for stage, words, label in _NETWORKS)
_HINTS = re.compile(
    "first_stage|vae|project|connect|resampl|qformer|merger|aligner|adapter|mm|mlp1|cond|text_"
    "|image|lora_te|visi|visual|audio|speech|pm|^[va]"
)


def network_of(name: str) -> tuple[Network, str]:
    """The network that a name belongs to by its words, and what the name says inside of it."""
    if _HINTS.search(name) is None:
        return MAIN, name
    for stage, words, label in _PATTERNS:
        if (match := words.search(name)) is not None:
            word = name[name.rfind(".", 0, match.start()) + 1 : match.end()]
            network = Network(stage, label.format(word, *match.groups()))
            return network, name[match.end() :].lstrip("._")
    return MAIN, name


def networks_of(
    containers: Iterable[str], others: Iterable[str]
) -> tuple[dict[str, Network], dict[str, tuple[Network, str]]]:
    """The network of each container of layers; of each other name also what it says inside of it.

    A lone tower gives no name to the blocks of its file, and words that name too many networks
    count something else.
    """
    with_layers = {container: network_of(container)[0] for container in containers}
    without = {name: network_of(name) for name in others}
    found = set(with_layers.values())
    if len(found.union(network for network, _ in without.values())) > _MOST_NETWORKS:
        return dict.fromkeys(with_layers, MAIN), {name: (MAIN, name) for name in without}
    if len(found) == 1 and MAIN not in found:
        (tower,) = found
        alone = Network(tower.stage, "")
        joining = (tower, MAIN)
        without = {n: (alone if at in joining else at, own) for n, (at, own) in without.items()}
        return dict.fromkeys(with_layers, alone), without
    return with_layers, without


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


class Place(IntEnum):
    """Where a block stands in its network; one without two stacks has no encoder and decoder."""

    INPUT = 0
    ENCODER_LAYERS = 1
    ENCODER_REST = 2
    ENCODER_OUTPUT = 3
    LAYERS = 4
    REST = 5
    DECODER_INPUT = 6
    DECODER_LAYERS = 7
    DECODER_REST = 8
    OUTPUT = 9


_FIRST = re.compile(r"refiner|guidance|_in\.|input_hint|cond_embedding|caption")
_EARLY = re.compile(
    r"(?<![^._])(?:down|downsamples|down_blocks|input_blocks|double_blocks|joint_blocks)$"
)
_LATE = re.compile(
    r"(?<![^._])(?:up|upsamples|up_blocks|output_blocks|single_blocks|single_transformer_blocks)$"
)
# What a ControlNet hands to the network that it steers is made when its own parts have run.
_LAST = re.compile(r"(?<![^.])controlnet_(?:(?:down_|single_)?blocks|mid_block)$")
# The original autoencoder counts these in the order of the encoder, and runs them backwards.
_BACKWARDS = re.compile(r"(?<![^.])decoder\.up$")


def has_two_stacks(containers: Iterable[str]) -> bool:
    """Whether a network with these containers of layers is an encoder with a decoder."""
    return {"encoder", "decoder"} <= {side_of(container) for container in containers}


def layers_place(container: str, *, two_stacks: bool) -> Place:
    """Where the layers of a container stand."""
    side = side_of(container) if two_stacks else None
    if side is None:
        return Place.LAYERS
    return Place.ENCODER_LAYERS if side == "encoder" else Place.DECODER_LAYERS


def rest_place(name: str, end: End | None, *, two_stacks: bool) -> Place:
    """Where a tensor outside of layers stands."""
    side = side_of(name) if two_stacks else None
    if end == "input":
        return Place.DECODER_INPUT if side == "decoder" else Place.INPUT
    if end == "output":
        return Place.ENCODER_OUTPUT if side == "encoder" else Place.OUTPUT
    rest = {"encoder": Place.ENCODER_REST, "decoder": Place.DECODER_REST}
    return Place.REST if side is None else rest[side]


def turn(container: str) -> int:
    """Sort key of containers in one place: the way down a U comes before its way up."""
    if _LAST.search(container):
        return 3
    if _FIRST.search(container):
        return -1
    return 0 if _EARLY.search(container) else 2 if _LATE.search(container) else 1


def step(container: str, number: str) -> int:
    """Sort key of the layers of one container."""
    count = int(number or 0)
    return -count if _BACKWARDS.search(container) else count


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
