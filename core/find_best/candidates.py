"""Who takes part in a race: the presets that can run here, then variants of the fastest."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelmonError
from modelmon.core.find_best.result import Excluded
from modelmon.core.history.rows import ArmOf
from modelmon.core.load.config import (
    MAX_CHUNK_BYTES,
    MAX_READERS,
    NO_LIBRARY,
    LoadConfig,
    with_value,
)
from modelmon.core.load.fits import check_fits
from modelmon.core.load.libraries import registry
from modelmon.core.load.planner import plan_load
from modelmon.core.load.presets import PRESETS
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.strategies import (
    changed_settings,
    setting_text,
    strategy,
    strategy_obstacle,
)
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import KIB, size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from modelmon.core.load.plan import Plan
    from modelmon.core.machine.memory import Memory
    from modelmon.core.model.tensors import Model

LIBRARIES = "libraries"
"""Stands for all of them in what is to be included."""

_LEAST_CHUNK_BYTES = 128 * KIB
_CHUNK_STEP = 4
# The known bad case is raced only where it is asked for.
_ONLY_BY_NAME = {"shared-fd": Message("Known to be slow; not tested by default.")}


@dataclass(frozen=True, slots=True)
class Candidates:
    """Who takes part from the first round on, and who does not and why. Labels differ."""

    chosen: tuple[ArmOf, ...]
    excluded: tuple[Excluded, ...] = ()


def coarse_candidates(
    model: Model, deliver: str, include: Iterable[str], admit: Callable[[LoadConfig], Message]
) -> Candidates:
    """All presets, each process arm with its equivalent in one process, and the included.

    `include` are names of strategies, or `libraries`; `admit` says what keeps a configuration
    from running here. Raises ConfigError for a name that no strategy has.
    """
    chosen: list[ArmOf] = []
    excluded: list[Excluded] = []
    for name in _names(include):
        why = strategy_obstacle(name, model)
        config = with_value(strategy(name).config, "deliver", deliver)
        for candidate in _with_equivalent(name, config):
            problem = why or admit(candidate.config)
            if problem:
                excluded.append(Excluded(candidate.label, problem))
            else:
                chosen.append(candidate)
    left_out = (name for name in _ONLY_BY_NAME if name not in include)
    excluded += [Excluded(name, _ONLY_BY_NAME[name]) for name in left_out]
    return Candidates(tuple(chosen), tuple(excluded))


def refinements(base: ArmOf, known: Callable[[LoadConfig], bool]) -> tuple[ArmOf, ...]:
    """Variants of `base` that are not `known` yet: half and twice the readers, and when both
    have been seen a quarter and four times the request size. A library has none.
    """
    config = base.config
    if config.library != NO_LIBRARY:
        return ()
    readers = [
        replace(config, readers=number)
        for number in (config.readers // 2, config.readers * 2)
        if 1 <= number <= MAX_READERS
    ]
    chunks = [
        replace(config, chunk_bytes=size)
        for size in (config.chunk_bytes // _CHUNK_STEP, config.chunk_bytes * _CHUNK_STEP)
        if _LEAST_CHUNK_BYTES <= size <= MAX_CHUNK_BYTES
    ]
    for group in (readers, chunks):
        new = [variant for variant in group if not known(variant)]
        if new:
            return tuple(_variant(base.strategy, variant) for variant in new)
    return ()


def admission(
    model: Model,
    portion_bytes: int | None,
    memory: Memory | None = None,
    *,
    of_variants: bool = False,
) -> Callable[[LoadConfig], Message]:
    """What keeps a configuration from loading `model` here, in a sentence, and `of_variants` what
    keeps one from differing from those that it came from; "" if nothing does.

    With `memory` the model is on the server that has it, and none of its files are opened.
    """
    planned = _planned(model, portion_bytes, is_here=memory is None)

    def obstacle(config: LoadConfig) -> Message:
        conflict = conflict_of(config, sys.platform)
        if conflict is not None:
            return conflict.reason
        try:
            plan = planned(config)
            check_fits(config, plan, memory)
        except ModelmonError as error:
            return error.message
        if of_variants and not all(plan.readers):
            return Message("Some of its readers have nothing to read.")
        if of_variants and plan.request_bytes <= config.chunk_bytes // _CHUNK_STEP:
            return Message("No request is larger than {size}.", size=size_text(plan.request_bytes))
        return NOTHING

    return obstacle


def _planned(
    model: Model, portion_bytes: int | None, *, is_here: bool
) -> Callable[[LoadConfig], Plan]:
    @cache
    def check_types() -> None:
        # It imports numpy, and most races decode nothing.
        from modelmon.core.load.decode import decoded_types  # noqa: PLC0415

        decoded_types(model)

    def planned(config: LoadConfig) -> Plan:
        if config.deliver == "decoded" and is_here:
            check_types()
        return plan_load(model, config, portion_bytes)

    return planned


def changed_axes(strategy_name: str, config: LoadConfig) -> tuple[str, ...]:
    """The axes that differ from the strategy's own, as `readers 8`; delivery aside."""
    changed = changed_settings(strategy_name, config)
    return tuple(setting_text(config, axis) for axis in changed if axis != "deliver")


def _names(include: Iterable[str]) -> Iterator[str]:
    wanted = list(include)
    for name in PRESETS:
        if name not in _ONLY_BY_NAME or name in wanted:
            yield name
    if LIBRARIES in wanted:
        yield from registry.names()
        return
    yield from (name for name in wanted if strategy(name) and name not in PRESETS)


def _with_equivalent(name: str, config: LoadConfig) -> Iterator[ArmOf]:
    yield ArmOf(name, name, config)
    if config.reader_kind == "process" and config.descriptor == "own":
        yield _variant(name, config.in_process)


def _variant(name: str, config: LoadConfig) -> ArmOf:
    changes = changed_axes(name, config)
    return ArmOf(", ".join((name, *changes)), name, config)
