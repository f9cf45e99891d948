"""What was warned of in several runs, each kind once: what a comparison or a race has to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import Message, joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.worker.result import RunResult
    from modelmon.core.worker.warned import Warned, WarningKind

# These are about what is shown of a single run.
_OF_CURVES: frozenset[WarningKind] = frozenset({"few-samples", "dropped-samples", "unknown-event"})
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

    warning: Warned
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
    found: dict[str, list[Warned]] = {}
    for result in kept:
        for kind, warning in {warning.kind: warning for warning in result.warnings}.items():
            if kind not in _OF_CURVES:
                found.setdefault(kind, []).append(warning)
    told = [WarnedRuns(each[0], len(each), len(kept)) for each in found.values()]
    return tuple(sorted(told, key=lambda one: -one.warned))


def spoiling_of(results: Iterable[RunResult]) -> tuple[WarnedRuns, ...]:
    """What may have made some of the runs that count slower than others."""
    return tuple(one for one in warnings_of(results) if one.warning.kind in SPOILING)


def spoiling_in(result: RunResult) -> tuple[Warned, ...]:
    """What else than the way to load may have cost time in one run."""
    return tuple(warning for warning in result.warnings if warning.kind in SPOILING)


def spoiled(results: Iterable[RunResult]) -> int:
    """In how many of the runs something else than the way to load may have cost time."""
    return sum(bool(spoiling_in(result)) for result in results if result.counts)
