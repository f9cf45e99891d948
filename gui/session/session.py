"""What one window knows: the model, both arms, the runs so far and what is going on.

The session holds state and says when it changes. It starts no process and knows no
widget; the controllers change it, the panels show it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from PySide6.QtCore import QObject, Signal, SignalInstance

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.commands import command_names
from modelmon.core.comparison.decision import DEFAULT_PAIRS
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.verdict import mirrored
from modelmon.core.export.run_items import START_WORDS
from modelmon.core.find_best.result import SearchResult
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.worker.events import DEFAULT_SAMPLE_HZ
from modelmon.core.worker.result import UNSAID
from modelmon.gui.language import said
from modelmon.gui.session.arm_settings import (
    ArmProgram,
    ArmSettings,
    OwnPresets,
    default_arms,
    other_arm,
)
from modelmon.gui.session.measured import Clusters, RaceState
from modelmon.gui.session.notices import ARMS_LOADING, LOADING, Activity, Listening, Notice
from modelmon.gui.session.watched_run import WatchedRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.memory import Memory
    from modelmon.core.probe.probe import Probe
    from modelmon.core.worker.events import Cache, Failed
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult, Timed
    from modelmon.gui.background.worker_process import Recording
    from modelmon.gui.session.notices import ArmLabel, ProgressView


__all__ = ["LABELS", "LOADING", "MAX_REPEATS", "Activity", "Run", "Session"]

Outcome = Comparison | SearchResult | ClusterResult

LABELS: tuple[ArmLabel, ArmLabel] = ("A", "B")
MAX_REPEATS = 50
MOST_LOG_LINES = 5000


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One load of this window's history; `result` is None for a load that failed."""

    number: int
    label: ArmLabel
    record: RunRecord
    recording: Recording | None
    result: RunResult | None


@dataclass(frozen=True, slots=True)
class ArmShown:
    """What is shown of an arm: a run in the plots, and on its card the results of one or all of the
    latest comparison, or why the latest run failed.
    """

    record: RunRecord | None = None
    results: tuple[RunResult, ...] = ()
    failure: Failed | None = None


class Held(NamedTuple):
    """What was shown before a measurement, and whether there was a verdict."""

    has_verdict: bool
    show_again: Callable[[], None]


