"""What the export dialog can write of a comparison, of a race, or of one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import msgspec

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.summary import best_arm as best_arm_of_cluster
from modelmon.core.errors import ConfigError
from modelmon.core.experiment.bottleneck.headroom import least_reading_ns
from modelmon.core.experiment.program_report import headline
from modelmon.core.experiment.race.result import Race
from modelmon.core.export.advice import PROGRAM_ID, Form
from modelmon.core.export.config_file import best_arm, equivalent_of, of_one_run
from modelmon.core.export.registry import OWN, all_advice
from modelmon.core.export.situation import (
    of_cluster,
    of_comparison,
    of_race,
    of_result,
)
from modelmon.core.messages import NOTHING, Message, joined, to_text
from modelmon.core.remote.address import parts_of
from modelmon.core.units import duration_text
from modelmon.gui.export import evidence
from modelmon.gui.look.language import said, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.experiment.result import Comparison
    from modelmon.core.export.advice import ConsumerAdvice, Standing
    from modelmon.core.export.situation import Situation
    from modelmon.core.machine.storage_stack import StorageStack
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.export.evidence import Evidence
    from modelmon.gui.session import Session
    from modelmon.gui.watching.watched_run import WatchedRun
    from modelmon.gui.window.notices import ArmLabel


def subject_of(
    session: Session,
) -> Comparison | Race | ClusterResult | OneRun | None:
    """The watched program that is shown; else the latest verdict, or the latest run."""
    if session.program is not None:
        return _of_program(session, session.program)
    verdict = session.verdict
    if verdict is not None or session.inspection is None:
        return verdict
    latest = session.latest_result
    return OneRun(latest, session.inspection) if latest is not None else None


def _of_program(session: Session, run: WatchedRun) -> OneRun | None:
    inspection, result = session.inspection, run.result
    if inspection is None or result is None or not session.has_outcome:
        return None
    least_ns = least_reading_ns(result, run.limits)
    return OneRun(result, inspection, headline(run.name, result, least_ns))


@dataclass(frozen=True, slots=True)
class OneRun:
    """A run of the model that was inspected, compared with nothing. Of a watched program `verdict`
    is what came of it; it's empty of other loads.
    """

    result: RunResult
    inspection: Inspection
    verdict: Message = NOTHING


LOAD_CONFIG = OWN
"""The entry that is written unless something else is chosen."""


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """One thing that can be written: who it is for, and its exact text in each of its forms.

    `obstacle` says why it cannot be written; then there are no forms. `advice` is None for
    what is none to anybody.
    """

    id: str
    title: str
    purpose: str
    forms: tuple[Form, ...] = ()
    obstacle: str = ""
    advice: ConsumerAdvice | None = None

    @property
    def standing(self) -> Standing | None:
        """How sure the advice is."""
        return self.advice.standing if self.advice is not None else None

    def facts(self, installed: Message = NOTHING) -> tuple[tuple[str, str], ...]:
        """Names and sentences beside the text, with what is known of the program as it is
        installed.
        """
        told = self.advice.facts(installed) if self.advice is not None else ()
        return tuple((said(name), said(text)) for name, text in told)

    def file_name(self, form: int) -> str:
        """A name for the text of a form that no other entry uses."""
        own = self.standing is None or self.id == LOAD_CONFIG
        name = self.forms[form].file_name if self.forms else "modelmon.toml"
        return name if own else f"{self.id}-{name}"


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

    def evidence(self, value: str) -> Evidence | None:
        """What the texts for an option rest on; None where that is not a few runs."""


def source_of(
    result: Comparison | Race | ClusterResult | OneRun, stack: StorageStack | None = None
) -> ExportSource:
    """What can be written of `result`, whose model lies on `stack` if that is known."""
    path = result.inspection.reference if isinstance(result, OneRun) else result.path
    if stack is not None and stack.asked != parts_of(path).path:
        stack = None
    if isinstance(result, ClusterResult):
        return _ClusterSource(result, stack)
    if isinstance(result, OneRun):
        return _RunSource(result, stack)
    return _RaceSource(result, stack) if isinstance(result, Race) else _OfTwo(result, stack)


class _OfTwo:
    def __init__(self, comparison: Comparison, stack: StorageStack | None) -> None:
        self._comparison = comparison
        self._stack = stack
        self.path = comparison.path
        a, b = comparison.arm_a.strategy, comparison.arm_b.strategy
        self.options = (("A", f"A  {a}"), ("B", f"B  {b}"))
        self.best: str = best_arm(comparison)

    def entries(self, value: str) -> tuple[ExportEntry, ...]:
        record = ExportEntry(
            "comparison",
            tr("Full comparison"),
            tr("JSON of all runs, can be opened again"),
            (_json(self._comparison, "comparison.json"),),
        )
        try:
            found = of_comparison(self._comparison, _arm(value), self._stack)
        except ConfigError as error:
            return (_no_advice(error), record)
        return _listed(found, record)

    def says(self, value: str) -> str:
        return what_is_exported(self._comparison, _arm(value))

    def evidence(self, value: str) -> Evidence:
        return evidence.of_comparison(self._comparison, _arm(value))


class _RaceSource:
    def __init__(self, race: Race, stack: StorageStack | None) -> None:
        self._race = race
        self._stack = stack
        self.path = race.path
        self.best = race.recommendation.exported
        self.options = ((self.best, self.best or race.recommendation.label),)

    def entries(self, value: str) -> tuple[ExportEntry, ...]:
        del value
        record = ExportEntry(
            "race",
            tr("Full ranking"),
            tr("JSON of all runs, for modelmon export"),
            (_json(self._race, "ranking.json"),),
        )
        try:
            found = of_race(self._race, self._stack)
        except ConfigError as error:
            return (_no_advice(error), record)
        return _listed(found, record)

    def says(self, value: str) -> str:
        found = self._race.recommendation
        if value in ("", found.label):
            return said(joined(found.contradictions) or found.sentence)
        return tr(
            "{sentence}. It needs worker processes or a library, so the file stores {way}, "
            "the best that loads in one process.",
            sentence=found.sentence,
            way=value,
        )

    def evidence(self, value: str) -> Evidence | None:
        del value
        return evidence.of_race(self._race)


class _ClusterSource:
    def __init__(self, result: ClusterResult, stack: StorageStack | None) -> None:
        self._result = result
        self._stack = stack
        self.path = result.path
        self.options = tuple(
            (arm.way.label, f"{arm.way.label}  {arm.way.name}") for arm in result.arms if arm.curve
        ) or (("A", "A"),)
        try:
            self.best: str = best_arm_of_cluster(result).way.label
        except ConfigError:
            self.best = "A"

    def entries(self, value: str) -> tuple[ExportEntry, ...]:
        record = ExportEntry(
            "cluster",
            tr("Full result"),
            tr("JSON of all nodes and starts, can be opened again"),
            (_json(self._result, "cluster.json"),),
        )
        try:
            found = of_cluster(self._result, _arm(value), self._stack)
        except ConfigError as error:
            return (_no_advice(error), record)
        return _listed(found, record)

    def says(self, value: str) -> str:
        sentence = next(iter(self._result.recommendation), "")
        if value == self.best:
            return said(sentence)
        return tr(
            "The comparison doesn't recommend {arm}. {sentence}", arm=value, sentence=sentence
        )

    def evidence(self, value: str) -> None:
        """Starts of many nodes are no runs of one."""


class _RunSource:
    """Of a watched program its command as it was: no setting of it was compared with another."""

    def __init__(self, run: OneRun, stack: StorageStack | None) -> None:
        self._run, self._stack = run, stack
        self.path = run.inspection.reference
        self.best = run.result.strategy
        self.options = ((self.best, self.best),)

    def entries(self, value: str) -> tuple[ExportEntry, ...]:
        del value
        run, found = self._run, self._run.result
        record = ExportEntry(
            "run",
            tr("Full result"),
            tr("JSON of this run"),
            (_json(found, "run.json"),),
        )
        try:
            return _listed(of_result(found, run.inspection, run.verdict, self._stack), record)
        except ConfigError as error:
            return (_no_advice(error), record)

    def says(self, value: str) -> str:
        del value
        if not self._run.verdict:
            return said(of_one_run(self._run.result))
        return tr("Nothing was compared, so no setting is recommended. Find best compares them.")

    def evidence(self, value: str) -> Evidence:
        del value
        return evidence.of_run(self._run)


def _listed(found: Situation, record: ExportEntry) -> tuple[ExportEntry, ...]:
    """modelmon first, then the whole record, then others; who cannot be told comes last."""
    own, *others = map(_entry, all_advice(found))
    return (own, record, *sorted(others, key=lambda entry: bool(entry.obstacle)))


def _entry(advice: ConsumerAdvice) -> ExportEntry:
    summary = said(advice.summary)
    if advice.is_default:
        purpose = tr("Nothing to change: {setting} is the default", setting=summary)
    elif advice.standing == "measured":
        purpose = tr("Measured here, {setting}", setting=summary)
    elif advice.standing == "mapped":
        purpose = tr("Nearest: {setting}", setting=summary)
    else:
        purpose = tr("Can't express. {reason}", reason=summary)
    return ExportEntry(
        advice.consumer,
        # Others are called by their own names in every language.
        tr("The tested program") if advice.consumer == PROGRAM_ID else advice.title,
        purpose,
        advice.forms,
        summary if advice.standing == "cannot" else "",
        advice,
    )


def _no_advice(error: ConfigError) -> ExportEntry:
    reason = said(error.text)
    return ExportEntry(LOAD_CONFIG, "modelmon.load_model", reason, obstacle=reason)


def _json(result: Comparison | Race | ClusterResult | RunResult, file_name: str) -> Form:
    text = msgspec.json.format(msgspec.json.encode(result, enc_hook=to_text)).decode() + "\n"
    return Form(Message("JSON"), "json", text, file_name)


def _arm(value: str) -> ArmLabel:
    return "A" if value == "A" else "B"


def what_is_exported(comparison: Comparison, chosen: ArmLabel) -> str:
    """What the file will make of the comparison: the verdict, or a choice against it."""
    verdict = comparison.verdict
    if verdict.winner in ("A", "B") and verdict.winner != chosen:
        return tr(
            "The comparison doesn't recommend {arm}. {sentence}",
            arm=chosen,
            sentence=verdict.sentence,
        )
    stored = equivalent_of(comparison, chosen)
    if stored is not None:
        return tr(
            "A program can't use the memory of other processes: the file stores threads, {time}.",
            time=duration_text(stored.median_ns),
        )
    # The verdict stands beside the text, as why.
    return said((verdict.winner == chosen and verdict.caveat) or verdict.sentence)
