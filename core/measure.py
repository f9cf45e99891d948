"""`run`, `compare` and `best` from Python: what the terminal's commands of those names measure.

Every load is a process of its own, from a start that is made and checked; this one waits. A model
may be on a server, as `ssh://host/path`: then its loads run there. Runs are kept in the history,
unless `history` is False; where that can't be written, a warning says why. Where another program
uses the model, BusyError is raised unless `allow_busy`. What they return has typed results, and
tables for notebooks and pandas.
"""

from __future__ import annotations

import os
import re
import sys
import time
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.decision import DEFAULT_PAIRS, MOST_PAIRS
from modelmon.core.comparison.estimate import start_of
from modelmon.core.comparison.runner import (
    RunAnalysis,
    RunView,
    analyze,
    begin,
    earlier_runs,
    keep,
    run_experiment,
)
from modelmon.core.doctor.inspection import inspect_at, known_limits
from modelmon.core.errors import BusyError, ConfigError
from modelmon.core.explain.expected import second_strategy
from modelmon.core.export.atomic import write_text_atomic
from modelmon.core.export.items import facts
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.export.report_page import html_of
from modelmon.core.export.result_items import comparison_items, search_items
from modelmon.core.export.run_items import run_items
from modelmon.core.find_best.plan import DEFAULT_BUDGET_NS, plan_search
from modelmon.core.find_best.result import Objective
from modelmon.core.find_best.session import search_session
from modelmon.core.history.events import EventLines
from modelmon.core.history.history import History
from modelmon.core.history.rows import Entrant
from modelmon.core.limited_numbers import MOST
from modelmon.core.load.config import NO_LIBRARY, LoadConfig, is_strategy_name
from modelmon.core.load.config_file import read_config
from modelmon.core.load.planner import LEAST_PORTION_BYTES, wanted_by_tensor
from modelmon.core.load.rules import check_possible
from modelmon.core.load.strategies import strategy, strategy_name
from modelmon.core.load.subset import chosen_subset
from modelmon.core.machine.file_users import users_among
from modelmon.core.messages import NOTHING, Message
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.remote import SCHEME, connection, is_remote, place_of
from modelmon.core.units import duration_text, percent_text, rate_text
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import run_job
from modelmon.core.worker.environment_check import busy_error
from modelmon.core.worker.events import Cache, RunConditions
from modelmon.core.worker.result import RunFigures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from modelmon.core.comparison.result import Comparison
    from modelmon.core.comparison.runner import ExperimentRun, Result, SomeSession
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.explain.evidence import Bottleneck
    from modelmon.core.export.items import Printed
    from modelmon.core.find_best.result import SearchResult
    from modelmon.core.load.subset import Patterns
    from modelmon.core.worker.events import PhaseName
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult


class Report:
    """What was measured: in words, as a table, and run by run."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What came out; the first is the answer."""
        raise NotImplementedError

    @property
    def runs(self) -> tuple[tuple[str, RunResult], ...]:
        """Every run in order, each with the label of its strategy; also those that don't count."""
        raise NotImplementedError

    @property
    def _items(self) -> Iterable[Printed]:
        """What a notebook shows, as the terminal does."""
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """The figures of every run, by name; units are in the names, None is not known."""
        names = RunFigures.__struct_fields__
        return [
            {"label": label, "bytes_per_s": run.bytes_per_s}
            | {name: getattr(run, name) for name in names}
            for label, run in self.runs
        ]

    def to_pandas(self) -> Any:
        """`rows` as a DataFrame. Raises ModuleNotFoundError where pandas is not installed."""
        try:
            import pandas  # noqa: PLC0415  optional
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "to_pandas needs pandas: pip install pandas", name=error.name
            ) from error
        return pandas.DataFrame(self.rows())

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentences[0]}>"

    def _repr_html_(self) -> str:
        return "".join(line for item in self._items for line in html_of(item))