class Session(QObject):
    """State of one window, and signals for each part of it."""

    model_changed = Signal()
    settings_changed = Signal()
    activity_changed = Signal()
    load_changed = Signal()
    """A load has begun, or come to its next step: what shows it follows with the next frame."""
    runs_changed = Signal()
    run_kept = Signal(int)
    resumable = Signal()
    """What is under way has come so far that it can be gone on with."""
    record_changed = Signal(str)
    slot_changed = Signal()
    program_changed = Signal()
    logged = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.inspection: Inspection | None = None
        self.chosen_cache: Cache = "cold"
        self.repeats = DEFAULT_PAIRS
        self.timed: Timed = "ready"
        """What Compare compares of programs."""
        self.sample_hz = DEFAULT_SAMPLE_HZ
        self.activity = Activity.IDLE
        self.runs: list[Run] = []
        self.kept: dict[int, Run] = {}
        self.limits = UNKNOWN_LIMITS
        self.verdict: Outcome | None = None
        """What the last measurement of several runs found, as the slot tells it."""
        self.is_restored = False
        """Whether that was found at another time than in this session."""
        self.notice: Notice | None = None
        self.log_lines: deque[tuple[str, str]] = deque(maxlen=MOST_LOG_LINES)
        self.unsaved: dict[str, str] = {}
        """Why something of this window isn't kept, by what it is."""
        self.loading: ArmLabel | None = None
        self.loading_record: RunRecord | None = None
        self.progress: Listening | None = None
        self.arms = ArmSettings()
        self.proposed = default_arms()
        """What the arms are set to when nobody has set them."""
        self.own_presets = OwnPresets(self)
        self.races = RaceState(self)
        self.clusters = Clusters(self)
        for part in (self.races, self.clusters):
            part.changed.connect(self.slot_changed)
        self.program: WatchedRun | None = None
        """The watched program that is shown in place of A and B."""
        self._arms: dict[ArmLabel, ArmShown] = dict.fromkeys(LABELS, ArmShown())
        self._looked_at: dict[ArmLabel, RunRecord] = {}
        """Runs of another time, which the plots show in place of the arms' own."""
        self._moments: dict[ArmLabel, RunRecord] = {}
        """What a replay shows in place of the whole runs."""

    @property
    def news(self) -> tuple[SignalInstance, ...]:
        """What is emitted when there is something else to show or to do."""
        return (
            *(self.activity_changed, self.slot_changed, self.model_changed, self.runs_changed),
            self.program_changed,
        )

    @property
    def busy(self) -> bool:
        """Whether something is under way."""
        return self.activity is not Activity.IDLE

    @property
    def in_memory(self) -> bool:
        """Whether the files of the open model lie in memory, so that no start of it is cold."""
        return self.inspection is not None and self.inspection.storage.kind == "memory"

    @property
    def cache(self) -> Cache:
        """How the page cache is set before each run: as chosen, where that is possible."""
        return "warm" if self.chosen_cache == "cold" and self.in_memory else self.chosen_cache

    @property
    def empty(self) -> bool:
        """Whether there is neither a model nor a recording to look at."""
        shown = any(arm.record for arm in self._arms.values()) or self._looked_at or self.program
        return self.inspection is None and not self.runs and not shown

    @property
    def shown(self) -> Listening | Notice | WatchedRun | Outcome | None:
        """What the window says now: what is under way, else a notice, else what was found last;
        None where there is nothing yet. `slot_changed` follows every other one.
        """
        return self.progress or self.notice or self.program or self.verdict

    @property
    def headline(self) -> str:
        """What is said first of what came of things; empty where that is nothing yet."""
        shown = self.shown
        if isinstance(shown, Notice):
            return said(shown.headline)
        if isinstance(shown, WatchedRun):
            return said(shown.wait.headline) if shown.wait is not None else ""
        return said(headline_of(shown)) if isinstance(shown, Outcome) else ""

    @property
    def comparison(self) -> Comparison | None:
        """The verdict, where it is one of a comparison."""
        return self.verdict if isinstance(self.verdict, Comparison) else None

    @property
    def has_outcome(self) -> bool:
        """Whether there is a result to export: of the watched program that is shown, else a
        verdict, or a run of the open model.
        """
        if self.program is not None:
            result = self.program.result
            return (
                result is not None
                and result.cut_off is None
                and self._has_open(self.program.record)
            )
        if self.verdict is not None:
            return True
        return self.latest_result is not None

    @property
    def shown_verdict(self) -> Outcome | None:
        """The verdict, unless a watched program is shown in its place."""
        return self.verdict if self.program is None else None

    @property
    def shown_records(self) -> list[RunRecord]:
        """The runs that are over and shown in place of a verdict."""
        labels = self.looked_at or (() if self.shown_verdict else LABELS)
        records = (self.record(label) for label in LABELS if label in labels)
        return [each for each in records if each is not None and each.finished is not None]

    @property
    def latest_result(self) -> RunResult | None:
        """The latest that modelmon's own loads of the open model led to; recordings of other models
        may have been opened since.
        """
        own = (run for run in reversed(self.runs) if self._has_open(run.record))
        results = (run.result for run in own)
        return next((each for each in results if each is not None and not each.is_program), None)

    @property
    def loads_here(self) -> tuple[RunResult, ...]:
        """What loads of the open model came to in this window, and those that the cards show."""
        race = self.races.live or self.races.race
        return (
            *(run for label in LABELS for run in self._arms[label].results),
            # Recordings that were opened may be of other places.
            *(run.result for run in self.runs if run.recording and run.result is not None),
            *(run.result for run in (race.runs if race is not None else ())),
        )

    def _has_open(self, record: RunRecord) -> bool:
        """Whether a run loaded the model that is open."""
        planned, inspection = record.planned, self.inspection
        if planned is None or inspection is None:
            return False
        model = inspection.model
        return (planned.model_name, planned.model_bytes) == (model.name, model.nbytes)

    def config(self, label: ArmLabel) -> LoadConfig:
        """How an arm loads, unless by a program."""
        return self.arms.config(label)

    def strategy(self, label: ArmLabel) -> LoadConfig | None:
        """The same; None where it is by a program."""
        return None if label in self.arms.programs else self.config(label)

    def arm_program(self, label: ArmLabel) -> ArmProgram | None:
        """What loads in an arm in place of a strategy; None where that is not a program."""
        return self.arms.programs.get(label)

    def strategy_name(self, label: ArmLabel) -> str:
        """What an arm's way to load is called; a program by what tells it from the other's."""
        programs = self.arms.programs
        if label not in programs:
            return self.own_presets.name_of(self.config(label))
        files = self.inspection.model.files if self.inspection is not None else ()
        names = command_names([program.given.words for program in programs.values()], files)
        return dict(zip(programs, names, strict=True))[label]

    def record(self, label: ArmLabel) -> RunRecord | None:
        """The run that the plots show for an arm; the one under way while it loads.

        A watched program takes A's place, and nothing is in B's.
        """
        if label in self._moments:
            return self._moments[label]
        if self.program is not None:
            return self.program.record if label == "A" else None
        return self._looked_at.get(label) or self._arms[label].record

    def results(self, label: ArmLabel) -> tuple[RunResult, ...]:
        """The arm's latest results: one run's, or all of the latest comparison's."""
        return self._arms[label].results

    def failure(self, label: ArmLabel) -> Failed | None:
        """Why the arm's latest run failed; None where it did not, or others' results are shown."""
        return self._arms[label].failure

    def changed_since(self, label: ArmLabel) -> bool:
        """Whether the arm's settings are others than those its results come from."""
        results = self.results(label)
        if not results:
            return False
        last, program = results[-1], self.arm_program(label)
        if program is None:
            return (last.config, last.cache_asked) != (self.config(label), self.cache)
        asked = (program.command, program.ready or UNSAID, self.cache, self.timed)
        return asked != (last.command, last.ready, last.cache_asked, last.timed)

    def set_inspection(self, inspection: Inspection) -> None:
        """Another model is open: what was measured of the one before is put away."""
        self.inspection = inspection
        self.runs.clear()
        self.kept.clear()
        self.races.clear()
        self.clusters.clear()
        self.limits = UNKNOWN_LIMITS
        self.verdict = None
        self.notice = None
        self._looked_at.clear()
        self._arms = dict.fromkeys(LABELS, ArmShown())
        # A command names the model that it loads.
        self.arms.programs.clear()
        self.show_program(None)
        for label in LABELS:
            self.record_changed.emit(label)
        self.model_changed.emit()
        self.runs_changed.emit()
        self.slot_changed.emit()

    def see_memory(self, memory: Memory) -> None:
        """What is free was seen anew: whatever speaks of it says the same."""
        if self.inspection is not None:
            self.inspection = self.inspection.with_memory(memory)
            self.slot_changed.emit()

    def see_probe(self, probe: Probe) -> None:
        """The model's place was measured: what follows rests on it."""
        if self.inspection is not None:
            self.inspection = msgspec.structs.replace(self.inspection, probe=probe)

    def set_config(self, label: ArmLabel, config: LoadConfig) -> None:
        """Change how an arm loads; axes that must be equal follow in the other arm."""
        self.arms.set_config(label, config)
        self._settings_changed()

    def set_program(self, label: ArmLabel, program: ArmProgram) -> None:
        """Let a program load in an arm."""
        self.arms.programs[label] = program
        self._settings_changed()

    def set_as_compared(self, comparison: Comparison) -> None:
        """Set cards and start to what was compared. A command is not agreed to by that."""
        self.set_cache(comparison.cache)
        for arm in (comparison.arm_a, comparison.arm_b):
            if comparison.command(arm.label):
                run = comparison.runs(arm.label)[0]
                self.set_timed(run.timed)
                self.set_program(arm.label, ArmProgram.of_run(run, agreed=False))
            else:
                self.set_config(arm.label, arm.config)

    def set_timed(self, timed: Timed) -> None:
        """Choose what Compare compares of programs."""
        self.timed = timed
        self._settings_changed()

    def set_preset(self, label: ArmLabel, name: str) -> None:
        """Use a strategy in one arm; what must be equal in both stays as it is."""
        self.arms.set_strategy(label, self.own_presets.config(name))
        self._settings_changed()

    def set_axis(self, label: ArmLabel, axis: str, text: str) -> None:
        """Change one axis of an arm; raises ConfigError for an impossible value."""
        self.arms.set_axis(label, axis, text)
        self._settings_changed()

    def copy_to_other(self, label: ArmLabel) -> None:
        """Make the other arm load as this one does."""
        other, program = other_arm(label), self.arm_program(label)
        if program is None:
            self.set_config(other, self.config(label))
        else:
            self.set_program(other, program)

    def swap(self) -> None:
        """Exchange the two arms: their settings, and what was measured of them."""
        self.look_away()
        self.arms.swap()
        self._arms = {"A": self._arms["B"], "B": self._arms["A"]}
        if self.comparison is not None:
            self.verdict = mirrored(self.comparison)
        for label in LABELS:
            self.record_changed.emit(label)
        self._settings_changed()
        self.runs_changed.emit()
        self.slot_changed.emit()

    def reset(self, label: ArmLabel) -> None:
        """Back to the settings that were proposed for the model, or that the window starts with."""
        self.set_config(label, self.proposed[label])

    def set_cache(self, cache: Cache) -> None:
        """Choose how the page cache is set before each run."""
        self.chosen_cache = cache
        self._settings_changed()

    def set_repeats(self, repeats: int) -> None:
        """Choose how often Compare runs each arm."""
        self.repeats = max(1, min(MAX_REPEATS, repeats))
        self._settings_changed()

    def _settings_changed(self) -> None:
        self.look_away()
        # A notice speaks of the settings as they were; what it offers must not start others.
        if self.notice is not None and not self.busy:
            self.say(None)
        self.settings_changed.emit()

    def begin(self, activity: Activity, progress: Callable[[], ProgressView]) -> None:
        """Something starts; `progress` tells how far it is whenever it is asked."""
        self.look_away()
        if activity in ARMS_LOADING:
            self.show_program(None)
        if activity in LOADING and isinstance(self.verdict, ClusterResult):
            self.verdict = None
        self.activity = activity
        self.progress = Listening(progress)
        self.notice = None
        self.activity_changed.emit()
        self.slot_changed.emit()

    def stopping(self) -> None:
        """What is under way was asked to stop."""
        self.activity = Activity.STOPPING
        self.activity_changed.emit()
        self.slot_changed.emit()

    def end(self, notice: Notice | None = None) -> None:
        """Nothing is under way any more; `notice` takes the slot."""
        self.activity = Activity.IDLE
        self.progress = None
        self.loading = self.loading_record = None
        self.notice = notice
        self.activity_changed.emit()
        self.slot_changed.emit()

    def say(self, notice: Notice | None) -> None:
        """Put a notice into the slot, or take it away, with what it speaks of."""
        if notice is None:
            self.look_away()
        self.notice = notice
        self.slot_changed.emit()

    def show_record(self, label: ArmLabel, record: RunRecord | None) -> None:
        """Let the plots show this run for an arm."""
        self._looked_at.pop(label, None)
        self._change(label, record=record)
        self.record_changed.emit(label)

    def show_moment(self, label: ArmLabel, moment: RunRecord | None) -> None:
        """Let the plots show the run as far as a replay has come; None shows it whole again."""
        if moment is None:
            self._moments.pop(label, None)
        else:
            self._moments[label] = moment
        self.record_changed.emit(label)

    def _change(self, label: ArmLabel, **changes: Any) -> None:
        self._arms[label] = replace(self._arms[label], **changes)

    @property
    def looked_at(self) -> frozenset[ArmLabel]:
        """The arms for which the plots show runs of another time."""
        return frozenset(self._looked_at)

    def look_at(self, label: ArmLabel, record: RunRecord) -> None:
        """Let the plots show a run of another time for an arm, until arms are set up or load anew,
        or the window looks away.
        """
        self._looked_at[label] = record
        self.record_changed.emit(label)

    def look_away(self) -> None:
        """Let the plots show again what was measured of the arms."""
        looked_at, self._looked_at = self._looked_at, {}
        for label in looked_at:
            self.record_changed.emit(label)

    def show_program(self, program: WatchedRun | None) -> None:
        """Show a watched program in place of A and B; None shows those again."""
        before = self.program
        if program is before:
            return
        if program is not None:
            self.look_away()
        self.program = program
        told = [run and (run.record, run.result) for run in (before, program)]
        # Where no more than its version has become known, a replay goes on.
        if told[0] != told[1]:
            for label in LABELS:
                self.record_changed.emit(label)
        self.program_changed.emit()
        self.slot_changed.emit()

    def set_results(
        self, label: ArmLabel, results: tuple[RunResult, ...], failed: Failed | None = None
    ) -> None:
        """What the arm's card shows from now on."""
        self._change(label, results=results, failure=failed)
        self.runs_changed.emit()

    def add_run(
        self,
        label: ArmLabel,
        record: RunRecord,
        recording: Recording | None,
        result: RunResult | None,
    ) -> None:
        """Put a run that is over into this window's history."""
        self.runs.append(Run(len(self.runs) + 1, label, record, recording, result))
        if self.program is None or record is not self.program.record:
            self._change(label, failure=record.failed)
        self.runs_changed.emit()

    def note_kept(self, run: Run, run_id: int) -> None:
        """The history has this run now, under that number; nothing where it is shown no more."""
        if run in self.runs:
            self.kept[run_id] = run
            run.record.source = str(run_id)
            self.run_kept.emit(run_id)

    def conclude(
        self, found: Outcome | None, reference: str = "", *, restored: bool = False
    ) -> None:
        """A measurement is over, one of another time is `restored`, or None: what was found is out
        of date. `reference` is what the history calls a search that can go on.
        """
        self.verdict, self.is_restored = found, restored
        if isinstance(found, SearchResult):
            self.races.conclude(found, reference, restored=restored)
        elif isinstance(found, ClusterResult):
            self.clusters.conclude(found)
        self.slot_changed.emit()
        self.runs_changed.emit()

    def hold(self) -> Held:
        """What is shown now, for when nothing comes of what is measured next."""
        self.look_away()
        verdict, restored, races = self.verdict, self.is_restored, self.races
        race, reference, race_restored = races.race, races.reference, races.is_restored
        arms = {label: arm for label, arm in self._arms.items() if arm.results}

        def show_again() -> None:
            self._arms |= arms
            for label in arms:
                self.record_changed.emit(label)
            if race is not None:
                races.conclude(race, reference, restored=race_restored)
            self.conclude(verdict, reference, restored=restored)

        return Held(verdict is not None, show_again)

    def note_unsaved(self, what: str, problem: str) -> None:
        """Say for as long as it is so why something isn't kept; empty where it is again."""
        if problem != self.unsaved.get(what, ""):
            self.unsaved[what] = problem
            self.slot_changed.emit()

    def log(self, text: str, level: str = "info") -> None:
        """Add a line to the log; level is `info`, `warning` or `error`."""
        self.log_lines.append((level, text))
        self.logged.emit(level, text)


def outcome_text(found: Comparison | SearchResult) -> Message:
    """The same of the latest result of a model, with its start, which nothing near it says."""
    headline = headline_of(found)
    if " start" in headline.template:
        return headline
    return joined((headline, START_WORDS[found.cache]), ", ")


def headline_of(found: Outcome) -> Message:
    """What was found, in a sentence."""
    if isinstance(found, Comparison):
        return found.verdict.sentence
    if isinstance(found, SearchResult):
        return found.recommendation.sentence
    return next(iter(found.recommendation), NOTHING)
