"""When a network runs what: the order of its parts, told by the words in their names."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

from modelmon.core.model.block_words import side_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.model.block_words import End


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
