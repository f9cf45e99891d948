"""Whether a load fits into memory: known before it starts, from its plan alone.

A mapped model always fits, since its pages can be dropped and read again.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError, DoesNotFitError
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.machine.memory import read_memory
from modelmon.core.messages import Message
from modelmon.core.units import MIB, request_text, size_text

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.plan import Plan
    from modelmon.core.machine.memory import Memory

# What a loader needs besides the model: its interpreter and its records.
_LOADER_BYTES = 32 * MIB
_LIBRARY_BYTES = 512 * MIB
_FLOAT32_BYTES = 4
# A window larger than this would evict what it has read before it is used.
_MOST_PREFETCH_SHARE = 0.25


def needed_bytes(config: LoadConfig, plan: Plan, *, drops_values: bool = True) -> int:
    """Memory that the load occupies at its end, and that the kernel cannot take back.

    Decoded values need room besides what is counted here unless they are dropped.
    Mapped pages are left out: a mapped model larger than the memory loads, though slowly,
    since its pages are dropped and read again; that is measured and named (memory_pressure.py).
    """
    processes = config.processes
    kind = config.memory_kind
    if config.library == NO_LIBRARY:
        needed = processes * _LOADER_BYTES
    else:
        needed = processes * _LIBRARY_BYTES
        if kind == "mapped":
            # Ways of our own start sooner without it.
            from modelmon.core.load.libraries.registry import baseline  # noqa: PLC0415

            kind = baseline(config.library).memory_kind
    if kind == "mapped":
        return needed
    if kind == "streamed":
        return needed + sum(map(bool, plan.readers)) * _passing_bytes(
            config, plan, drops_values=drops_values
        )
    # Slices are gathered from what came to a buffer of each reader.
    detours = sum(map(bool, plan.readers)) * plan.request_bytes if plan.slices else 0
    return needed + plan.planned_bytes + detours


def _passing_bytes(config: LoadConfig, plan: Plan, *, drops_values: bool) -> int:
    if config.deliver == "decoded":
        # Loads of stored bytes start sooner without it.
        from modelmon.core.load import decoding  # noqa: PLC0415

        decoders = decoding.decoders_each(config, decoding.usable_processors())
        slots = plan.request_bytes * (decoding.SPARE_SLOTS + decoders)
        return slots + (decoders * _FLOAT32_BYTES * _most_values(plan) if drops_values else 0)
    return plan.request_bytes


def _most_values(plan: Plan) -> int:
    """Of what is decoded at once."""
    parts = (part for hand in plan.parts for unit in hand for part in unit)
    return max((part.elements for part in parts), default=0)


def check_fits(
    config: LoadConfig, plan: Plan, memory: Memory | None = None, *, kept_bytes: int = 0
) -> None:
    """Raise DoesNotFitError, with the figures, if the load cannot be in memory as a whole.

    `kept_bytes` are what the caller keeps of it besides: decoded values.
    Raises ConfigError for a prefetch window that is larger than a safe share of it.
    """
    memory = memory or read_memory()
    window = config.prefetch_bytes * config.readers * config.ranks
    most = round(memory.usable_bytes * _MOST_PREFETCH_SHARE)
    if window > most:
        raise ConfigError(
            Message(
                "Reading {window} ahead takes more than a quarter of free memory"
                " ({usable}), so pages would be dropped before use.",
                window=size_text(window),
                usable=size_text(memory.usable_bytes),
            ),
            Message(
                "Choose prefetch_bytes up to {most}.",
                most=request_text(most // (config.readers * config.ranks)),
            ),
        )
    needed = needed_bytes(config, plan, drops_values=not kept_bytes) + kept_bytes
    if needed <= memory.usable_bytes and plan.planned_bytes < sys.maxsize:
        return
    figures = {"needed": size_text(needed), "available": size_text(memory.available_bytes)}
    limited = memory.usable_bytes < memory.available_bytes
    portion = memory.usable_bytes // 2
    raise DoesNotFitError(
        Message(
            "Not enough memory: this load needs {needed}; {available} is available,"
            " of which the cgroup's limit leaves {usable}.",
            usable=size_text(memory.usable_bytes),
            **figures,
        )
        if limited
        else Message(
            "Not enough memory: this load needs {needed}, {available} is available.", **figures
        ),
        Message(
            "Free memory, load a part (--portion {portion}MiB), stream it (deliver"
            " streamed), or map it (access mmap).",
            portion=portion // MIB,
        ),
    )
