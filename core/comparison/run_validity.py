"""Which runs count beside others: what speaks against one that its worker could not know.

The worker checks its own start (worker/cache_state.py); here a run is held against the other runs
of its experiment and against what a probe found. Warnings of several runs are summed up, each kind
once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.explain.evidence import device_rate
from modelmon.core.messages import Message, joined
from modelmon.core.redaction import shell_command_without_secrets
from modelmon.core.units import rate_text, size_text
from modelmon.core.worker.run_warnings import RunWarning, WarningKind, warned

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult


FASTER_THAN_PROBED = 1.3
"""A short look at a device scatters; what is a third above it needs a reason."""

ANOTHER_SOURCE = 4.0
"""A probe that met a busy device finds less than half of its rate (1.5 of 3.4 GB/s were seen on
a shared host); caches below answer 7 times as fast as a disk of 226 MB/s, and more as a rule."""

_BY_CHANCE: tuple[WarningKind, ...] = ("program-cold", "memory-taken")
_BY_CHANCE_SHARE = 0.25
"""What meets more of an experiment's runs is how the machine is, and no reason to leave one out."""
_REPORTED_EVERY_NS = 2_000_000_000
"""PAGE_REPORTING_DELAY in the kernel's mm/page_reporting.c: what takes longer meets a report."""

_OWN_FILES_BYTES = 16 << 20
"""A program that fetched less besides the model would have started hardly sooner."""


