"""What shortens a part of a program's wait: a setting with what it costs, and whether it was tested
here. Also which load settings of a program are worth a test.
"""

from __future__ import annotations

import shlex
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.explain.bottleneck import (
    parts_of,
    reading_share,
    share_of,
    waits_for,
)
from modelmon.core.explain.evidence import HALF
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.programs.known_program import DEFAULT, NETWORK, names_set_by
from modelmon.core.units import duration_text, percent_text, size_text
from modelmon.core.worker.command_words import recorded_words, taken_apart
from modelmon.core.worker.program_phases import NAMES, cure_of
from modelmon.core.worker.wait_parts import READING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from modelmon.core.explain.bottleneck import WaitsFor
    from modelmon.core.history.rows import RunRow
    from modelmon.core.machine.libraries import Libraries
    from modelmon.core.programs.known_program import KnownProgram, Variant
    from modelmon.core.worker.result import RunResult
    from modelmon.core.worker.wait_parts import WaitPart

NOTICED_SHARE = 0.05
"""Less of the wait is not worth a person's time."""
_PARTED_SHARE = 0.9
"""So many of all pairs of a start with a setting and one without have to agree."""
_FREE_PROCESSORS = Message(
    "Close programs that keep the processors busy, use fewer threads, or raise the CPU limit."
)
_PASSIVE = Message(
    "{close} OMP_WAIT_POLICY=passive helps too: its threads then wait without keeping one busy.",
    close=_FREE_PROCESSORS,
)
_KEEP_LOCAL = Message("It waits for other files than the model: keep them on a fast local disk.")
_WAITS: dict[WaitsFor, Message] = {
    "storage": _KEEP_LOCAL,
    "lock": Message("Another process has the lock: end it, or wait until it finishes."),
    "network": Message(
        "Download what it needs before; with HF_HUB_OFFLINE=1 nothing is looked up."
    ),
}


def _known() -> Mapping[str, KnownProgram]:
    from modelmon.core.programs.registry import PROGRAMS  # noqa: PLC0415  start sooner without it

    return PROGRAMS


def program_called(command: str, strategy: str) -> str:
    """The program's name; of a known one that Python runs, as known and with its load setting."""
    known, name = strategy.partition(" ")[0], taken_apart(command).name
    return strategy if known in _known() and known != name else name


def known_name(command: Sequence[str] | str, strategy: str) -> str:
    """Under which name such a program is known, which can start it; empty under none."""
    labeled, found = strategy.partition(" ")[0], taken_apart(command)
    known = [each for each in _known().values() if not each.unstartable]
    return next(
        (each.name for each in known if labeled == each.name),
        next((each.name for each in known if each.is_started_by(found)), ""),
    )


def more_of(command: Sequence[str] | str, strategy: str) -> tuple[str, ...]:
    """What the command of a known program sets besides the model, where it listens, and its load
    setting: what `modelmon best --program` takes after `--` to test the program as it is started.
    """
    known = _known().get(known_name(command, strategy))
    return known.more_of(taken_apart(command), _offer(strategy)) if known is not None else ()


def search_options(run: RunResult, *options: str) -> str:
    """Options of `modelmon best` that test a program as it was started in a run."""
    own = more_of(run.command, run.strategy)
    return " ".join((*options, *(("--", shlex.join(own)) if own else ())))


def _offer(label: str) -> Variant | None:
    """A load setting by its label in a search."""
    name, _, setting = label.partition(" ")
    known = _known().get(name)
    offers = known.offers if known is not None else ()
    return next((each for each in offers if each.name == setting), None)


def setting_group(label: str) -> tuple[str, ...] | None:
    """What a load setting changes, by its label in a search: phases that it shortens, or none for
    how it reads. None of what is no setting of a preset.
    """
    offer = _offer(label)
    return offer.phases if offer is not None else None


def needless(label: str, own: RunResult) -> Message:
    """Why a load setting, by its label in a search, needs no test: the phases that it shortens take
    hardly any of the wait for what the program does by itself. Empty where they do, or may.
    """
    variant = _offer(label)
    if variant is None or not variant.phases:
        return NOTHING
    parts, phases = parts_of(own), variant.phases
    if phases == (NETWORK,):
        waited_ns = [part.network_ns for part in parts if part.network_ns is not None]
        if not waited_ns:
            return NOTHING
        share = sum(waited_ns) / max(1, own.wall_ns)
        names = Message("waiting for the network")
    else:
        names = joined([NAMES[phase] for phase in phases], ", ")
        if not any(part.is_named_by_program for part in parts):
            # What changes answers is tested only where it is known to save something.
            is_risky = variant.changes_answers
            return (
                Message("how long {phase} takes is unknown", phase=names) if is_risky else NOTHING
            )
        share = sum(share_of(part, own) for part in parts if {part.name, part.beside} & {*phases})
        if not share and not variant.changes_answers:
            share = _hidden_share(phases[0], own)
    if share >= NOTICED_SHARE:
        return NOTHING
    return Message("{phase} takes less than 5% of the wait", phase=names)


