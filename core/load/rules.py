"""Whether a load is possible: which axes go together, and whether it fits into memory.

Both are known before it starts, from its LoadConfig and its plan alone.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from modelmon.core.errors import ConfigError, DoesNotFitError
from modelmon.core.load.config import NO_LIBRARY, PROGRAM, LoadConfig, with_value
from modelmon.core.machine.memory import read_memory
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import MIB, request_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.load.plan import Plan
    from modelmon.core.machine.memory import Memory


# What stays the caller's where a library loads; it decides the other axes for itself.
_BESIDE_A_LIBRARY = frozenset({"order", "ranks", "warmup", "deliver", "library"})


class Conflict(NamedTuple):
    """Why a configuration is impossible, and the nearest that is not in this way."""

    reason: Message
    nearest: LoadConfig


def conflict_of(config: LoadConfig, platform: str = sys.platform) -> Conflict | None:
    """The first reason for which `config` cannot be run on `platform`; None if it can."""
    found = chain(
        _of_libraries(config),
        _of_access(config),
        _of_readers(config),
        _of_platform(config, platform),
    )
    return next((Conflict(reason, replace(config, **changes)) for reason, changes in found), None)


def nearest_possible(config: LoadConfig, platform: str = sys.platform) -> LoadConfig:
    """`config`, or where it is impossible the nearest that is possible."""
    found = conflict_of(config, platform)
    while found is not None:
        config = found.nearest
        found = conflict_of(config, platform)
    return config


def check_possible(config: LoadConfig) -> None:
    """Raise ConfigError with the reason and the nearest possible combination, or for a library
    that nobody knows.
    """
    if config.library not in (NO_LIBRARY, PROGRAM):
        # Ways of our own start sooner without it.
        from modelmon.core.load.libraries.registry import baseline  # noqa: PLC0415

        baseline(config.library)
    found = conflict_of(config)
    if found is None:
        return
    near = nearest_possible(config)
    changes = ", ".join(f"{axis}={getattr(near, axis)}" for axis in config.differs_from(near))
    raise ConfigError(found.reason, Message("Try {changes}.", changes=changes))


def obstacle(config: LoadConfig, axis: str, value: object) -> Message:
    """Why `axis` cannot take `value` beside the other axes of `config`; "" if it can."""
    found = conflict_of(with_value(config, axis, value))
    return found.reason if found else NOTHING


def _of_libraries(config: LoadConfig) -> Iterator[tuple[Message, dict[str, Any]]]:
    library = config.library
    if library == NO_LIBRARY:
        if config.deliver == "untouched":
            yield Message("Only a library can be measured untouched."), {"deliver": "usable"}
        return
    if config.deliver == "streamed":
        reason = Message("{library} returns tensors, so it can't be streamed.", library=library)
        yield reason, {"deliver": "usable"}
    if config.deliver == "decoded":
        reason = Message(
            "{library} returns tensors as they are stored: nothing decodes them.", library=library
        )
        yield reason, {"deliver": "usable"}
    plain = LoadConfig().as_dict()
    changed = {
        axis: value
        for axis, value in plain.items()
        if axis not in _BESIDE_A_LIBRARY and getattr(config, axis) != value
    }
    populates = config.warmup == "populate"
    if changed or populates:
        axes = ", ".join(changed or ["warmup populate"])
        reason = Message(
            "{library} makes its own choice: {axes} can't be set.", library=library, axes=axes
        )
        yield reason, changed | ({"warmup": "read"} if populates else {})


def _of_access(config: LoadConfig) -> Iterator[tuple[Message, dict[str, Any]]]:
    access, past_cache = config.access, config.access in ("direct", "auto")
    if config.huge_pages == "off" and config.memory_kind == "mapped":
        reason = Message(
            "Mapped pages are the page cache's own: huge pages are chosen for private memory only."
        )
        yield reason, {"huge_pages": "on"}
    if past_cache and config.descriptor == "shared":
        reason = Message(
            "Direct I/O needs a descriptor per reader: the flag belongs to the open file."
        )
        yield reason, {"descriptor": "own"}
    if past_cache and config.prefetch_bytes:
        reason = Message(
            "Access {access} bypasses the page cache that prefetch fills.", access=access
        )
        yield reason, {"prefetch_bytes": 0}
    if past_cache and config.advice != "normal":
        reason = Message(
            "Access {access} has no readahead that advice could change.", access=access
        )
        yield reason, {"advice": "normal"}
    if access == "direct" and config.warmup != "none":
        reason = Message("Direct I/O bypasses the page cache, so a warm-up has no effect.")
        yield reason, {"warmup": "none"}
    if config.warmup == "populate" and access != "mmap":
        reason = Message("Populate fills a mapping, and access {access} has none.", access=access)
        yield reason, {"warmup": "read"}
    if config.warmup == "populate" and config.processes > 1:
        reason = Message("Populate maps pages for one process only, not for the others.")
        yield reason, {"warmup": "read"}


def _of_readers(config: LoadConfig) -> Iterator[tuple[Message, dict[str, Any]]]:
    if config.prefetch_bytes and config.deliver == "decoded":
        reason = Message("Decoding already reads ahead, so prefetch has no effect.")
        yield reason, {"prefetch_bytes": 0}
    if 0 < config.prefetch_bytes < config.chunk_bytes:
        reason = Message("A prefetch window smaller than one request reads nothing ahead.")
        yield reason, {"prefetch_bytes": config.chunk_bytes}
    if config.ranks > 1 and config.reader_kind == "process":
        reason = Message("A rank is a process already, so its readers are threads.")
        yield reason, {"reader_kind": "thread"}
    if config.ranks == 1 and config.rank_share == "slice":
        reason = Message("A slice needs more than one rank; a single one loads the whole.")
        yield reason, {"rank_share": "whole"}
    if config.rank_share == "slice" and config.deliver == "decoded":
        reason = Message("A rank's slice can't be decoded: rows are decoded whole.")
        yield reason, {"deliver": "streamed"}


def _of_platform(config: LoadConfig, platform: str) -> Iterator[tuple[Message, dict[str, Any]]]:
    if platform == "win32" and config.descriptor == "shared":
        yield Message("Windows can't share one open file between readers."), {"descriptor": "own"}
    if platform == "win32" and config.access == "direct":
        yield Message("Python has no direct I/O on Windows."), {"access": "read"}
    if platform != "linux" and config.warmup == "populate":
        yield Message("Warm-up {warmup} needs Linux.", warmup="populate"), {"warmup": "read"}


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
    since its pages are dropped and read again; that is measured and named (environment_check.py).
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
    working = sum(bool(reader.extents) for reader in plan.readers)
    if kind == "streamed":
        return needed + working * _passing_bytes(config, plan, drops_values=drops_values)
    # Slices are gathered from what came to a buffer of each reader.
    detours = working * plan.request_bytes if plan.slices else 0
    return needed + plan.planned_bytes + detours


def _passing_bytes(config: LoadConfig, plan: Plan, *, drops_values: bool) -> int:
    if config.deliver == "decoded":
        # Loads of stored bytes start sooner without it.
        from modelmon.core.load import readers  # noqa: PLC0415

        decoders = readers.decoders_each(config, readers.usable_processors())
        slots = plan.request_bytes * (readers.SPARE_SLOTS + decoders)
        return slots + (decoders * _FLOAT32_BYTES * _most_values(plan) if drops_values else 0)
    return plan.request_bytes


def _most_values(plan: Plan) -> int:
    """Of what is decoded at once."""
    parts = (part for reader in plan.readers for unit in reader.parts for part in unit)
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
            "Free memory, set delivery to streamed, or set access to mmap{terminal}.",
            terminal=f", or load a part (--portion {portion // MIB}MiB)",
        ),
    )
