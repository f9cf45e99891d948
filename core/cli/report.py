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
from modelmon.core.cli.best import show_race
from modelmon.core.cli.cluster import show as show_cluster
from modelmon.core.cli.compare import show_comparison
from modelmon.core.cli.history import (
    REFERENCE,
    run_facts,
    runs_called,
    show_experiment,
)
from modelmon.core.cli.output import (
    Facts,
    Listing,
    OneLine,
    asks_for_messages,
    console,
    print_document,
    print_json,
    printed,
    tell,
)
from modelmon.core.cli.run import show_run
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.summary import kept, number_called
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.runner import RunAnalysis, analyze, elsewhere
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.evidence import least_reading_ns
from modelmon.core.explain.program_report import judge
from modelmon.core.export.document import document
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.export.report import (
    Code,
    Paragraph,
    Private,
    Report,
    Section,
    Table,
    as_markdown,
)
from modelmon.core.export.report_page import write_report
from modelmon.core.export.report_plots import plot_of_runs, plots_of_run
from modelmon.core.export.saved import is_result, read_result
from modelmon.core.find_best import latest
from modelmon.core.find_best.result import SearchResult
from modelmon.core.history.history import History
from modelmon.core.history.origin import origin_of
from modelmon.core.load.strategies import strategy_text
from modelmon.core.machine.origin import this_machine
from modelmon.core.messages import NOTHING, Message, changed, to_text, verbatim
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.programs.registry import all_advice
from modelmon.core.redaction import without_secrets
from modelmon.core.remote import place_of
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.export.report import Item, Plot
    from modelmon.core.export.saved import Saved
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

_TONES = {"bold": "strong", "bold red": "warn", "yellow": "warn", "red": "warn", "dim": "quiet"}
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
                self._add(Message("Measured on"), _origin(rows[0], history.result(rows[0].id)))
                return
            self.model_name, self.paths = experiment.model_name, [experiment.path]
            self._add(NOTHING, _shown(lambda: show_experiment(history, rows)))
            self.data = {"runs": [_plain(history.result(row.id)) for row in rows]}
            return
        for row in rows:
            self._take_row(history, row)

    def _take_row(self, history: History, row: RunRow) -> None:
        result = history.result(row.id)
        self.paths.append(row.path)
        if row.events_file is None:
            self.model_name = row.model_name
            facts = run_facts(row, result, this_machine().id)
            self._add(NOTHING, _shown(lambda: console().print(Facts(facts))))
            self.data = _plain(result)
            return
        record = history.record(row.id)
        inspection = _inspection_of(history, row)
        told = analyze(record, inspection, history=history) if inspection else None
        self._take_run(told or _unknown(record, result))
        self._add(Message("Measured on"), _origin(row, result))

    def _take_run(self, told: RunAnalysis) -> None:
        result, record = told.result, told.record
        job = record.hello.job if record.hello is not None else None
        planned = record.planned
        self.model_name = planned.model_name if planned is not None else ""
        self.paths += [job.path] if job is not None else []
        self.paths += planned.shard_paths if planned is not None else ()
        self.commands.append(result.command)
        self._add(NOTHING, _with_plots(shown(told), plots_of_run(told)))
        path = job.path if job is not None else ""
        self._add(Message("Repeat it"), [Code(_run_again(result, path))])
        self.data = _plain(result)

    def _take_result(self, found: Saved) -> None:
        self.data = _plain(found)
        if isinstance(found, ClusterResult):
            self.model_name = found.model.name if found.model is not None else found.path
            self.paths.append(found.path)
            self._add(NOTHING, shown(found))
            return
        self.model_name, runs = found.model.name, _runs_of(found)
        self.paths.append(found.path)
        self.commands += {run.command for _, run in runs}
        self._add(NOTHING, _with_plots(shown(found), [plot_of_runs(runs)]))
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


def _origin(row: RunRow, result: RunResult) -> list[Item]:
    facts = run_facts(row, result, this_machine().id)
    return [_table((), ((name, text) for name, text in facts if name in _ORIGIN))]


def shown(found: Saved | RunAnalysis) -> list[Item]:
    """What the terminal prints of a result, as parts of a report."""
    if isinstance(found, ClusterResult):
        return _shown(lambda: show_cluster(found))
    if isinstance(found, Comparison):
        return _shown(lambda: show_comparison(found))
    if isinstance(found, SearchResult):
        return _shown(lambda: show_race(found))
    return _shown(lambda: show_run(found, whole=False))


def _shown(show: Callable[[], None]) -> list[Item]:
    """What the terminal prints, as parts of a report."""
    with printed() as every:
        show()
    items: list[Item] = []
    for each, style in every:
        if isinstance(each, Facts):
            items.append(_table((), each.rows))
        elif isinstance(each, Listing):
            items.append(_table(*each.cells))
        elif isinstance(each, OneLine):
            items.append(Code(each.text))
        elif str(each).strip():
            text = each if isinstance(each, Message) else verbatim(str(each))
            items.append(Paragraph(text, _TONES.get(style, "")))
    return items


def _table(
    headings: Iterable[str], rows: Iterable[Iterable[str]], right: Iterable[bool] = ()
) -> Table:
    cells = tuple(tuple(map(verbatim, row)) for row in rows)
    return Table(tuple(map(verbatim, headings)), cells, tuple(right))


def _with_plots(shown: list[Item], plots: Iterable[Plot]) -> list[Item]:
    """The answer, then the plots, then the figures."""
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
