"""`modelmon report`: runs and results as a page, or as Markdown, to hand on."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.history import reference_of, runs_called, stored_verdict
from modelmon.core.cli.output import (
    asks_for_messages,
    print_document,
    print_json,
    tell,
)
from modelmon.core.cli.servers import inspect_reached
from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.summary import kept
from modelmon.core.comparison.runner import analysis_of, analyze, elsewhere
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.export.document import document
from modelmon.core.export.history_items import experiment_items, run_facts
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
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.load.strategies import set_options, strategy_text
from modelmon.core.messages import NOTHING, Message, changed, to_text
from modelmon.core.programs.registry import all_advice
from modelmon.core.redaction import without_secrets
from modelmon.core.remote import place_of
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import UNSAID, summarise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.comparison.result import Comparison
    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.export.items import Item, Plot
    from modelmon.core.export.saved import Saved
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.events import Job
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
        nargs=-1, required=True, type=options.words, metavar="RUN|EXPERIMENT|RESULT..."
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
    parts = [part for subject in subjects for part in _parts(subject)]
    names = ", ".join(dict.fromkeys(part.model_name for part in parts))
    report = Report(
        Message("modelmon: {names}", names=names),
        tuple(section for part in parts for section in part.sections),
        tuple(part.data for part in parts),
    )
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


class _Part(NamedTuple):
    """What is reported of one result or run: its model, what is said, and all of it as JSON has it;
    `paths` and `commands` may have something private in them.
    """

    model_name: str
    sections: list[Section]
    data: Any
    paths: Sequence[str]
    commands: Iterable[str] = ()


def _parts(reference: str) -> Iterator[_Part]:
    """What a name stands for. Raises ModelmonError where there is no such thing."""
    path = Path(reference)
    if is_result(path):
        yield _of_result(read_result(path))
    elif os.path.exists(path):  # noqa: PTH110  Path.exists raises where one may not look
        record = read_record(path)
        yield _of_run(analysis_of(record, summarise(record)))
    elif (named := reference_of(reference)) is None:
        raise ConfigError(
            Message("There's no run or file called {name}.", name=repr(reference)),
            Message("List runs: modelmon history."),
        )
    elif named.kind == "c":
        yield _of_result(kept(History(), named.number))
    else:
        yield from _of_history(History(), reference)


def _of_history(history: History, reference: str) -> Iterator[_Part]:
    rows = runs_called(history, reference)
    experiment = history.experiment(rows[0].experiment_id)
    if not reference.startswith("x") or experiment.kind == "single":
        for row in rows:
            yield _of_row(history, row)
        return
    with suppress(ModelmonError):  # its model isn't here as it was: what was said then stands
        inspection = inspect_reached(place_of(experiment.path))
        if found := latest.outcome_called(history, experiment.id, inspection).found:
            yield _with_origin(_of_result(found), history, rows[0])
            return
    data = {"runs": [_plain(history.result(row.id)) for row in rows]}
    said = experiment_items(history, rows, stored_verdict(history, rows[0]))
    yield _Part(experiment.model_name, [_section(NOTHING, said)], data, [experiment.path])


def _of_row(history: History, row: RunRow) -> _Part:
    result = history.result(row.id)
    if row.events_file is None:
        said = _section(NOTHING, [facts(run_facts(history, row, result))])
        return _Part(row.model_name, [said], _plain(result), [row.path])
    record = history.record(row.id)
    inspection = _inspection_of(history, row)
    told = analyze(record, inspection, history=history) if inspection else None
    return _with_origin(_of_run(told or analysis_of(record, result), row.path), history, row)


def _of_run(told: RunAnalysis, path: str = "") -> _Part:
    """A run of the model at `path`, or where its recording says; there no server is named."""
    result, record = told.result, told.record
    sections = [_section(NOTHING, _with_plots(result_items(told), plots_of_run(told)))]
    if record.hello is not None:
        path = path or record.hello.job.path
        again = _run_again(record.hello.job, path)
        sections.append(_section(Message("Repeat it"), [Code(again)]))
    planned = record.planned
    name, paths = (planned.model_name, planned.shard_paths) if planned is not None else ("", ())
    return _Part(name, sections, _plain(result), [path, *paths], _commands([result]))


def _of_result(found: Saved) -> _Part:
    if isinstance(found, ClusterResult):
        name = found.model.name if found.model is not None else found.path
        return _Part(name, [_section(NOTHING, result_items(found))], _plain(found), [found.path])
    runs = _runs_of(found)
    sections = [
        _section(NOTHING, _with_plots(result_items(found), [plot_of_runs(runs)])),
        _section(Message("Repeat it"), [Code(_again(found))]),
    ]
    with suppress(ModelmonError):
        outcome = outcome_of(found, None)
        text = document(outcome, all_advice(outcome), "text")
        folded = Message("Settings for programs"), (Code(text),), Message("Show")
        sections.append(Section(*folded))
    commands = _commands(run for _, run in runs)
    return _Part(found.model.name, sections, _plain(found), [found.path], commands)


def _commands(runs: Iterable[RunResult]) -> set[str]:
    return {command for run in runs for command in (run.command, run.prepared_with)}


def _section(title: Message, items: Iterable[Item]) -> Section:
    return Section(title, tuple(items))


def _with_origin(part: _Part, history: History, row: RunRow) -> _Part:
    """The part, and where and when it was measured."""
    found = run_facts(history, row, history.result(row.id))
    origin = facts((name, text) for name, text in found if name in _ORIGIN)
    sections = [*part.sections, _section(Message("Measured on"), [origin])]
    return part._replace(sections=sections, paths=[*part.paths, row.path])


def _inspection_of(history: History, row: RunRow) -> Inspection | None:
    """Its model where it is as it was, on this machine."""
    if row.is_imported:
        return None
    with suppress(ModelmonError):
        inspection = inspect_reached(place_of(row.path))
        if not elsewhere(history.experiment(row.experiment_id), origin_of(inspection)):
            return inspection
    return None


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


def _run_again(job: Job, path: str) -> str:
    """The command that makes such a run."""
    start = ["--cache", job.cache]
    if job.program is not None:
        watch = ["modelmon", "watch", path, *start, *_each("--ready", job.program.ready), "--"]
        return f"{shlex.join(watch)} {job.program.command}"
    name, settings = set_options(job.strategy, job.config)
    words = ["modelmon", "run", path, "--strategy", name, *start, *_each("--set", *settings)]
    part = job.subset
    words += [*_each("--tensors", *part.tensors), *_each("--blocks", *part.blocks)]
    words += _each("--rank", f"{part.rank}/{part.ranks}" if part.ranks > 1 else "")
    words += _each("--portion", job.portion_bytes) + _each("--prepare", job.prepared_with)
    words += ["--verify"] * job.verify + ["--no-memory-prep"] * (not job.condition_memory)
    return shlex.join(words)


def _each(option: str, *values: object) -> list[str]:
    """The option with each value that there is."""
    return [word for value in values if value for word in (option, str(value))]


def _again(found: Comparison | SearchResult) -> str:
    """The command that measures such a result."""
    prepare = _each("--prepare", *(run.prepared_with for _, run in _runs_of(found)[:1]))
    part = _each("--portion", found.portion_bytes) + prepare
    if isinstance(found, SearchResult):
        words = ["modelmon", "best", found.path, "--objective", found.objective, *part]
        best = found.recommendation
        if found.command:
            return shlex.join([*words, "--program", best.label.partition(" ")[0]])
        libraries = {each.config.library for each in found.standings} - {NO_LIBRARY}
        include = _each("--include", *sorted(libraries))
        return shlex.join([*words, "--deliver", best.config.deliver, *include])
    words = ["modelmon", "compare", found.path, "--cache", found.cache, *part]
    for name, arm in (("a", found.arm_a), ("b", found.arm_b)):
        strategy, settings = set_options(arm.strategy, arm.config)
        line = found.command(arm.label)
        words += [f"--{name}-command", line] if line else [f"--{name}", strategy]
        words += [] if line else _each(f"--set-{name}", *settings)
    for run in [run for run in (*found.runs_a, *found.runs_b) if run.is_program][:1]:
        words += ["--timed", run.timed, *_each("--ready", run.ready if run.ready != UNSAID else "")]
    return shlex.join(words)