@dataclass(frozen=True, repr=False)
class RunReport(Report):
    """One load, what held it back, and all that was seen of it.

    `run_id` is its number in the history, None where it is not kept.
    """

    result: RunResult
    bottleneck: Bottleneck
    record: RunRecord
    run_id: int | None

    @property
    def sentences(self) -> tuple[str, ...]:
        """How long it took, what held it back, and why it does not count, if so."""
        run = self.result
        share = run.part_share
        part = "" if share is None else f" for {percent_text(share)} of the model"
        took = f"{duration_text(run.wall_ns)}{part} at {rate_text(run.bytes_per_s)}"
        said = (f"{run.strategy}: {took}.", self.bottleneck.sentence, run.why_not)
        return tuple(filter(None, said))

    @property
    def runs(self) -> tuple[tuple[str, RunResult], ...]:
        """The one run."""
        return ((self.result.strategy, self.result),)

    @property
    def _items(self) -> Iterable[Printed]:
        return run_items(RunAnalysis(self.result, self.record, self.bottleneck, None, None))


class _Exportable(Report):
    """What recommends a strategy."""

    result: Comparison | SearchResult

    def export(self, path: str | Path) -> None:
        """Write what is recommended, or what to use for now where nothing is, as `modelmon.toml`,
        for `load_model` and the command line.

        Raises ConfigError where no such file can hold it, and WriteError.
        """
        write_text_atomic(Path(path), modelmon_toml(outcome_of(self.result)))


@dataclass(frozen=True, repr=False)
class ComparisonReport(_Exportable):
    """A comparison: its verdict, both sides and every run."""

    result: Comparison

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict, why, and what else has to be known."""
        verdict = self.result.verdict
        return tuple(filter(None, (verdict.sentence, verdict.reason, verdict.caveat)))

    @property
    def runs(self) -> tuple[tuple[str, RunResult], ...]:
        """Every run, in the order of time."""
        both = [("A", run) for run in self.result.runs_a] + [("B", r) for r in self.result.runs_b]
        return tuple(sorted(both, key=lambda pair: pair[1].started_unix_s))

    @property
    def _items(self) -> Iterable[Printed]:
        return comparison_items(self.result)


@dataclass(frozen=True, repr=False)
class RaceReport(_Exportable):
    """A test of every strategy: what is recommended, how each did, and every run."""

    result: SearchResult

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is recommended, and why."""
        found = self.result.recommendation
        return (found.sentence, *found.reasons)

    @property
    def runs(self) -> tuple[tuple[str, RunResult], ...]:
        """Every run, in the order of time."""
        return tuple((run.label, run.result) for run in self.result.runs)

    @property
    def _items(self) -> Iterable[Printed]:
        yield from search_items(self.result)
        if self.result.excluded and not self.result.recommendation.to_set:
            yield facts((each.strategy, each.why) for each in self.result.excluded)


_GO_AHEAD = Message("Close it, or go ahead with allow_busy=True.")


class Doing(NamedTuple):
    """What a measurement is doing.

    `label` is the strategy's label and `place` where its run stands ("pair 1 of 2"); both are empty
    of a single run. `phase` is prepare, cache, warmup, load or verify, of which `done_bytes` of
    `total_bytes` are done.
    """

    label: str
    place: str
    phase: PhaseName
    done_bytes: int
    total_bytes: int


def run(  # noqa: PLR0913  each by its name
    path: str | Path,
    config: LoadConfig | str | Path = "mmap",
    *,
    cache: Cache | None = None,
    tensors: Patterns = (),
    blocks: Patterns = (),
    rank: tuple[int, int] = (0, 1),
    history: bool = True,
    allow_busy: bool = False,
    progress: Callable[[Doing], None] | None = None,
) -> RunReport:
    """Load a model once, watched, and tell where the time goes.

    `config` is a LoadConfig, a strategy's name, libraries among them, or an exported file; `cache`
    is cold, warm or as-is, and cold where files can be. `progress` is called about 20 times a
    second; what it raises ends the load and comes out. Raises ModelmonError.
    """
    _check_choice("cache", cache, get_args(Cache))
    name, chosen = _chosen(config)
    check_possible(chosen)
    subset = chosen_subset(tensors, blocks, rank)
    inspection = _inspected(path)
    if not (isinstance(config, LoadConfig) or is_strategy_name(config)):
        _warn_of(read_config(config).of_another_model(config, inspection.model))
    start = start_of(cache, inspection.storage)
    if not allow_busy:
        _check_free(inspection, start)
    # Before a process is started for it: what isn't in the model can't be loaded.
    wanted_by_tensor(inspection.model, subset)
    job = ev.Job(
        path=inspection.model.path,
        config=chosen,
        strategy=name,
        cache=start,
        subset=subset,
        allow_busy=allow_busy,
    )
    lines = EventLines()
    record = run_job(job, _Following(progress).follow, lines, server=inspection.server)
    with _told_if_busy():
        earlier = earlier_runs(inspection) if history else ()
        told = analyze(record, inspection, earlier)
    run_id, problem = None, NOTHING
    if history:
        run_id, problem = keep(inspection, job, told.result, lines)
    _warn_of(problem)
    return RunReport(told.result, told.bottleneck, told.record, run_id)