class Checks:
    """What speaks against the new runs of one experiment; `limits` are what a probe found.

    Results are stored with it, so those that are taken in again are not checked again.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._files_mark = ""
        self._started: set[str] = set()
        self._runs = self._met = 0
        self._outran: dict[object, list[bool]] = {}

    @property
    def any_started(self) -> bool:
        """Whether a run was made, rather than taken in again."""
        return bool(self._started)

    def checked(self, label: str, result: RunResult) -> RunResult:
        """A new run of this arm, with what speaks against it."""
        against = [
            files_changed(result, self._files_mark),
            self._faster_than_probed(result),
            self._memory_taken(result),
        ]
        if label not in self._started:
            self._started.add(label)
            against.append(program_cold(result))
        for warning in against:
            result = with_warning(result, warning)
        return result

    def _faster_than_probed(self, result: RunResult) -> RunWarning | None:
        """The same of one among others: where these agree that the disk is faster, it was measured
        before it was. What was within the measurement once is cached when it no longer is.
        """
        found = faster_than_probed(result, self._limits)
        if found is None or found.counts or not any(map(any, self._outran.values())):
            return found
        ways = {**self._outran, _way(result): [*self._outran.get(_way(result), ()), True]}
        for outran in ways.values():
            if not (all(outran) or (not any(outran) and len(outran) > 1)):
                return found
        text = Message("Several runs were faster than the disk when it was measured.")
        return warned("faster-than-probed", text, found.evidence)

    def _memory_taken(self, result: RunResult) -> RunWarning | None:
        """The host took memory that was touched for this load, which had to wait for other.

        It comes by the kernel's clock, whatever is loaded, and meets some short loads and all long
        ones: a run is left out for it only where it meets few.
        """
        met = self._met + _met_report(result)
        by_chance = met <= max(1, (self._runs + 1) * _BY_CHANCE_SHARE)
        short = result.wall_ns < _REPORTED_EVERY_NS
        if not (_met_report(result) and by_chance and short and result.counts):
            return None
        text = Message("Not counted: the host took back free memory during the load.")
        return warned("memory-taken", text)

    def take(self, result: RunResult) -> None:
        """A run that later ones are held against."""
        self._files_mark = self._files_mark or result.files_mark
        self._runs += 1
        self._met += _met_report(result)
        if result.cache_state.startswith("cold") and self._limits.device_bytes_per_s:
            found = faster_than_probed(result, self._limits)
            self._outran.setdefault(_way(result), []).append(not (found is None or found.counts))


def _way(result: RunResult) -> object:
    return result.strategy, result.config, result.command


def _met_report(result: RunResult) -> bool:
    """Whether the host was given free memory back during the load."""
    return result.memory is not None and bool(result.memory.free_page_reports)


def files_changed(result: RunResult, first_mark: str) -> RunWarning | None:
    """The model is not the one that the experiment began with; "" for its first run."""
    if result.files_mark == (first_mark or result.files_mark):
        return None
    text = Message("Not counted: the model changed during the experiment.")
    return warned(
        "file-changed", text, Message("size, time of writing or inode differ from before")
    )


def faster_than_probed(result: RunResult, limits: Limits) -> RunWarning | None:
    """A start that counts as cold got its bytes faster than the probed device gives them.

    Several times as fast, and a cache below had them, or the probe no longer holds: only other
    runs tell. A little faster, and it may as well have been taken in a busy moment.
    """
    best, rate = limits.device_bytes_per_s, device_rate(result)
    if not best or rate is None or not result.cache_state.startswith("cold"):
        return None
    if rate <= FASTER_THAN_PROBED * best:
        return None
    evidence = Message(
        "{rate}, where the disk measurement found {best} at best",
        rate=rate_text(rate),
        best=rate_text(best),
    )
    if rate <= ANOTHER_SOURCE * best:
        text = Message(
            "Faster than the disk measurement found possible: the disk was busy then,"
            " or a cache below this machine's had the file."
        )
        return warned("faster-than-probed", text, evidence)
    text = Message(
        "Not counted: faster than the disk when it was measured. A cache below this machine's had"
        " the file, or the disk is faster now."
    )
    remedy = Message(
        "Measure the disk again. If it's no faster, clear that cache before each run{terminal}.",
        terminal=" (modelmon doctor MODEL --probe, --prepare)",
    )
    return warned("served-from-cache", text, evidence, remedy)


def reading_unseen(result: RunResult) -> RunWarning | None:
    """It was not seen when a program read the model, which is what is to be compared."""
    # One that was ready before a look saw its first byte took no time that anything is known of.
    if not result.is_program or (result.first_byte_ns is not None and result.reading_ns):
        return None
    text = Message("Not counted: the time of its reads is unknown.")
    return warned("reading-unseen", text)


def program_cold(result: RunResult) -> RunWarning | None:
    """The first start of a program fetched its own files, which later ones find in memory."""
    other_bytes = result.other_device_bytes or 0
    if not result.is_program or other_bytes < _OWN_FILES_BYTES:
        return None
    text = Message("Not counted: the program's own files came from storage.")
    return warned("program-cold", text, Message("{size}", size=size_text(other_bytes)))


def is_discarded_for(result: RunResult, kind: WarningKind) -> bool:
    """Whether nothing but this warning keeps a run from being counted."""
    return [told.kind for told in result.warnings if not told.counts] == [kind]


def is_discarded_by_chance(result: RunResult) -> bool:
    """Whether a run is left out for what the next one of its arm hardly meets as well."""
    against = [told.kind for told in result.warnings if not told.counts]
    return bool(against) and all(kind in _BY_CHANCE for kind in against)


def with_warning(result: RunResult, warning: RunWarning | None) -> RunResult:
    """The result with one more warning, which may keep it from being counted."""
    if warning is None:
        return result
    counts = result.counts and warning.counts
    why_not = (
        result.why_not
        if warning.counts
        else joined(filter(None, (result.why_not, warning.message)))
    )
    return msgspec.structs.replace(
        result, warnings=(*result.warnings, warning), counts=counts, why_not=why_not
    )


def check_prepare(given: str, then: str) -> None:
    """An experiment that is gone on with is prepared as it was begun, by the same command.

    It has to be given again: none is run that only a stored file names. Raises ConfigError.
    """
    then = shell_command_without_secrets(then)
    if given == then:
        return
    was = (
        Message("with the command {then} before each", then=repr(then))
        if then
        else Message("without a command before them")
    )
    raise ConfigError(
        Message("Earlier runs were made {was}; the rest must be, too.", was=was),
        Message("Resume in the terminal, with the same --prepare and --resume."),
    )


# These are about what is shown of a single run.
_OF_CURVES: frozenset[WarningKind] = frozenset(
    {"few-samples", "dropped-samples", "dropped-requests", "unknown-event"}
)
SPOILING: frozenset[WarningKind] = frozenset(
    {
        "other-reader",
        "memory-pressure",
        "throttled",
        "on-battery",
        "late-samples",
    }
)
"""What makes some runs slower than others with which they are compared."""


class WarnedRuns(NamedTuple):
    """A warning of `warned` of `runs`, as the first of them has it."""

    warning: RunWarning
    warned: int
    runs: int

    @property
    def text(self) -> Message:
        """The warning with its evidence, and in how many runs it was given."""
        return joined((self.warning.text, self._often))

    @property
    def short(self) -> Message:
        """The same without the evidence, which is that of one run."""
        return joined((self.warning.message, self._often))

    @property
    def _often(self) -> Message:
        return Message("Seen in {warned} of {runs} runs.", warned=self.warned, runs=self.runs)


def warnings_of(results: Iterable[RunResult]) -> tuple[WarnedRuns, ...]:
    """Warnings of the runs that count, those of most runs first."""
    kept = [result for result in results if result.counts]
    found: dict[str, list[RunWarning]] = {}
    for result in kept:
        for kind, warning in {warning.kind: warning for warning in result.warnings}.items():
            if kind not in _OF_CURVES:
                found.setdefault(kind, []).append(warning)
    told = [WarnedRuns(each[0], len(each), len(kept)) for each in found.values()]
    return tuple(sorted(told, key=lambda one: -one.warned))


def spoiling_of(results: Iterable[RunResult]) -> tuple[WarnedRuns, ...]:
    """What may have made some of the runs that count slower than others."""
    return tuple(one for one in warnings_of(results) if one.warning.kind in SPOILING)


def spoiling_in(result: RunResult) -> tuple[RunWarning, ...]:
    """What else than the way to load may have cost time in one run."""
    return tuple(warning for warning in result.warnings if warning.kind in SPOILING)


def spoiled(results: Iterable[RunResult]) -> int:
    """In how many of the runs something else than the way to load may have cost time."""
    return sum(bool(spoiling_in(result)) for result in results if result.counts)


def unverified_text(asked: Cache) -> Message:
    """That it isn't known whether runs started as asked."""
    return (
        Message("Cold starts couldn't be verified.")
        if asked == "cold"
        else Message("Warm starts couldn't be verified.")
    )