def _hidden_share(phase: str, run: RunResult) -> float:
    """How much of the wait a phase may have that isn't among its parts: half of the reading, unless
    an earlier phase comes after that.
    """
    names, order = [part.name for part in parts_of(run)], list(NAMES)
    after = names[names.index(READING) + 1 :] if READING in names else names
    earlier = order[: order.index(phase)]
    return 0.0 if {*after} & {*earlier} else HALF * reading_share(run)


class Cure(NamedTuple):
    """What shortens a part, and what that costs, also its `setting` alone where there is one; the
    load settings of the program that do, by name, what they brought where they were tested here,
    and how to test them. `saves_ns` is the most that one of them saves.
    """

    text: Message = NOTHING
    setting: Message = NOTHING
    settings: tuple[str, ...] = ()
    tested: Message = NOTHING
    test: Message = NOTHING
    saves_ns: int = 0


def cure(part: WaitPart, run: RunResult, tests: Sequence[RunRow] = ()) -> Cure:
    """What makes a part shorter that isn't reading, or isn't only that; `tests` are runs of the
    program with its load settings here, the last one first.
    """
    program, waits = known_name(run.command, run.strategy), waits_for(part)
    # What waits for something else than its own work isn't shortened by a setting of its phase.
    is_own = waits in ("processor", "")
    setting = (is_own and cure_of(part.program, part.beside or part.name)) or NOTHING
    text = _text(part, run, waits, setting)
    phases = {part.name, part.beside} if is_own else {waits}
    variants = _settings_for(phases, run, program)
    if not variants:
        return Cure(text, setting)
    tested = [_tested(each, program, tests) for each in variants]
    more = search_options(run, *(f"--load-setting {each.name}" for each in variants))
    test = Message(
        "Test these settings{terminal}.",
        terminal=f": modelmon best MODEL --program {program} {more}",
    )
    names = tuple(each.name for each in variants)
    shares = [each for each in tested if each is not None]
    told = joined(
        (
            _tested_text(each.name, found, part)
            for each, found in zip(variants, tested, strict=True)
        ),
        "; ",
    )
    saved_ns = [each.saved_share * run.wall_ns if each else part.duration_ns for each in tested]
    # Whatever else a setting changed, of this part no more than all can go.
    saves_ns = min(part.duration_ns, round(max(saved_ns)))
    return Cure(text, setting, names, told, NOTHING if shares else test, saves_ns)


def _text(part: WaitPart, run: RunResult, waits: WaitsFor, setting: Message) -> Message:
    if waits == "processor":
        if part.name in ("trial", "warm-up") and part.program == "llama.cpp":
            return _PASSIVE
        return joined(filter(None, (_FREE_PROCESSORS, setting)))
    if waits == "storage" and run.libraries is not None:
        return _own_files(run.libraries)
    return _WAITS[waits] if waits else setting


def _settings_for(phases: AbstractSet[str], run: RunResult, program: str) -> list[Variant]:
    """A known program's settings that shorten phases, but for those that were set in this run."""
    known, names = _known().get(program), names_set_by(recorded_words(run.command))
    offers = {each.name: each for each in (known.offers if known is not None else ())}
    return [
        each
        for each in offers.values()
        if phases & {*each.phases}
        and each.access != "recompiled"
        and not each.is_decided_by(names)
        and run.strategy != f"{program} {each.name}"
    ]


class _Tested(NamedTuple):
    """What a setting saved of the time, 0 where that isn't clear, by the runs of either kind."""

    saved_share: float
    runs: int


def _tested(variant: Variant, program: str, tests: Sequence[RunRow]) -> _Tested | None:
    """What a setting saved in the last search that tested it beside the program's own; None where
    none did.
    """
    own, with_it = f"{program} {DEFAULT}", f"{program} {variant.name}"
    searches: dict[object, dict[str, list[int]]] = {}
    for row in tests:
        took = searches.setdefault((row.experiment_id, row.cache_asked), {})
        took.setdefault(row.strategy, []).append(row.wall_ns)
    for took in searches.values():
        if own in took and with_it in took:
            before_ns, after_ns = took[own], took[with_it]
            share = 1 - median(after_ns) / median(before_ns)
            parted = fmean(now < then for now in after_ns for then in before_ns)
            is_clear = share >= NOTICED_SHARE and parted >= _PARTED_SHARE
            return _Tested(share if is_clear else 0.0, min(len(before_ns), len(after_ns)))
    return None


def _tested_text(name: str, found: _Tested | None, part: WaitPart) -> Message:
    if found is None:
        return Message(
            "{setting}: not tested here, at most {time} less",
            setting=name,
            time=duration_text(part.duration_ns),
        )
    figures = {"setting": name, "runs": found.runs}
    if not found.saved_share:
        return Message("{setting}: no clear gain (tested {runs}× here)", **figures)
    share = percent_text(found.saved_share)
    return Message("{setting}: {share} less time (tested {runs}× here)", share=share, **figures)


def _own_files(libraries: Libraries) -> Message:
    """Where the libraries of a program are that waits for other files than the model."""
    return Message(
        "{keep} Most of its {number} libraries ({size}) are on {mount} ({filesystem}).",
        keep=_KEEP_LOCAL,
        number=libraries.files,
        size=size_text(libraries.mapped_bytes),
        mount=libraries.mount_point,
        filesystem=libraries.filesystem,
    )
