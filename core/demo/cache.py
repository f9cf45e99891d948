"""A load that is faster than the disk: get_slice and get_tensor, touched and untouched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import Message
from modelmon.core.simulate.cost import Cost
from modelmon.core.units import (
    MIB,
    duration_text,
    percent_text,
    rate_text,
    size_text,
    two_figures,
)

if TYPE_CHECKING:
    from modelmon.core.demo.stage import Loaded, Stage
    from modelmon.core.load.config import Deliver

COST = Cost(kind="disk", first_byte_s=0.0, bytes_per_s=226e6, per="device")
MODEL_BYTES = 128 * MIB
READ_SHARE = 0.9
"""Who reads less of a model has not loaded it."""


def play(stage: Stage) -> None:
    """Both calls until they return, then until every value is in memory, then once more."""
    limit_ns = MODEL_BYTES / COST.bytes_per_s * 1e9
    stage.say(
        Message("Reported for safetensors: 1,500 MB/s from a disk that reads 226 MB/s."),
        Message(
            "Here: {model} of bf16 on a simulated disk that reads {rate}.",
            model=size_text(MODEL_BYTES),
            rate=rate_text(COST.bytes_per_s),
        ),
        Message("Untouched: the clock stops when the calls return. Touched: when all is read."),
    )
    model = stage.sample("model.safetensors", "safetensors", MODEL_BYTES)
    with stage.served(model, COST) as store:

        def load(call: str, deliver: Deliver, *, warm: bool = False) -> Loaded:
            config = LoadConfig(library=f"safetensors.{call}", deliver=deliver)
            how = Message("untouched") if deliver == "untouched" else Message("touched")
            how = Message("from the page cache") if warm else how
            label = Message("{call}, {how}", call=call, how=how)
            return stage.load(store, config, label, _what, "warm" if warm else "cold")

        slices, tensors = load("get_slice", "untouched"), load("get_tensor", "untouched")
        read_slices, read_tensors = load("get_slice", "usable"), load("get_tensor", "usable")
        cached = load("get_tensor", "usable", warm=True)
    stage.conclude(
        (
            Message(
                "Untouched get_slice isn't a load: {share} of the bytes were read",
                share=percent_text(_share(slices)),
            ),
        ),
        (
            Message(
                "It seems to reach {rate}, {factor}× what the disk can do.",
                rate=rate_text(slices.run.bytes_per_s),
                factor=two_figures(slices.run.bytes_per_s / COST.bytes_per_s),
            ),
            Message(
                "Touched, get_slice takes {slices}, get_tensor {tensors}; the disk's limit is"
                " {limit}.",
                slices=duration_text(read_slices.run.wall_ns),
                tensors=duration_text(read_tensors.run.wall_ns),
                limit=duration_text(limit_ns),
            ),
            Message("Here get_tensor copies into numpy: it reads everything before it returns.")
            if _share(tensors) > READ_SHARE
            else Message("get_tensor maps the file too: nothing is read before the first use."),
            Message(
                "Where touched get_tensor's time goes: {spent}.", spent=read_tensors.spent_text
            ),
            Message(
                "From the page cache it takes {time}. No byte comes from the disk, so this says"
                " nothing about it.",
                time=duration_text(cached.run.wall_ns),
            ),
        ),
        (
            Message("Touch every value before you stop the clock, as modelmon run does."),
            Message("Start from a cold cache that is verified: modelmon run evicts and checks."),
            Message("Use get_slice to read a part of a tensor, not to load all of it faster."),
            Message("To start from the page cache: modelmon warm MODEL, before the program."),
        ),
    )


def _share(loaded: Loaded) -> float:
    return loaded.counts.bytes / loaded.run.model_bytes


def _what(loaded: Loaded) -> Message:
    share = _share(loaded)
    figures = {"share": percent_text(share), "rate": rate_text(loaded.run.bytes_per_s)}
    if loaded.run.cache_asked == "warm":
        return Message("{rate}, {share} read from the disk: cached", **figures)
    if share < READ_SHARE:
        return Message("{rate}, {share} read from the disk: not a load", **figures)
    return Message("{rate}, {share} read from the disk", **figures)
