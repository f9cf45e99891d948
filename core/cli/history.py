"""`modelmon history`: lists, shows, compares and deletes kept runs."""

from __future__ import annotations

import re
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

import click
from msgspec.structs import asdict

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.output import answer, print_document, print_items, print_json, tell
from modelmon.core.cluster.summary import kept
from modelmon.core.comparison.changes import changes
from modelmon.core.comparison.posterior import usual_ratio
from modelmon.core.export.atomic import write_bytes_atomic, write_text_atomic
from modelmon.core.export.csv_tables import runs_csv
from modelmon.core.export.history_items import (
    change_items,
    experiment_items,
    group_items,
    judged,
    model_text,
    run_facts,
    start_text,
    time_columns,
    verdict_of,
    when_text,
    where_text,
)
from modelmon.core.export.items import Column, facts, known, line, note, table
from modelmon.core.export.result_items import result_items
from modelmon.core.history.file import HistoryError
from modelmon.core.history.groups import side_by_side, without_follow_ups
from modelmon.core.history.history import History, no_such_run
from modelmon.core.history.recorder import import_recording
from modelmon.core.history.rows import RunFilter, Sort
from modelmon.core.machine.origin import this_machine
from modelmon.core.messages import Message
from modelmon.core.units import (
    counted,
    duration_text,
    rate_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.comparison.result import Verdict
    from modelmon.core.export.items import Printed
    from modelmon.core.find_best.result import Recommendation
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.result import RunResult

_AGO = re.compile(r"(\d{1,18})\s*([hdwmy])")
_SECONDS = {"h": 3600, "d": 86400, "w": 7 * 86400, "m": 30 * 86400, "y": 365 * 86400}
_REFERENCE = re.compile(r"(x)(\d{1,18})([A-Za-z][A-Za-z0-9 .,;:+=_-]*|)|(c?)(\d{1,18})")


class Reference(NamedTuple):
    """`12` is a run, `x7` an experiment, `x7A` its `arm` A, and `c3` a measurement on a cluster."""

    kind: str
    number: int
    arm: str


def reference_of(text: str) -> Reference | None:
    """What a text refers to; None where it is no reference."""
    match = _REFERENCE.fullmatch(text)
    if match is None:
        return None
    return Reference(match[1] or match[4], int(match[2] or match[5]), match[3] or "")


def _unix_s(text: str) -> float:
    """A time as seconds since 1970, written as 30d, 12h, 2w, 6m, 1y ago or as 2026-11-21."""
    ago = _AGO.fullmatch(text.strip())
    if ago is not None:
        return max(0.0, time.time() - int(ago[1]) * _SECONDS[ago[2]])
    try:
        return max(0.0, datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"{text!r} isn't a time. Write for example 30d, 12h, or 2026-11-21."
        ) from error


since_type = options.Parsed("since", _unix_s)
_only_here = option(
    "--here/--all",
    default=None,
    help="Only runs on this machine, or on other machines too.",
)
_references = argument(nargs=-1, required=True, metavar="ID...")


def runs_called(history: History, text: str) -> list[RunRow]:
    """The runs that `12`, `x7` or `x7A` names, in the order of their experiment.

    Raises HistoryError where there are none.
    """
    reference = reference_of(text)
    if reference is None or reference.kind == "c":
        raise HistoryError(
            Message("There's no run {reference}.", reference=repr(text)),
            Message("Write for example 12, x7 for an experiment, or x7A for its A."),
        )
    if not reference.kind:
        rows = history.runs(RunFilter(ids=(reference.number,)))
        if not rows:
            raise no_such_run(reference.number)
        return rows
    experiment = history.experiment(reference.number)
    rows = history.runs(RunFilter(experiment_id=experiment.id, label=reference.arm or None))
    if not rows:
        raise HistoryError(
            Message("Experiment x{id} has no {match}.", id=experiment.id, match=reference.arm)
        )
    return sorted(rows, key=lambda row: row.id)


def clusters_called(texts: Iterable[str]) -> list[int]:
    """The numbers of the measurements on clusters among these references."""
    found = map(reference_of, texts)
    return list(dict.fromkeys(each.number for each in found if each and each.kind == "c"))


def ids_called(history: History, references: tuple[str, ...]) -> list[int]:
    """The numbers of all runs that are named, each once."""
    rows = (row for reference in references for row in runs_called(history, reference))
    return list(dict.fromkeys(row.id for row in rows))


_STANDARD_OUTPUT = "-"
_MOST_ROWS = 50
_MOST_LIMIT = 10**9


@click.group("history", invoke_without_command=True)
@declared
def command(
    model: str | None = option(help="Only models with this text in their name."),
    strategy: str | None = option(help="Only strategies with this text in their name."),
    since: float | None = option(
        type=since_type, help="Only runs since this time: 30d, 12h, 2026-11-21."
    ),
    cache: str | None = option(
        type=click.Choice(("cold", "warm", "mixed", "unknown")), help="Start state."
    ),
    starred: bool = option(help="Only starred runs."),
    only_here: bool | None = _only_here,
    sort: Sort = option(
        type=click.Choice(get_args(Sort)),
        default="when",
        metavar="COLUMN",
        help="Sort by when, time, rate, model, strategy, memory, wait or name.",
    ),
    limit: int | None = option(
        type=click.IntRange(min=1, max=_MOST_LIMIT),
        help=f"Most rows.  [default: {_MOST_ROWS}; files: all]",
    ),
    csv_path: str | None = option(
        "--csv", type=click.Path(), help="Write the runs as CSV; - is standard output."
    ),
    as_json: bool = options.as_json,
) -> None:
    """List and compare saved runs.

    Runs from another machine are marked. An ID is a run's number; x7 is an experiment with all its
    runs, x7A only its A; c3 is a measurement on a cluster, which `clusters` lists.
    """
    if click.get_current_context().invoked_subcommand is not None:
        return
    if as_json and csv_path == _STANDARD_OUTPUT:
        raise click.UsageError("Standard output is for one of them: --json, or --csv -.")
    machine_id = this_machine().id
    everything = as_json or csv_path is not None
    wanted = RunFilter(
        model=model,
        strategy=strategy,
        cache=cache,
        since_unix_s=since,
        machine_id=machine_id if only_here else None,
        starred=True if starred else None,
        sort=sort,
        limit=limit or (-1 if everything else _MOST_ROWS),
    )
    rows = History().runs(wanted)
    if csv_path == _STANDARD_OUTPUT:
        print_document(runs_csv(rows))
    elif csv_path is not None:
        write_text_atomic(Path(csv_path), runs_csv(rows))
        tell(f"Wrote {len(rows)} runs to {csv_path}.")
    if as_json or csv_path is None:
        found = {"machine_id": machine_id, "runs": rows}
        answer(found, [_listed(rows, machine_id)], as_json=as_json)


def _listed(rows: Sequence[RunRow], machine_id: str) -> Printed:
    if not rows:
        return line("No runs found. modelmon run, compare, and best save theirs here.")
    return table(
        rows,
        Column("ID", lambda row: str(row.id), "right lead"),
        Column("", lambda row: "★" if row.starred else "", "lead"),
        Column("When", lambda row: when_text(row.started_unix_s)),
        Column("Model", model_text),
        Column(Message("Strategy"), lambda row: row.strategy_text, "lead"),
        Column(Message("Start"), start_text),
        *time_columns(lambda row: row.wall_ns),
        Column("Rate", lambda row: rate_text(row.bytes_per_s), "right lead"),
        Column("Experiment", lambda row: row.experiment),
        Column("Where", lambda row: where_text(row, machine_id)),
        Column("Name", lambda row: row.name),
        tone=lambda row: "warn" if row.machine_id != machine_id else "" if row.counts else "quiet",
    )


@command.command("show")
@declared
def show(reference: str = argument(metavar="ID"), as_json: bool = options.as_json) -> None:
    """Show one run, experiment or cluster.

    An experiment (x7) shows its verdict and runs; c3 is a cluster measurement.
    """
    history = History()
    for number in clusters_called([reference]):
        cluster = kept(history, number)
        answer(cluster, result_items(cluster), as_json=as_json)
        return
    rows = runs_called(history, reference)
    if as_json:
        runs = [_run_json(history, row, history.result(row.id)) for row in rows]
        print_json({"runs": runs, "verdict": stored_verdict(history, rows[0])})
    elif reference.startswith("x"):
        print_items(*experiment_items(history, rows, stored_verdict(history, rows[0])))
    else:
        (row,) = rows
        result = history.result(row.id)
        notes = (each for warning in result.warnings for each in note(warning.message, ""))
        print_items(facts(run_facts(history, row, result)), *notes)


@command.command("clusters")
@declared
def clusters(
    path: str | None = option(help="Only of the model at this path of the nodes."),
    as_json: bool = options.as_json,
) -> None:
    """List measurements on clusters.

    The same CLUSTER is the same machines.
    """
    rows = History().clusters(path=path)
    shown = table(
        rows,
        Column("ID", lambda row: row.reference, "right lead"),
        Column("When", lambda row: when_text(row.created_unix_s)),
        Column("Model", model_text),
        Column("Nodes", lambda row: str(row.nodes), "right lead"),
        Column("Machines", lambda row: str(row.machines), "right"),
        Column("Ways", lambda row: ", ".join(row.ways), "lead"),
        Column("Last ready", lambda row: known(duration_text, row.last_ns or None), "right lead"),
        Column(
            "All together", lambda row: rate_text(row.bytes_per_s) if row.last_ns else "", "right"
        ),
        Column("Cluster", lambda row: row.cluster_id[:8]),
    )
    none = line("No cluster measurements found. modelmon cluster saves its results here.")
    answer({"clusters": rows}, [shown if rows else none], as_json=as_json)


@command.command("events")
@declared
def events(
    run_id: int = argument(type=int, metavar="ID"),
    path: Path = argument(type=options.result_path, metavar="FILE"),
) -> None:
    """Write a run's recording to a file.

    FILE (.jsonl) is for modelmon replay.
    """
    write_bytes_atomic(path, History().event_lines(run_id))
    tell(f"Wrote the recording of run {run_id} to {path}.")


def _run_json(history: History, row: RunRow, result: RunResult) -> dict[str, object]:
    wait = judged(history, row, result) if result.is_program else None
    return {"run": row, "result": result, "wait": wait}


def stored_verdict(history: History, row: RunRow) -> Verdict | Recommendation | None:
    """What was said of a run's experiment; None where that can't be read, which is told."""
    try:
        return verdict_of(history, row)
    except HistoryError as error:
        # Another version's: the runs can be shown all the same.
        tell(str(error.text))
        return None


@command.command("compare")
@declared
def compare(references: tuple[str, ...] = _references, as_json: bool = options.as_json) -> None:
    """Compare runs or experiments.

    Shows medians and speedups of runs, of experiments, or of their A and B. Runs from another
    machine or disk, or with another model, part, delivery, or start state get no speedup, and
    the reason is shown. The strategies of one experiment alternated, so their speedup is taken
    from pairs. For a decision, use modelmon compare.
    """
    history = History()
    named = [group for reference in references for group in _groups(history, reference)]
    if len(named) < 2:
        raise click.UsageError("Give two or more IDs, or an experiment with two arms.")
    groups = side_by_side(named, usual_ratio)
    answer({"groups": groups}, group_items(groups), as_json=as_json)


def _groups(history: History, reference: str) -> Iterator[tuple[str, list[RunRow]]]:
    """What a reference stands for; an experiment for each of its arms."""
    arms: dict[str, list[RunRow]] = {}
    rows, whole = runs_called(history, reference), reference.startswith("x")
    for row in without_follow_ups(rows) if whole else rows:
        arms.setdefault(row.label, []).append(row)
    for _, rows in sorted(arms.items()):
        yield rows[0].experiment if whole else reference, rows


@command.command("changes")
@declared
def show_changes(
    since: float = option(
        type=since_type, default="30d", help="Changes from this day on: 30d, 12h, 2026-11-21."
    ),
    only_here: bool | None = _only_here,
    as_json: bool = options.as_json,
) -> None:
    """Show when loads became slower or faster.

    Compares the same loads on the same machine and disk. Runs of one day count once, by their
    median. A change shows after two days, if there were five before. Shows only this machine's,
    unless --all is given.
    """
    machine_id = this_machine().id
    found = changes(History(), since, None if only_here is False else machine_id)
    told = {"machine_id": machine_id, "since_unix_s": since, **asdict(found)}
    answer(told, change_items(found, when_text(since), machine_id), as_json=as_json)


@command.command("import")
@declared
def import_files(
    files: tuple[Path, ...] = argument(
        nargs=-1, required=True, type=options.source_path, metavar="FILE..."
    ),
) -> None:
    """Import .jsonl recordings into the history.

    A recording can't prove which machine and disk it is from, so each run is listed as imported,
    with the origin it states, and is never compared with others.
    """
    history = History()
    for path in files:
        run_id = import_recording(history, path)
        tell(f"Imported {path} as run {run_id}.")


@command.command("delete")
@declared
def delete(
    references: tuple[str, ...] = _references,
    yes: bool = option(help="Don't ask."),
) -> None:
    """Delete runs and their recordings.

    x7 deletes an experiment, c3 a cluster measurement.
    """
    history = History()
    clusters = clusters_called(references)
    for number in clusters:
        history.cluster_result(number)  # says if there is none
    runs = tuple(each for each in references if not clusters_called([each]))
    ids = ids_called(history, runs)
    what = [counted(len(ids), "run")] if ids or not clusters else []
    what += [counted(len(clusters), "cluster measurement")] if clusters else []
    told = " and ".join(what)
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(f"This deletes {told}: add --yes where nobody can be asked.")
        click.confirm(f"Delete {told}?", abort=True, err=True)
    history.delete(ids)
    history.delete_clusters(clusters)
    tell(f"Deleted {told}.")


@command.command("star")
@declared
def star(
    references: tuple[str, ...] = _references,
    off: bool = option(help="Remove the star."),
) -> None:
    """Star runs to find them again.

    Their recordings are kept longest.
    """
    history = History()
    history.star(ids_called(history, references), starred=not off)


@command.command("name")
@declared
def name(
    run_id: int = argument(type=int, metavar="ID"),
    text: str = argument(metavar="NAME"),
) -> None:
    """Name a run; an empty name removes it."""
    history = History()
    (known,) = ids_called(history, (str(run_id),))
    history.rename(known, text)
