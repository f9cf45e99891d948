"""A quantized GGUF from a hard disk: kvcache-ai/ktransformers#471."""

from __future__ import annotations

import importlib.util
import os
from contextlib import contextmanager
from statistics import median
from typing import TYPE_CHECKING

from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import NOTHING, Message
from modelmon.core.simulate.cost import COSTS, Cost
from modelmon.core.units import MIB, counted, duration_text, percent_text, size_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.demo.stage import Loaded, Stage

Q4_BYTES, Q8_BYTES = 36 * MIB, 64 * MIB
"""Of about as many values."""
HARD_DISK = COSTS["hdd"]
FAST_DISK = Cost(kind="fast-disk", first_byte_s=0.0, bytes_per_s=2e9)
MAPPED = LoadConfig(access="mmap", readers=4, deliver="decoded")
SEQUENTIAL = LoadConfig(deliver="decoded")
NAMED_SHARE = 0.1
"""Less of the time is not worth a sentence."""
_NO_KERNELS = "NUMBA_DISABLE_JIT"


def play(stage: Stage) -> None:
    """Q4 from a hard disk, mapped by four threads and read in order; then what decoding takes."""
    stage.say(
        Message("Reported: a Q4 model from a hard disk took a minute per block."),
        Message("Disk, map, decoding or memory? (kvcache-ai/ktransformers#471)"),
        Message(
            "Here: {q4} of Q4_K_M and {q8} of Q8_0, decoded to float32 by gguf's decoder.",
            q4=size_text(Q4_BYTES),
            q8=size_text(Q8_BYTES),
        ),
        Message("A simulated hard disk seeks for 10 ms and reads 150 MB/s. The fast one: 2 GB/s."),
    )
    q4 = stage.sample("q4.gguf", "gguf", Q4_BYTES)
    q8 = stage.sample("q8.gguf", "gguf-q8_0", Q8_BYTES)
    with _gguf_decoder():
        with stage.served(q4, HARD_DISK) as store:
            seeking = stage.load(store, MAPPED, Message("hard disk, Q4, map, 4 threads"), _what)
            in_order = stage.load(store, SEQUENTIAL, Message("hard disk, Q4, in order"), _what)
        with stage.served(q4, FAST_DISK) as store:
            fast = stage.load(store, SEQUENTIAL, Message("fast disk, Q4, in order"), _what)
        with stage.served(q8, FAST_DISK) as store:
            larger = stage.load(store, SEQUENTIAL, Message("fast disk, Q8, in order"), _what)
    compiled_text = NOTHING
    if importlib.util.find_spec("numba"):
        with stage.served(q4, FAST_DISK) as store:
            label = Message("fast disk, Q4, compiled decoder")
            compiled = stage.load(store, SEQUENTIAL, label, _what)
        compiled_text = Message(
            "modelmon's compiled decoder takes {time} for Q4.", time=_decoding_text(compiled)
        )
    memory_waits = [
        each.spent.get("memory", 0.0)
        for each in (seeking, in_order, fast, larger)
        if each.run.memory is not None and each.run.memory.own_stalled_share is not None
    ]
    hardly_waits = len(memory_waits) == 4 and max(memory_waits) < NAMED_SHARE
    queued, decoding = (fast.spent.get(name, 0.0) for name in ("busy-processors", "decode"))
    stage.conclude(
        (
            Message(
                "Hard disk: Q4 read in order is {factor}× as fast as mapped by four threads",
                factor=three_figures(seeking.run.wall_ns / in_order.run.wall_ns),
            ),
        ),
        filter(
            None,
            (
                Message(
                    "Four threads make the hard disk seek {seeks} times: {wait} of {time}.",
                    seeks=seeking.counts.seeks,
                    wait=duration_text(seeking.counts.seeks * HARD_DISK.first_byte_s * 1e9),
                    time=duration_text(seeking.run.wall_ns),
                ),
                Message("Memory isn't the cause: there is hardly any wait for it.")
                if hardly_waits
                else NOTHING,
                Message(
                    "On a fast disk, decoding takes {share} of Q4's time.",
                    share=percent_text(decoding),
                )
                if queued < NAMED_SHARE
                else Message(
                    "On a fast disk, decoding, and waiting for a processor, takes {share} of Q4's"
                    " time.",
                    share=percent_text(decoding + queued),
                ),
                Message(
                    "Q4 has {saved} fewer bytes than Q8, but decoding takes {q4} instead of {q8}.",
                    saved=percent_text(1 - Q4_BYTES / Q8_BYTES),
                    q4=_decoding_text(fast),
                    q8=_decoding_text(larger),
                ),
                compiled_text,
            ),
        ),
        (
            Message("Hard disk, any program: modelmon warm MODEL reads it in order, then start."),
            Message("Hard disk, your own code: use one reader, as --strategy sequential does."),
            Message("Better: keep the model on an SSD."),
            Message("Fast disk: a faster decoder (pip install numba), or Q8 with enough RAM."),
            Message("llama.cpp keeps weights quantized: it decodes nothing while it loads."),
            Message("Your own disk and model: modelmon doctor MODEL --probe --decode."),
        ),
    )


@contextmanager
def _gguf_decoder() -> Iterator[None]:
    """Loads of this time decode without compiled kernels, as most programs in Python do."""
    before = os.environ.get(_NO_KERNELS)
    os.environ[_NO_KERNELS] = "1"
    try:
        yield
    finally:
        del os.environ[_NO_KERNELS]
        if before is not None:
            os.environ[_NO_KERNELS] = before


def _decoding_text(loaded: Loaded) -> str:
    """Its part of the load, as the row of the load has it."""
    return duration_text(round(loaded.spent.get("decode", 0.0) * loaded.run.wall_ns))


def _what(loaded: Loaded) -> Message:
    """What a block waited for."""
    return Message(
        "{block}/block: {spent}; {seeks}",
        block=duration_text(median(block.busy_ns for block in loaded.blocks)),
        spent=loaded.spent_text,
        seeks=counted(loaded.counts.seeks, "seek"),
    )
