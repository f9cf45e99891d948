"""Tensors grouped into blocks, in execution order, by their names.

A name either lies in a *layer*, that is a container and a number (`model.layers` and 3), or
belongs to a group of its network: what comes before the layers (`embeddings`, or `input` where
nothing is looked up), what comes after them (`output`), or what its name begins with. A file may
hold several networks: towers before a language model, text encoders and VAE of a pipeline.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.model.tensors import Block
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from modelmon.core.model.tensors import Tensor

MOST_BLOCKS = 1024
"""More than any model has layers; a name with more numbers counts something else."""
_MOST_GROUPS = 64
_MOST_NETWORKS = 16
_FEWEST_NUMBERS = 4
_MOST_COUNTS = 4

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

# Words of what is outside of layers; the first one in a name decides.
_OUTPUT_WORDS = (
    "lm_head head output output_norm output_layer output_projection norm ln_f norm_f final_norm"
    " final_layernorm final_layer_norm ln_final final_layer ln_out ff_out layernorm layer_norm"
    " post_layernorm ln_post post_ln embed_out unembed unembedding norm_out proj_out conv_norm_out"
    " conv_out out quant_conv score classifier fc text_projection visual_projection layernorm_post"
    " vision_adapter ln norm_final final_linear modF all_final_layer scale_shift_table"
    " final_logits_bias conv_head clf"
)
_INPUT_WORDS = (
    "conv1 conv2 conv1d stem cls_token rope rope_freqs rotary_pos_emb pre_layernorm pre_layrnorm"
    " ln_pre pre_ln post_quant_conv image_newline layernorm_pre conv_stem bn1 patch_conv"
    " post_conv_layernorm subsample_conv_projection token_types patchify_proj init_x_linear"
    " cond_seq_linear t5_yproj mlp_t5 txt_norm caption_projection caption_norm adaln_single"
    " time_projection distilled_guidance_layer pos_frequencies positional_encoding altup_proj"
    " altup_projections"
)
_OUTPUT, _INPUT = (frozenset(words.split()) for words in (_OUTPUT_WORDS, _INPUT_WORDS))
_TABLES = frozenset({"emb", "wte", "wpe", "shared"})
_INPUT_PARTS = re.compile(r"_(?:in|tokens?)$|stream_modulation|^per_layer_(?:model_)?proj")
_ENCODER = re.compile(r"(?<![^._])(?:enc|encoder|quant_conv)(?=[._]|$)")
_DECODER = re.compile(r"(?<![^._])(?:dec|decoder)(?=[._]|$)|post_quant_conv")

_PLACES = (
    ("", "input"),
    ("encoder", "layers"),
    ("encoder", ""),
    ("encoder", "output"),
    ("", "layers"),
    ("", ""),
    ("decoder", "input"),
    ("decoder", "layers"),
    ("decoder", ""),
    ("", "output"),
)
"""Side and part of a network, in the order in which they run; only two stacks have sides."""

# Containers of layers in one place: the way down a U comes before its way up.
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

# Wrappers around a whole model, which say nothing about a part of it.
_WRAPPERS = frozenset(
    {"model", "diffusion_model", "module", "base_model", "transformer", "backbone", "net"}
)
_COUNT = re.compile(r"_[0-9]+(?:_.*)?$", re.DOTALL)
_DIGITS = re.compile(r"([0-9]{1,18})")


class _Network(NamedTuple):
    """When a network of a file runs, and what its blocks' names begin with, if with anything."""

    stage: int
    label: str


