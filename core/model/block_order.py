"""When a model runs what: the order of its parts, told by the words in their names."""

from __future__ import annotations

import re
from enum import IntEnum


class Stage(IntEnum):
    """The parts of a model of several networks, in the order in which they run."""

    TOWER = 0
    PROJECTOR = 1
    MAIN = 2
    IMAGE_CODEC = 3


_STAGES = (
    (Stage.IMAGE_CODEC, re.compile(r"(?:^|\.)(?:first_stage_model|vae)(?:\.|$)")),
    (Stage.PROJECTOR, re.compile(r"projector|connector|merger")),
    (
        Stage.TOWER,
        re.compile(r"vision|visual|image_|audio|speech|text_encoder|text_model|conditioner|cond_s"),
    ),
)
_ENCODER = re.compile(r"(?:^|[._])enc(?:oder)?(?:[._]|$)")
_DECODER = re.compile(r"(?:^|[._])dec(?:oder)?(?:[._]|$)")
_EARLY = re.compile(r"(?:^|\.)(?:down|down_blocks|input_blocks|double_blocks|joint_blocks)$")
_LATE = re.compile(
    r"(?:^|\.)(?:up|up_blocks|output_blocks|single_blocks|single_transformer_blocks)$"
)

Rank = tuple[int, int, int]


def stage(name: str) -> Stage:
    """The part of the model that a tensor or container of this name belongs to."""
    for found, words in _STAGES:
        if words.search(name):
            return found
    return Stage.MAIN


def layer_rank(container: str, *, is_group: bool = False) -> Rank:
    """Sort key of a container of layers; a group without layers follows its part's layers."""
    side = 0 if _ENCODER.search(container) else 2 if _DECODER.search(container) else 1
    if is_group:
        return stage(container), 3, 0
    early_or_late = 0 if _EARLY.search(container) else 2 if _LATE.search(container) else 1
    return stage(container), side, early_or_late
