"""The networks in one file: towers before a language model, text encoders and VAE of a pipeline."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


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