_TOWER, _PROJECTOR, _TEXT, _MAIN_STAGE, _IMAGE_CODEC = range(5)
_MAIN = _Network(_MAIN_STAGE, "")
# The third names the network: `{0}` is the word in which the pattern lies, `{1}` its group.
_NETWORKS = tuple(
    (stage, re.compile(words), label)
    for stage, words, label in (
        (_IMAGE_CODEC, r"first_stage_model(?=\.)|(?<![^.])vae(?=\.)", "vae"),
        (
            _PROJECTOR,
            r"(?:projector|connector|resampler|qformer|merger)\w*(?=\.)"
            r"|(?<![^.])(?:aligner|vision_language_adapter|mm|mlp1)(?=\.)",
            "{0}",
        ),
        (_TOWER, r"cond_stage_model(?=\.)", "text_encoder"),
        (_TOWER, r"conditioner\.embedders\.([0-9]+)(?=\.)", "text_encoder.{1}"),
        (_TOWER, r"text_encoders\.(\w+)(?=\.)", "{1}"),
        (_TOWER, r"(?:text_encoder(?:_[0-9])?|image_encoder)(?=\.)", "{0}"),
        (_TOWER, r"^lora_te[0-9]?(?=_)", "{0}"),
        (
            _TOWER,
            r"(?<![^.])(?:vision|visual|image|audio|speech)"
            r"(?:_(?:tower|model|encoder|backbone|embed|embed_tokens))?(?=\.)|(?<![^.])[va]pm(?=\.)",
            "{0}",
        ),
        (_TOWER, r"^[va](?=\.(?:blk|conv|patch|position|class|pre_ln|post_ln))", "{0}"),
        (_TEXT, r"text_model(?=\.)", "{0}"),
    )
)
_HINTS = re.compile(
    "first_stage|vae|project|connect|resampl|qformer|merger|aligner|adapter|mm|mlp1|cond|text_"
    "|image|lora_te|visi|visual|audio|speech|pm|^[va]"
)


class _Layer(NamedTuple):
    """`model.layers`, `.` and `3`; a middle block has no separator and no number."""

    container: str
    separator: str
    number: str


class _Part(NamedTuple):
    """Tensors of one network that stand together; `key` sorts parts of one place."""

    network: _Network
    place: int
    key: tuple[object, ...]
    name: str
    members: list[int]


def blocks_of(tensors: Sequence[Tensor]) -> tuple[Block, ...]:
    """All blocks of `tensors` in execution order; every tensor is in exactly one."""
    names = [tensor.name for tensor in tensors]
    layers, rest = _layers_of(names)
    containers = dict.fromkeys(layer.container for layer in layers)
    networks, without = _networks_of(containers, (names[index] for index in rest))
    inside: dict[_Network, list[str]] = {}
    for container, network in networks.items():
        inside.setdefault(network, []).append(container)
    two_stacks = {
        network: {"encoder", "decoder"} <= {_side_of(container) for container in found}
        for network, found in inside.items()
    }
    parts = _groups(rest, names, without, inside, two_stacks)
    labels = {
        container: label for found in inside.values() for container, label in _labels(found).items()
    }
    for layer, members in _merged(layers, MOST_BLOCKS - len(parts)).items():
        container, separator, number = layer
        network = networks.get(container, _MAIN)
        side = _side_of(container) if two_stacks.get(network) else ""
        label = labels.get(container, container)
        step = int(number or 0) * (-1 if _BACKWARDS.search(container) else 1)
        key = (_turn(container), (label.count("."), _natural(label)), step)
        place = _PLACES.index((side, "layers"))
        parts.append(_Part(network, place, key, f"{label}{separator}{number}", members))
    parts.sort(key=lambda each: (each.network.stage, _natural(each.network.label), *each[1:3]))
    taken: set[str] = set()
    return tuple(
        Block(
            _unique(one_line(f"{part.network.label}.{part.name}"), taken),
            tuple(part.members),
            sum(tensors[index].nbytes for index in part.members),
        )
        for part in parts
    )


