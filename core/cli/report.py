"""`modelmon report`: runs and results as a page, or as Markdown, to hand on."""

from __future__ import annotations

import json
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.history import REFERENCE, experiment_told, runs_called
from modelmon.core.cli.output import (
    asks_for_messages,
    print_document,
    print_json,
    tell,
)
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.summary import kept, number_called
from modelmon.core.comparison.runner import RunAnalysis, analyze, elsewhere
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.evidence import least_reading_ns
from modelmon.core.explain.program_report import judge
from modelmon.core.export.document import document
from modelmon.core.export.history_items import run_facts
from modelmon.core.export.items import Code, Table, facts
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.export.report import Private, Report, Section, as_markdown
from modelmon.core.export.report_page import write_report
from modelmon.core.export.report_plots import plot_of_runs, plots_of_run
from modelmon.core.export.result_items import result_items
from modelmon.core.export.saved import is_result, read_result
from modelmon.core.find_best import latest
from modelmon.core.find_best.result import SearchResult
from modelmon.core.history.history import History
from modelmon.core.history.origin import origin_of
from modelmon.core.load.strategies import strategy_text
from modelmon.core.messages import NOTHING, Message, changed, to_text
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.programs.registry import all_advice
from modelmon.core.redaction import without_secrets
from modelmon.core.remote import place_of
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.comparison.result import Comparison
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.export.items import Item, Plot
    from modelmon.core.export.saved import Saved
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

_ORIGIN = ("When", "Model", "Machine", "Kernel", "Disk", "modelmon")


def _out_path(text: str) -> str:
    if text != "-":
        options.report_path.convert(text, None, None)
    return text


@click.command("report")
@declared
def command(
    subjects: tuple[str, ...] = argument(
        nargs=-1, required=True, metavar="RUN|EXPERIMENT|RESULT..."
    ),
    out: str = option(
        type=options.Parsed("path", _out_path),
        default="report.html",
        help="File to write, .html or .md; - prints Markdown.",
    ),
    private: bool = option("--private", help="Keep users, hosts, folders and addresses."),
) -> None:
    """Write results as a page or as Markdown.

    The page needs no network and has all figures in it. RUN is 12 or a recording, EXPERIMENT x7 or
    c3 of the history, RESULT was saved by `compare --out`, `best --out` or `cluster --out`. Users,
    hosts, folders, addresses and secrets are taken out.
    """
    parts = [_Subject(subject) for subject in subjects]
    names = ", ".join(dict.fromkeys(part.model_name for part in parts))
    title = Message("modelmon: {names}", names=names)
    sections = tuple(section for part in parts for section in part.sections)
    report = Report(title, sections, tuple(part.data for part in parts))
    paths = (path for part in parts for path in part.paths)
    commands = (line for part in parts for line in part.commands)
    hide = without_secrets if private else Private(paths, commands)
    if asks_for_messages() and out == "-":
        # The window writes it, in its own language.
        print_json(report.changed(lambda text: changed(text, hide)))
        return
    report = report.changed(hide)
    if out == "-":
        print_document(as_markdown(report))
        return
    write_report(Path(out), report)
    note = (
        "" if private else " Users, hosts and folders are taken out; read it before you share it."
    )
    tell(f"Wrote {out}.{note}")


