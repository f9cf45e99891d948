"""What the export dialog can write of a comparison or of a race."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from modelmon.core.experiment.race_result import Race
from modelmon.core.export.config_file import best_arm, render
from modelmon.core.export.race_config import render_race

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.result import Comparison
    from modelmon.gui.slot import ArmLabel


class ExportSource(Protocol):
    """Something that was measured. `options` are pairs of value and text, `best` a value."""

    @property
    def path(self) -> str:
        """The model's place."""

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        """What can be written, by value and text."""

    @property
    def best(self) -> str:
        """The value that is recommended."""

    def text(self, value: str) -> str:
        """The file's text. Raises ConfigError where there is nothing to store."""

    def says(self, value: str) -> str:
        """What the file makes of the measurement."""


def source_of(result: Comparison | Race) -> ExportSource:
    """What can be written of `result`."""
    return _RaceSource(result) if isinstance(result, Race) else _ComparisonSource(result)


class _ComparisonSource:
    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self.path = comparison.path
        a, b = comparison.arm_a.strategy, comparison.arm_b.strategy
        self.options = (("A", f"A  {a}"), ("B", f"B  {b}"))
        self.best: str = best_arm(comparison)

    def text(self, value: str) -> str:
        return render(self._comparison, _arm(value))

    def says(self, value: str) -> str:
        return what_is_exported(self._comparison, _arm(value))


class _RaceSource:
    def __init__(self, race: Race) -> None:
        self._race = race
        self.path = race.path
        self.best = race.recommendation.exported
        self.options = ((self.best, self.best or race.recommendation.label),)

    def text(self, value: str) -> str:
        del value
        return render_race(self._race)

    def says(self, value: str) -> str:
        found = self._race.recommendation
        if value == found.label:
            return found.sentence
        return (
            f"{found.sentence} That takes worker processes or a library: what is stored is {value},"
            " the best of those that load within one process."
        )


def _arm(value: str) -> ArmLabel:
    return "A" if value == "A" else "B"


def what_is_exported(comparison: Comparison, chosen: ArmLabel) -> str:
    """What the file will make of the comparison: the verdict, or a choice against it."""
    arm = comparison.arm(chosen)
    verdict = comparison.verdict
    if verdict.winner in ("A", "B") and verdict.winner != chosen:
        return f"{chosen} is not what the comparison recommends. {verdict.sentence}"
    if not arm.config.loads_here:
        return (
            f"{chosen} uses other processes, whose memory cannot become another program's. "
            "The file stores the same reads with threads, as they were measured."
        )
    return verdict.sentence
