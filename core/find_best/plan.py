"""Who takes part in Find best, what a run will take, and whether a part of the model has to do.

The presets that can run here, then variants of the fastest; or the load settings of a program.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import msgspec

from modelmon.core.comparison.commands import Setting
from modelmon.core.comparison.estimate import OVERHEAD_NS, estimate, start_of
from modelmon.core.errors import ConfigError, DoesNotFitError, ModelmonError
from modelmon.core.explain.expected import likeliest, limits_here
from modelmon.core.explain.prediction import predict, size_of
from modelmon.core.find_best.result import Excluded, Objective
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import (
    MAX_CHUNK_BYTES,
    MAX_READERS,
    NO_LIBRARY,
    PRESETS,
    LoadConfig,
    with_value,
)
from modelmon.core.load.libraries import registry
from modelmon.core.load.planner import plan_load
from modelmon.core.load.rules import check_fits, conflict_of
from modelmon.core.load.strategies import (
    changed_settings,
    setting_text,
    strategy,
    strategy_obstacle,
)
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import (
    KIB,
    MIB,
    duration_text,
    limit_text,
    rate_text,
    request_text,
    size_text,
)
from modelmon.core.worker.events import RunConditions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from modelmon.core.comparison.commands import Commands
    from modelmon.core.comparison.estimate import Estimate
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.load.plan import Plan
    from modelmon.core.machine.memory import Memory
    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.events import Cache


LIBRARIES = "libraries"
"""Stands for all of them in what is to be included."""

_LEAST_CHUNK_BYTES = 128 * KIB
_CHUNK_STEP = 4
_OR_A_PART = ", or test only a part (--portion)"
# The known bad case is raced only where it is asked for.
_ONLY_BY_NAME = {"shared-fd": Message("Known to be slow; not tested by default.")}


def coarse_candidates(
    model: Model, deliver: str, include: Iterable[str], admit: Callable[[LoadConfig], Message]
) -> tuple[tuple[Entrant, ...], tuple[Excluded, ...]]:
    """Who takes part from the first round on, and who does not and why: all presets, each with
    processes also with threads, and the included. Labels differ.

    `include` are names of strategies, or `libraries`; `admit` says what keeps a configuration
    from running here. Raises ConfigError for a name that no strategy has.
    """
    chosen: list[Entrant] = []
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
    return tuple(chosen), tuple(excluded)


def refinements(base: Entrant, known: Callable[[LoadConfig], bool]) -> tuple[Entrant, ...]:
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
        if of_variants and not all(reader.extents for reader in plan.readers):
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


def _with_equivalent(name: str, config: LoadConfig) -> Iterator[Entrant]:
    yield Entrant(name, name, config)
    if config.reader_kind == "process" and config.descriptor == "own":
        yield _variant(name, config.in_process)


def _variant(name: str, config: LoadConfig) -> Entrant:
    changes = changed_axes(name, config)
    return Entrant(", ".join((name, *changes)), name, config)


DEFAULT_BUDGET_NS = 300 * 10**9

# Rounds that all arms take part in before the bad ones are out, and runs for the rest.
_FULL_ROUNDS = 2
_FURTHER_RUNS = 10
# A larger part gains less time than it tells less: what a load does at its start and end, and what
# a server reads ahead, is not the same share of it. Two thirds of a model called alike what took
# 6% longer whole (mmap and populate through rclone).
_MOST_PORTION_SHARE = 0.5
_USABLE_SHARE = 0.85
# Of slow storage a part tells enough that takes it a second; of a fast one, what is more than its
# caches and the kernel's reading ahead.
_LEAST_PORTION_S = 1.0
_LEAST_PORTION_BYTES = 64 * MIB
_MOST_LEAST_PORTION_BYTES = 256 * MIB


def runs_wanted(arms: int) -> int:
    """How many runs tell which of so many arms is the best."""
    return _FULL_ROUNDS * arms + _FURTHER_RUNS


class SearchConditions(RunConditions, frozen=True):
    """What all strategies of Find best share, with the objective and the time there is.

    `first_cost_ns` is what one run should cost, by an estimate made before. Files that are
    `in_memory` have no cold start. `why_streamed` is why nothing is kept of what is loaded; then
    there is no warm start either. `baseline` is the label of what a person has who chose nothing.
    Settings of a program are tested whose phase is worth it; `named` ones in any case.
    """

    path: str
    objective: Objective
    budget_ns: int
    first_cost_ns: int
    why_portion: Message = NOTHING
    in_memory: bool = False
    why_streamed: Message = NOTHING
    baseline: str = "mmap"
    named: bool = False
    seed: int = 0

    @property
    def cache(self) -> Cache:
        """The state before the runs that are ranked."""
        return "warm" if self.objective == "warm" or self.in_memory else "cold"

    @property
    def other_cache(self) -> Cache | None:
        """The cache's other state; None where there is no other."""
        if self.in_memory or self.why_streamed:
            return None
        return "cold" if self.cache == "warm" else "warm"


class BestPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `modelmon best --dry-run` prints: who races under what conditions, and how much is read.

    `read_bytes` are for all runs of the first round, `rate_bytes_per_s` is what a short read of the
    file saw.
    """

    arms: tuple[Entrant, ...]
    excluded: tuple[Excluded, ...]
    conditions: SearchConditions
    read_bytes: int = 0
    rate_bytes_per_s: float = 0.0

    @property
    def runs(self) -> int:
        """The most that fit into the budget; 0 where nobody can run."""
        conditions = self.conditions
        cost_ns = conditions.first_cost_ns
        return conditions.budget_ns // cost_ns if cost_ns else 0

    @property
    def too_short(self) -> bool:
        """Whether not even the rounds of all arms fit into the budget."""
        return self.runs < _FULL_ROUNDS * len(self.arms)

    def sentences(self) -> Iterator[Message]:
        """What it will cost, and of how much of the model."""
        shared = self.conditions
        yield Message(
            "Tests {count} strategies, then variants of the fastest: up to {runs} runs of "
            "about {time} in {budget}. Ends sooner if the result is clear.",
            count=len(self.arms),
            time=duration_text(shared.first_cost_ns),
            runs=f"{self.runs:,}",
            budget=limit_text(shared.budget_ns),
        )
        yield Message(
            "The first round reads {size}, at {rate} by a quick measurement.",
            size=size_text(self.read_bytes),
            rate=rate_text(self.rate_bytes_per_s),
        )
        if self.too_short:
            yield Message("Too few to rank them. Choose a longer time limit.")
        if shared.why_streamed:
            yield Message("Every strategy streams the model: {why}.", why=shared.why_streamed)
        if shared.portion_bytes is not None:
            yield Message(
                "Only {size} of the model is tested ({why}). Times for the whole model are "
                "extrapolated.",
                size=request_text(shared.portion_bytes),
                why=shared.why_portion,
            )


class ProgramPlan(msgspec.Struct, frozen=True):
    """What `modelmon best --program NAME --dry-run` prints: the settings of a program that would be
    tested, its own first, and under what conditions. Each run is ended after `limit_ns`.
    """

    title: str
    version: str
    settings: tuple[Setting, ...]
    limit_ns: int
    conditions: SearchConditions

    @property
    def arms(self) -> tuple[Entrant, ...]:
        """Who takes part."""
        return tuple(setting.arm(self.title, self.limit_ns) for setting in self.settings)

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """Nobody is left out."""
        return ()

    @property
    def commands(self) -> Commands:
        """What is started."""
        return {setting.label: setting.started for setting in self.settings}


class SearchSettings(TypedDict, total=False):
    """What tests of strategies and of commands are given alike; as in SearchConditions."""

    budget_ns: int
    seed: int
    named: bool
    shared: RunConditions


def plan_search(
    inspection: Inspection,
    objective: Objective,
    *,
    deliver: str | None = None,
    include: Iterable[str] = (),
    portion_bytes: int | None = None,
    **settings: Unpack[SearchSettings],
) -> BestPlan:
    """Who takes part and under what conditions, and what a run will cost, by reading a
    little of the file, for a second.

    Where the time limit does not hold a race with whole loads, or nothing fits into memory whole,
    a part of the model stands for it. Without `deliver` loads are usable, or where the model
    cannot stay in memory, streamed. Raises ConfigError for an unknown name, for untouched
    loads, whose times cannot be compared, for cold starts of files in memory and for warm ones
    of what does not fit there; DoesNotFitError for usable loads of that.
    """
    conditions = _conditions(inspection, objective, settings)
    if deliver == "untouched":
        raise ConfigError(
            Message(
                "Untouched loads end before their bytes are in memory, so their times"
                " can't be compared."
            ),
            Message("Choose delivery usable or owned."),
        )
    why_streamed = NOTHING
    if portion_bytes is None and deliver != "owned" and not inspection.can_stay:
        why_streamed = _why_streamed(inspection, objective, deliver)
        deliver = deliver or "streamed"
    deliver = deliver or "usable"
    conditions = msgspec.structs.replace(
        conditions, why_streamed=why_streamed if deliver == "streamed" else NOTHING
    )
    model, include, memory = inspection.model, tuple(include), inspection.memory_elsewhere
    why = Message("as requested") if portion_bytes is not None else NOTHING
    admit = admission(model, portion_bytes, memory)
    chosen, excluded = coarse_candidates(model, deliver, include, admit)
    if not chosen and portion_bytes is None:
        portion_bytes = max(1, inspection.memory.usable_bytes // 2)
        why = Message(
            "the whole model doesn't fit in {usable} of memory",
            usable=size_text(inspection.memory.usable_bytes),
        )
        admit = admission(model, portion_bytes, memory)
        chosen, excluded = coarse_candidates(model, deliver, include, admit)
    if not chosen:
        return BestPlan((), excluded, conditions)
    arms = likeliest_first(chosen, inspection, conditions.cache)
    conditions = msgspec.structs.replace(conditions, portion_bytes=portion_bytes, why_portion=why)
    cost = _one_run(inspection, arms[0], conditions)
    if portion_bytes is None and (part := _part_that_fits(cost, conditions.budget_ns, len(arms))):
        why = Message(
            "{wanted} loads of {read} don't fit in the time limit",
            wanted=runs_wanted(len(arms)),
            read=size_text(cost.read_bytes),
        )
        conditions = msgspec.structs.replace(conditions, portion_bytes=part, why_portion=why)
        cost = _one_run(inspection, arms[0], conditions)
    return BestPlan(
        arms,
        excluded,
        msgspec.structs.replace(conditions, first_cost_ns=cost.duration_ns),
        read_bytes=cost.read_bytes * len(arms),
        rate_bytes_per_s=cost.rate_bytes_per_s,
    )


def plan_commands(
    inspection: Inspection,
    arms: Sequence[Entrant],
    objective: Objective,
    **settings: Unpack[SearchSettings],
) -> SearchConditions:
    """The conditions for testing these commands (commands.py), and nothing else: each loads what it
    wants, has its own sign and limit, and no variants. The first is what a person has.

    Raises ConfigError where two have the same label, and for cold starts of files in memory.
    """
    conditions = _conditions(inspection, objective, settings)
    labels = [arm.label for arm in arms]
    if twice := [label for label in labels if labels.count(label) > 1]:
        raise ConfigError(
            Message("Two commands are the same: {command}.", command=twice[0]),
            Message("Give each once."),
        )
    cost = _one_run(inspection, arms[0], conditions)
    return msgspec.structs.replace(conditions, first_cost_ns=cost.duration_ns, baseline=labels[0])


def _conditions(
    inspection: Inspection, objective: Objective, settings: SearchSettings
) -> SearchConditions:
    """As settings say, without a cost. Raises ConfigError for cold starts of files in memory."""
    if objective == "cold":
        start_of("cold", inspection.storage)
    given: dict[str, Any] = {"budget_ns": DEFAULT_BUDGET_NS, **settings}
    shared = given.pop("shared", RunConditions())
    return SearchConditions(
        path=inspection.model.path,
        objective=objective,
        first_cost_ns=0,
        in_memory=inspection.storage.kind == "memory",
        **given,
        **msgspec.structs.asdict(shared),
    )


def _part_that_fits(cost: Estimate, budget_ns: int, arms: int) -> int | None:
    """How much of the model to load for all runs to fit; None where that is all or most of it."""
    room_ns = budget_ns * _USABLE_SHARE / runs_wanted(arms)
    if cost.duration_ns <= room_ns:
        return None
    load_ns = cost.read_bytes / cost.rate_bytes_per_s * 1e9
    beside_ns = cost.duration_ns - load_ns
    part = round(cost.read_bytes * (room_ns - beside_ns) / load_ns) // MIB * MIB
    least = max(_LEAST_PORTION_BYTES, round(cost.rate_bytes_per_s * _LEAST_PORTION_S))
    part = max(part, min(least, _MOST_LEAST_PORTION_BYTES))
    return part if part <= cost.read_bytes * _MOST_PORTION_SHARE else None


def _why_streamed(inspection: Inspection, objective: Objective, deliver: str | None) -> Message:
    """Why a model that cannot stay in memory is streamed. Raises for what asks it to stay."""
    usable = size_text(inspection.memory.usable_bytes)
    if deliver == "usable":
        raise DoesNotFitError(
            Message(
                "The model doesn't fit in {usable} of memory, so no load ends "
                "with the whole model there.",
                usable=usable,
            ),
            Message("Set delivery to streamed{terminal}.", terminal=_OR_A_PART),
        )
    if objective == "warm":
        raise ConfigError(
            Message(
                "The model doesn't fit in {usable} of memory, so it has no warm start.",
                usable=usable,
            ),
            Message("Find the fastest cold start instead{terminal}.", terminal=_OR_A_PART),
        )
    return Message("the model doesn't fit in {usable} of memory", usable=usable)


def likeliest_first(
    candidates: Sequence[Entrant], inspection: Inspection, cache: Cache
) -> tuple[Entrant, ...]:
    """The one that is predicted to be fastest, then the others as they are: so that the first runs
    of others can be ended early, and a guess that is wrong does not keep what is unlike it from a
    short race.
    """
    ways = ((one.label, one.config) for one in candidates if one.config.loads_here)
    guess = likeliest(ways, size_of(inspection.model), limits_here(inspection), cache)
    first = guess[0] if guess is not None else ""
    return tuple(sorted(candidates, key=lambda one: one.label != first))


def _one_run(inspection: Inspection, arm: Entrant, conditions: SearchConditions) -> Estimate:
    """What one run costs, by a short read, or as a probe predicts it."""
    cost = estimate(inspection, arm.config, conditions, conditions.cache)
    plan = plan_load(inspection.model, arm.config, conditions.portion_bytes)
    cost = msgspec.structs.replace(cost, read_bytes=plan.read_bytes)
    size = size_of(inspection.model)._replace(nbytes=plan.planned_bytes)
    found = predict(arm.config, size, limits_here(inspection), conditions.cache)
    if conditions.cache != "cold" or found is None or not found.measured:
        return cost
    rate = plan.planned_bytes * 1e9 / found.ns
    duration_ns = round(found.ns) + OVERHEAD_NS
    return msgspec.structs.replace(cost, duration_ns=duration_ns, rate_bytes_per_s=rate)
