"""What the export dialog can write of a comparison or of a race."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import msgspec

from modelmon.core.errors import ModelmonError
from modelmon.core.experiment.race.result import Race
from modelmon.core.export.config_file import best_arm, render, render_race
from modelmon.core.messages import to_text
from modelmon.gui.look.language import said, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.experiment.result import Comparison
    from modelmon.gui.window.notices import ArmLabel


LOAD_CONFIG = "modelmon"
"""The entry that is written unless something else is chosen."""


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """One thing that can be written: what it is, what it is for, and its exact text.

    `obstacle` says why it cannot be written; then there is no text.
    """

    id: str
    title: str
    purpose: str
    file_name: str
    text: str = ""
    obstacle: str = ""


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

    def entries(self, value: str) -> tuple[ExportEntry, ...]:
        """What can be written for an option."""

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

    def entries(self, value: str) -> tuple[ExportEntry, ...]:
        return (
            _load_config(lambda: render(self._comparison, _arm(value))),
            ExportEntry(
                "comparison",
                tr("Full comparison"),
                tr("JSON of all runs, can be opened again"),
                "comparison.json",
                _json(self._comparison),
            ),
        )

    def says(self, value: str) -> str:
        return what_is_exported(self._comparison, _arm(value))


class _RaceSource:
    def __init__(self, race: Race) -> None:
        self._race = race
        self.path = race.path
        self.best = race.recommendation.exported
        self.options = ((self.best, self.best or race.recommendation.label),)

    def entries(self, value: str) -> tuple[ExportEntry, ...]:
        del value
        return (
            _load_config(lambda: render_race(self._race)),
            ExportEntry(
                "race",
                tr("Full ranking"),
                tr("JSON of all runs, for modelmon export"),
                "ranking.json",
                _json(self._race),
            ),
        )

    def says(self, value: str) -> str:
        found = self._race.recommendation
        if value in ("", found.label):
            return said(found.sentence)
        return tr(
            "{sentence} It needs worker processes or a library, so the file stores {way}, "
            "the best that loads in one process.",
            sentence=found.sentence,
            way=value,
        )


def _load_config(render_text: Callable[[], str]) -> ExportEntry:
    entry = ExportEntry(
        LOAD_CONFIG,
        "modelmon.load_model",
        tr("Loads the model with this strategy"),
        "modelmon.toml",
    )
    try:
        return replace(entry, text=render_text())
    except ModelmonError as error:
        return replace(entry, obstacle=said(error.text))


def _json(result: Comparison | Race) -> str:
    return msgspec.json.format(msgspec.json.encode(result, enc_hook=to_text)).decode() + "\n"


def _arm(value: str) -> ArmLabel:
    return "A" if value == "A" else "B"


def what_is_exported(comparison: Comparison, chosen: ArmLabel) -> str:
    """What the file will make of the comparison: the verdict, or a choice against it."""
    arm = comparison.arm(chosen)
    verdict = comparison.verdict
    if verdict.winner in ("A", "B") and verdict.winner != chosen:
        return tr(
            "The comparison doesn't recommend {arm}. {sentence}",
            arm=chosen,
            sentence=verdict.sentence,
        )
    if not arm.config.loads_here and not comparison.command(chosen):
        return tr(
            "{arm} loads in other processes, and a program can't use their memory. The "
            "file stores the same reads with threads, as measured.",
            arm=chosen,
        )
    return said(verdict.sentence)