def _groups(
    rest: Sequence[int],
    names: Sequence[str],
    networks: Mapping[str, tuple[_Network, str]],
    inside: Mapping[_Network, Collection[str]],
    two_stacks: Mapping[_Network, bool],
) -> list[_Part]:
    """What lies in no layer; a network beside the main one without layers is one group."""
    parents = {network: _parents_of(containers) for network, containers in inside.items()}
    found: dict[tuple[_Network, int, str], list[int]] = {}
    for index in rest:
        network, own = networks[names[index]]
        side, end, word = "", "", ""
        if network == _MAIN or network in inside:
            side, end = _side_of(own) if two_stacks.get(network) else "", _end_of(own)
            word = "" if end else _first_word(names[index], parents.get(network, ()))
            if (side, end) in {("encoder", "input"), ("decoder", "output")}:
                side = ""
        found.setdefault((network, _PLACES.index((side, end)), word), []).append(index)
    if len(found) > _MOST_GROUPS:
        few: dict[tuple[_Network, int, str], list[int]] = {}
        for (network, place, word), members in found.items():
            few.setdefault((network, place, word and "other"), []).extend(members)
        found = {key: sorted(members) for key, members in few.items()}
    parts: list[_Part] = []
    for (network, place, word), members in found.items():
        side, end = _PLACES[place]
        if end == "input" and any(
            _names_a_table(each) for index in members for each in names[index].split(".")
        ):
            end = "embeddings"
        name = ".".join(filter(None, (side, end or word)))
        parts.append(_Part(network, place, (0, (members[0], ())), name, members))
    return parts


def _layers_of(names: Sequence[str]) -> tuple[dict[_Layer, list[int]], list[int]]:
    """Indices of names by layer, and those of the names that lie in none."""
    found: dict[str, list[int]] = {}
    layers: dict[_Layer, list[int]] = {}
    others: list[int] = []
    for index, name in enumerate(names):
        # Most layers end at the first number of their tensors' names: those are only looked up.
        first = _COUNTED.search(name)
        members = found.get(name[: first.end()]) if first is not None else None
        if members is None:
            match = _LAYER.search(name)
            if match is None:
                others.append(index)
                continue
            members = layers.setdefault(_layer_from(match), [])
            found[name[: match.end()]] = members
        members.append(index)
    return layers, _add_counted(layers, dict.fromkeys(others, 0), names)


def _add_counted(
    layers: dict[_Layer, list[int]], starts: dict[int, int], names: Sequence[str]
) -> list[int]:
    """Counts that go on are layers, the outermost first; `linear_1` and `linear_2` are not.

    `starts` are names with where to look for their first count. Gives what is left over.
    """
    left: list[int] = []
    for _ in range(_MOST_COUNTS):
        found: dict[str, list[int]] = {}
        matched: dict[str, _Layer] = {}
        for index, start in starts.items():
            match = _COUNTED.search(names[index], start)
            if match is None:
                left.append(index)
                continue
            prefix = names[index][: match.end()]
            matched.setdefault(prefix, _layer_from(match))
            found.setdefault(prefix, []).append(index)
        numbers = _by_container(matched.values())
        starts = {}
        for prefix, members in found.items():
            layer = matched[prefix]
            if len(numbers[layer[:2]]) >= _FEWEST_NUMBERS:
                layers.setdefault(layer, []).extend(members)
            else:
                starts.update(dict.fromkeys(members, len(prefix)))
    return sorted([*left, *starts])


def _merged(layers: dict[_Layer, list[int]], most: int) -> dict[_Layer, list[int]]:
    """At most `most` layers: containers that count the furthest become one layer each."""
    if len(layers) <= most:
        return layers
    fewer = dict(layers)
    for counted in sorted(_by_container(layers).values(), key=lambda counted: -len(counted)):
        whole = _Layer(counted[0].container, "", "")
        members = [index for layer in counted for index in fewer.pop(layer)]
        fewer[whole] = sorted(members + fewer.pop(whole, []))
        if len(fewer) <= most:
            return fewer
    return {_Layer("tensors", "", ""): sorted(i for members in fewer.values() for i in members)}


