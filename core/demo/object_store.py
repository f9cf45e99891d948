"""Four workers on one descriptor of an object store: huggingface/diffusers#10280."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from msgspec.structs import replace as changed

from modelmon.core.load.config import PRESETS
from modelmon.core.messages import Message
from modelmon.core.simulate.cost import COSTS
from modelmon.core.units import MIB, counted, duration_text, size_text

if TYPE_CHECKING:
    from modelmon.core.demo.stage import Loaded, Stage

COST = changed(COSTS["object-store"], first_byte_s=0.03)
MODEL_BYTES = 64 * MIB
SHARED, OWN = PRESETS["shared-fd"].config, PRESETS["processes"].config
WARMED = replace(SHARED, warmup="read")
PAIRS = 5
_PUBLISHED_BYTES = 7.2e9


def play(stage: Stage) -> None:
    """Shared against own descriptors, then shared after reading ahead."""
    stage.say(
        Message("Reported for GCSFuse: 7.2 GB took 16 minutes, after the cure under one."),
        Message("The cause: four workers shared one descriptor (huggingface/diffusers#10280)."),
        Message(
            "Here: {model} on a simulated object store. Each GET waits {wait}, then gives"
            " {rate} MB/s.",
            model=size_text(MODEL_BYTES),
            wait=duration_text(COST.first_byte_s * 1e9),
            rate=round(COST.bytes_per_s / 1e6),
        ),
        Message("Watch the GETs. A read that doesn't continue the last one needs a new GET."),
    )
    names = {"A": Message("shared descriptor"), "B": Message("own descriptors")}
    model = stage.sample("model.safetensors", "safetensors", MODEL_BYTES)
    with stage.served(model, COST) as store:
        arms = {names["A"]: SHARED, names["B"]: OWN}
        found, loads = stage.compare(store, PAIRS, arms, _gets)
        ahead = stage.load(store, WARMED, Message("shared, read ahead first"), _gets)
    verdict = found.verdict
    shared_gets, own_gets = (
        round(median(each.counts.seeks for each in loads[key])) for key in "AB"
    )
    waited_s = shared_gets * COST.first_byte_s
    stage.conclude(
        (verdict.sentence,),
        (
            verdict.reason,
            Message(
                "Shared: {gets} GETs wait {wait}. Own: {own} GETs. The bytes are the same.",
                gets=shared_gets,
                wait=duration_text(waited_s * 1e9),
                own=own_gets,
            ),
            Message("Offsets of a shared descriptor jump: nearly each read is a new GET."),
            Message(
                "Read ahead in order first, even the shared descriptor takes {time}.",
                time=duration_text(ahead.run.wall_ns),
            ),
            Message(
                "At this rate {published} take {slow} shared and {fast} with own descriptors.",
                published=size_text(_PUBLISHED_BYTES),
                slow=duration_text(found.arm_a.median_ns * _PUBLISHED_BYTES / MODEL_BYTES),
                fast=duration_text(found.arm_b.median_ns * _PUBLISHED_BYTES / MODEL_BYTES),
            ),
        ),
        (
            Message("Your code: open the file in each worker, after the fork."),
            Message("diffusers, transformers in one process: disable_mmap=True."),
            Message("Any other program: modelmon launch MODEL -- PROGRAM reads ahead in order."),
            Message("Your own mount: modelmon compare MODEL --a shared-fd --b processes."),
        ),
    )


def _gets(loaded: Loaded) -> Message:
    counts = loaded.counts
    return Message(
        "{gets}, {bytes}", gets=counted(counts.seeks, "GET"), bytes=size_text(counts.bytes)
    )