class _Subject:
    """One thing that is reported."""

    def __init__(self, reference: str) -> None:
        """Raises ModelmonError where there is no such thing."""
        self.model_name, self.data = "", dict[str, Any]()
        self.paths: list[str] = []
        self.commands: list[str] = []
        self.sections: list[Section] = []
        path = Path(reference)
        if path.exists():
            if is_result(path):
                self._take_result(read_result(path))
            else:
                record = read_record(path)
                self._take_run(_unknown(record, summarise(record)))
        elif (number := number_called(reference)) is not None:
            self._take_result(kept(History(), number))
        elif REFERENCE.fullmatch(reference):
            self._take_history(reference)
        else:
            raise ConfigError(
                Message("There's no run or file called {name}.", name=repr(reference)),
                Message("List runs: modelmon history."),
            )

    def _take_history(self, reference: str) -> None:
        history = History()
        rows = runs_called(history, reference)
        experiment = history.experiment(rows[0].experiment_id)
        if reference.startswith("x") and experiment.kind != "single":
            try:
                inspection = inspect_reached(place_of(experiment.path))
                found = latest.outcome_called(history, experiment.id, inspection).found
            except ModelmonError:
                found = None  # its model isn't here as it was: what was said then stands
            if found is not None:
                self._take_result(found)
                self._add(Message("Measured on"), _origin(history, rows[0]))
                return
            self.model_name, self.paths = experiment.model_name, [experiment.path]
            self._add(NOTHING, experiment_told(history, rows))
            self.data = {"runs": [_plain(history.result(row.id)) for row in rows]}
            return
        for row in rows:
            self._take_row(history, row)

    def _take_row(self, history: History, row: RunRow) -> None:
        result = history.result(row.id)
        self.paths.append(row.path)
        if row.events_file is None:
            self.model_name = row.model_name
            self._add(NOTHING, [facts(run_facts(history, row, result))])
            self.data = _plain(result)
            return
        record = history.record(row.id)
        inspection = _inspection_of(history, row)
        told = analyze(record, inspection, history=history) if inspection else None
        self._take_run(told or _unknown(record, result))
        self._add(Message("Measured on"), _origin(history, row))

    def _take_run(self, told: RunAnalysis) -> None:
        result, record = told.result, told.record
        job = record.hello.job if record.hello is not None else None
        planned = record.planned
        self.model_name = planned.model_name if planned is not None else ""
        self.paths += [job.path] if job is not None else []
        self.paths += planned.shard_paths if planned is not None else ()
        self.commands.append(result.command)
        self._add(NOTHING, _with_plots(result_items(told), plots_of_run(told)))
        path = job.path if job is not None else ""
        self._add(Message("Repeat it"), [Code(_run_again(result, path))])
        self.data = _plain(result)

    def _take_result(self, found: Saved) -> None:
        self.data = _plain(found)
        if isinstance(found, ClusterResult):
            self.model_name = found.model.name if found.model is not None else found.path
            self.paths.append(found.path)
            self._add(NOTHING, result_items(found))
            return
        self.model_name, runs = found.model.name, _runs_of(found)
        self.paths.append(found.path)
        self.commands += {run.command for _, run in runs}
        self._add(NOTHING, _with_plots(result_items(found), [plot_of_runs(runs)]))
        self._add(Message("Repeat it"), [Code(_again(found))])
        with suppress(ModelmonError):
            outcome = outcome_of(found, None)
            text = document(outcome, all_advice(outcome), "text")
            folded = Message("Settings for programs"), (Code(text),), Message("Show")
            self.sections.append(Section(*folded))

    def _add(self, title: Message, items: Iterable[Item]) -> None:
        self.sections.append(Section(title, tuple(items)))


def _inspection_of(history: History, row: RunRow) -> Inspection | None:
    """Its model where it is as it was, on this machine."""
    if row.is_imported:
        return None
    with suppress(ModelmonError):
        inspection = inspect_reached(place_of(row.path))
        if not elsewhere(history.experiment(row.experiment_id), origin_of(inspection)):
            return inspection
    return None


def _unknown(record: RunRecord, result: RunResult) -> RunAnalysis:
    """What a run tells where nothing is known of its storage's limits."""
    limits = UNKNOWN_LIMITS
    wait = judge(result, limits) if result.is_program else None
    least_ns = least_reading_ns(result, limits)
    return RunAnalysis(result, record, bottleneck_of(result, limits), least_ns, wait)


def _origin(history: History, row: RunRow) -> list[Item]:
    found = run_facts(history, row, history.result(row.id))
    return [facts((name, text) for name, text in found if name in _ORIGIN)]


def _with_plots(items: Iterable[Item], plots: Iterable[Plot]) -> list[Item]:
    """The answer, then the plots, then the figures."""
    shown = [*items]
    at = next((at for at, each in enumerate(shown) if isinstance(each, Table)), len(shown))
    return [*shown[:at], *plots, *shown[at:]]


def _plain(value: object) -> Any:
    """As JSON has it, in English."""
    return json.loads(msgspec.json.encode(value, enc_hook=to_text))


def _runs_of(found: Comparison | SearchResult) -> list[tuple[str, RunResult]]:
    """Each run with the name that it has in a plot."""
    if isinstance(found, SearchResult):
        return [(run.label, run.result) for run in found.runs]
    return [
        (f"{label}: {strategy_text(run.strategy, run.config)}", run)
        for label, runs in (("A", found.runs_a), ("B", found.runs_b))
        for run in runs
    ]


def _run_again(result: RunResult, path: str) -> str:
    start = ["--cache", result.cache_asked]
    if result.is_program:
        ready = ["--ready", result.ready] if result.ready else []
        return f"{shlex.join(['modelmon', 'watch', path, *start, *ready, '--'])} {result.command}"
    return shlex.join(["modelmon", "run", path, "--strategy", result.strategy, *start])


def _again(found: Comparison | SearchResult) -> str:
    if isinstance(found, SearchResult):
        program = found.recommendation.label.partition(" ")[0] if found.command else ""
        more = ["--program", program] if program else []
        return shlex.join(["modelmon", "best", found.path, "--objective", found.objective, *more])
    words = ["modelmon", "compare", found.path, "--cache", found.cache]
    for name, label in (("a", "A"), ("b", "B")):
        line = found.command("A" if label == "A" else "B")
        arm = found.arm_a if label == "A" else found.arm_b
        words += [f"--{name}-command", line] if line else [f"--{name}", arm.strategy]
    return shlex.join(words)