def _by_container(layers: Iterable[_Layer]) -> dict[tuple[str, str], list[_Layer]]:
    numbers: dict[tuple[str, str], list[_Layer]] = {}
    for layer in layers:
        numbers.setdefault(layer[:2], []).append(layer)
    return numbers


def _layer_from(match: re.Match[str]) -> _Layer:
    name = match.string
    if match[1] is None:
        return _Layer(name[: match.end()], "", "")
    at = match.start(1)
    return _Layer(name[: at - 1], name[at - 1], match[1])


def _networks_of(
    containers: Iterable[str], others: Iterable[str]
) -> tuple[dict[str, _Network], dict[str, tuple[_Network, str]]]:
    """The network of each container of layers; of each other name also what it says inside of it.

    A lone tower gives no name to the blocks of its file, and words that name too many networks
    count something else.
    """
    with_layers = {container: _network_of(container)[0] for container in containers}
    without = {name: _network_of(name) for name in others}
    found = set(with_layers.values())
    if len(found.union(network for network, _ in without.values())) > _MOST_NETWORKS:
        return dict.fromkeys(with_layers, _MAIN), {name: (_MAIN, name) for name in without}
    if len(found) == 1 and _MAIN not in found:
        (tower,) = found
        alone = _Network(tower.stage, "")
        joining = (tower, _MAIN)
        without = {n: (alone if at in joining else at, own) for n, (at, own) in without.items()}
        return dict.fromkeys(with_layers, alone), without
    return with_layers, without


def _network_of(name: str) -> tuple[_Network, str]:
    """The network that a name belongs to by its words, and what the name says inside of it."""
    if _HINTS.search(name) is None:
        return _MAIN, name
    for stage, words, label in _NETWORKS:
        if (match := words.search(name)) is not None:
            word = name[name.rfind(".", 0, match.start()) + 1 : match.end()]
            network = _Network(stage, label.format(word, *match.groups()))
            return network, name[match.end() :].lstrip("._")
    return _MAIN, name


def _end_of(name: str) -> str:
    """`input` or `output`, where a tensor outside of layers is before or after them; else ""."""
    for word in name.split("."):
        if word in _OUTPUT or "unemb" in word:
            return "output"
        if word in _INPUT or _INPUT_PARTS.search(word) or _names_a_table(word):
            return "input"
    return ""


def _side_of(name: str) -> str:
    """The side of a network of two stacks that a name says it is on."""
    if _DECODER.search(name):
        return "decoder"
    return "encoder" if _ENCODER.search(name) else ""


def _names_a_table(word: str) -> bool:
    return "embed" in word or "embd" in word or word in _TABLES or word.endswith("_emb")


def _turn(container: str) -> int:
    """Sort key of containers in one place."""
    if _LAST.search(container):
        return 3
    if _FIRST.search(container):
        return -1
    return 0 if _EARLY.search(container) else 2 if _LATE.search(container) else 1


def _labels(containers: Collection[str]) -> dict[str, str]:
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
        for found, kept in ((whole, differs | counted), (labels, named | counted)):
            found[container] = ".".join([*(path[depth] for depth in sorted(kept)), path[-1]])
    return labels if len(set(labels.values())) == len(labels) else whole


def _parents_of(containers: Collection[str]) -> frozenset[str]:
    """Everything that containers lie in: `bert` and `bert.encoder` of `bert.encoder.layer`."""
    words = [container.split(".") for container in containers]
    return frozenset(".".join(each[:depth]) for each in words for depth in range(1, len(each)))


def _first_word(name: str, parents: Collection[str]) -> str:
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


def _unique(name: str, taken: set[str]) -> str:
    """`name`, or what tells it from those in `taken`, to which it is added; never empty."""
    name = " ".join(name.split()).strip(" .") or "unnamed"
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name} ({number})"
    taken.add(candidate)
    return candidate


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Sort key that puts `layer.2` before `layer.10`."""
    return tuple((int(word), "") if word.isdecimal() else (0, word) for word in _DIGITS.split(name))