def compare(  # noqa: PLR0913  each by its name
    path: str | Path,
    a: LoadConfig | str | Path = "mmap",
    b: LoadConfig | str | Path | None = None,
    *,
    cache: Cache | None = None,
    repeats: int = DEFAULT_PAIRS,
    fixed: bool = False,
    portion_bytes: int | None = None,
    seed: int = 0,
    history: bool = True,
    allow_busy: bool = False,
    progress: Callable[[Doing], None] | None = None,
) -> ComparisonReport:
    """Load a model in two ways by turns, and say which is faster, by how much, and why.

    Without `b` it's a guess for this storage. There are at most `repeats` pairs of runs, and fewer
    where they decide it, unless `fixed`. With `portion_bytes` a part stands for the model. The
    other parameters are those of `run`. Raises ModelmonError.
    """
    _check_choice("cache", cache, get_args(Cache))
    _check_whole("repeats", repeats, most=MOST_PAIRS)
    _check_whole("seed", seed, least=-MOST)
    if portion_bytes is not None:
        _check_whole("portion_bytes", portion_bytes, LEAST_PORTION_BYTES)
    arm_a, given_b = Entrant("A", *_chosen(a)), None if b is None else _chosen(b)
    inspection = _inspected(path)
    start = start_of(cache, inspection.storage)
    arm_b = Entrant("B", *(given_b or _chosen(second_strategy(inspection, arm_a.strategy, start))))
    if not allow_busy:
        _check_free(inspection, start)
    conditions = Conditions(
        path=inspection.model.path,
        cache=start,
        max_pairs=repeats,
        early_stop=not fixed,
        seed=seed,
        portion_bytes=portion_bytes,
        allow_busy=allow_busy,
    )
    session = CompareSession(arm_a, arm_b, conditions, known_limits(inspection))
    experiment = begin(History() if history else None, session, inspection)
    return ComparisonReport(_made(experiment, progress, lambda: session.comparison(inspection)))


def best(  # noqa: PLR0913  each by its name
    path: str | Path,
    *,
    objective: Objective | None = None,
    budget_s: float = DEFAULT_BUDGET_NS / 1e9,
    include: Patterns = (),
    deliver: str | None = None,
    portion_bytes: int | None = None,
    seed: int | None = None,
    history: bool = True,
    allow_busy: bool = False,
    progress: Callable[[Doing], None] | None = None,
) -> RaceReport:
    """Test every strategy that works here for at most `budget_s`, and recommend one.

    `objective` is cold, warm or memory: the fastest cold start, unless files lie in memory.
    `include` names strategies and libraries that are tested too, or is "libraries"; of one that
    can't be, a warning says why. The other parameters are those of `run` and `compare`. Raises
    ModelmonError.
    """
    begun_ns = time.monotonic_ns()
    _check_choice("objective", objective, get_args(Objective))
    if portion_bytes is not None:
        _check_whole("portion_bytes", portion_bytes, LEAST_PORTION_BYTES)
    if seed is not None:
        _check_whole("seed", seed, least=-MOST)
    if not (isinstance(budget_s, (int, float)) and 0 < budget_s * 1e9 <= MOST):
        raise ConfigError(
            Message("{name} can't be {value}.", name="budget_s", value=repr(budget_s)),
            Message("Choose a number of seconds above 0."),
        )
    inspection = _inspected(path)
    start = start_of(objective if objective != "memory" else None, inspection.storage)
    if not allow_busy:
        _check_free(inspection, start)
    include = (include,) if isinstance(include, str) else tuple(include or ())
    kept = History() if history else None
    plan = plan_search(
        inspection,
        objective or ("warm" if start == "warm" else "cold"),
        budget_ns=round(budget_s * 1e9),
        deliver=deliver,
        include=include,
        portion_bytes=portion_bytes,
        seed=int(time.time()) if seed is None else seed,
        shared=RunConditions(allow_busy=allow_busy),
    )
    for left_out in plan.excluded:
        if left_out.strategy in include:
            warnings.warn(f"Not tested: {left_out.strategy}. {left_out.why}", stacklevel=2)
    session = search_session(inspection, plan.arms, plan.conditions, plan.excluded)
    experiment = begin(kept, session, inspection)
    session.spend(time.monotonic_ns() - begun_ns)
    return RaceReport(_made(experiment, progress, lambda: session.race(inspection)))


def _inspected(path: str | Path) -> Inspection:
    """The model and what it lies on, on its server if it has one; ssh asks where it can."""
    # A Path merges the slashes of an address.
    text = os.fsdecode(path)
    place = place_of(text if is_remote(text) else re.sub("^ssh:/", SCHEME, text))
    connection.reach(place.server)
    return inspect_at(place)


class _Following(RunView):
    """Reports to a caller's `progress` what a run does."""

    def __init__(self, progress: Callable[[Doing], None] | None) -> None:
        self._progress = progress
        self._label = self._place = ""

    def begin(self, label: str, place: str) -> None:
        """A run of this arm starts."""
        self._label, self._place = label, str(place)

    def follow(self, event: ev.AnyEvent, record: RunRecord) -> None:
        """It has told something."""
        if self._progress is None:
            return
        if isinstance(event, ev.Progress):
            done = event.phase, event.done_bytes, event.total_bytes
        elif isinstance(event, (ev.Started, ev.Sample)):
            planned = record.planned.planned_bytes if record.planned else 0
            done = "warmup" if record.is_warming else "load", record.delivered_bytes, planned
        else:
            return
        self._progress(Doing(self._label, self._place, *done))


def _made(
    experiment: ExperimentRun[SomeSession],
    progress: Callable[[Doing], None] | None,
    judge: Callable[[], Result],
) -> Result:
    with _told_if_busy():
        result = run_experiment(experiment, _Following(progress), judge)
    _warn_of(experiment.recorder.problem, callers=4)
    return result


def _check_choice(name: str, value: str | None, choices: Sequence[str]) -> None:
    if value is None or value in choices:
        return
    raise ConfigError(
        Message("{name} can't be {value}.", name=name, value=repr(value)),
        Message("Choose one of: {choices}.", choices=", ".join(choices)),
    )


def _check_whole(name: str, value: object, least: int = 1, most: int = MOST) -> None:
    """Raise ConfigError unless something is a whole number of this range."""
    if type(value) is int and least <= value <= most:
        return
    raise ConfigError(
        Message("{name} can't be {value}.", name=name, value=repr(value)),
        Message(
            "Choose a whole number from {least} to {most}.", least=f"{least:,}", most=f"{most:,}"
        ),
    )


def _warn_of(problem: Message, callers: int = 3) -> None:
    """Say why the history has not all of what was measured."""
    if problem:
        warnings.warn(problem, stacklevel=callers)


def _check_free(inspection: Inspection, start: Cache) -> None:
    """Raise BusyError where somebody uses the model, or this process keeps it from being cold."""
    model = inspection.model
    name = Path(model.path).name
    if inspection.users:
        raise BusyError(busy_error(inspection.users, name).message, _GO_AHEAD)
    if start == "cold" and not inspection.server and _is_mapped_here(model.files):
        raise BusyError(
            Message("{name} is mapped by this process, which keeps it cached.", name=name),
            Message("Drop the tensors that were loaded from it, or measure warm starts."),
        )


def _is_mapped_here(files: Sequence[Path]) -> bool:
    """Whether this process maps one of them, where that can be told."""
    if sys.platform != "linux":
        return False
    return any(user.how == "mapped" for user in users_among([os.getpid()], files))


@contextmanager
def _told_if_busy() -> Iterator[None]:
    """Whoever came only then is told as those that were there before."""
    try:
        yield
    except BusyError as error:
        raise BusyError(error.message, _GO_AHEAD) from error


def _chosen(config: LoadConfig | str | Path) -> tuple[str, LoadConfig]:
    """Name and settings."""
    if isinstance(config, LoadConfig):
        if config.library != NO_LIBRARY:
            strategy(config.library)
        return strategy_name(config), config
    if is_strategy_name(config):
        return config, strategy(config).config
    exported = read_config(config)
    return exported.strategy, exported.config
