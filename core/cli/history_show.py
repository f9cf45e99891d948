"""`modelmon history show` and `events`: one run or experiment in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.cli.cluster_report import show as show_cluster
from modelmon.core.cli.history_options import runs_called
from modelmon.core.cli.history_texts import (
    model_text,
    run_facts,
    start_text,
    time_texts,
    when_text,
)
from modelmon.core.cli.layout import Column, Facts, Listing, OneLine
from modelmon.core.cli.options import json_option, target_path
from modelmon.core.cli.output import console, print_json, tell
from modelmon.core.cluster.kept import kept, number_called
from modelmon.core.comparison.result import Verdict
from modelmon.core.explain.program_report import judge
from modelmon.core.export.atomic import check_target, write_text_atomic
from modelmon.core.find_best.result import Recommendation
from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import History
from modelmon.core.machine.origin import this_machine
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.units import duration_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.result import RunResult


@click.command("show")
@click.argument("reference", metavar="ID")
@json_option
def show(reference: str, as_json: bool) -> None:
    """Show one run, an experiment with its verdict and runs, or a cluster measurement (c3)."""
    history = History()
    number = number_called(reference)
    if number is not None:
        cluster = kept(history, number)
        if as_json:
            print_json(cluster)
        else:
            show_cluster(cluster)
        return
    rows = runs_called(history, reference)
    if as_json:
        runs = [_run_json(row, history.result(row.id)) for row in rows]
        print_json({"runs": runs, "verdict": _verdict(history, rows[0])})
    elif reference.startswith("x"):
        _show_experiment(history, rows)
    else:
        (row,) = rows
        result = history.result(row.id)
        console().print(Facts(run_facts(row, result, this_machine().id)))
        for warning in result.warnings:
            console().print(f"Note: {warning.message}", style="yellow")


@click.command("clusters")
@click.option("--path", help="Only of the model at this path of the nodes.")
@json_option
def clusters(path: str | None, as_json: bool) -> None:
    """List what was measured on clusters; the same CLUSTER is the same machines."""
    rows = History().clusters(path=path)
    if as_json:
        print_json({"clusters": rows})
        return
    if not rows:
        console().print("No cluster measurements found. modelmon cluster saves its results here.")
        return
    table = Listing(
        Column("ID", right=True, lead=True),
        Column("When"),
        Column("Model"),
        Column("Nodes", right=True, lead=True),
        Column("Machines", right=True),
        Column("Ways", lead=True),
        Column("Last ready", right=True, lead=True),
        Column("All together", right=True),
        Column("Cluster"),
    )
    for row in rows:
        table.add_row(
            row.reference,
            when_text(row.created_unix_s),
            model_text(row),
            str(row.nodes),
            str(row.machines),
            ", ".join(row.ways),
            duration_text(row.last_ns) if row.last_ns else "",
            rate_text(row.bytes_per_s) if row.last_ns else "",
            row.cluster_id[:8],
        )
    console().print(table)


@click.command("events")
@click.argument("run_id", type=int, metavar="ID")
@click.argument("path", type=target_path, metavar="FILE")
def events(run_id: int, path: Path) -> None:
    """Write a run's recording to FILE (.jsonl), for modelmon replay."""
    check_target(path)
    write_text_atomic(path, History().event_lines(run_id).decode())
    tell(f"Wrote the recording of run {run_id} to {path}.")


def _run_json(row: RunRow, result: RunResult) -> dict[str, object]:
    wait = judge(result, UNKNOWN_LIMITS) if result.is_program else None
    return {"run": row, "result": result, "wait": wait}


def _verdict(history: History, row: RunRow) -> Verdict | Recommendation | None:
    try:
        if row.kind == "best":
            return history.verdict(row.experiment_id, Recommendation)
        return history.verdict(row.experiment_id, Verdict)
    except HistoryError as error:
        # Another version's: the runs can be shown all the same.
        tell(str(error.text))
        return None


def _show_experiment(history: History, rows: Sequence[RunRow]) -> None:
    out = console()
    experiment = history.experiment(rows[0].experiment_id)
    out.print(
        f"Experiment x{experiment.id} ({experiment.kind}, {experiment.state}),"
        f" {when_text(experiment.created_unix_s)}, {experiment.model_name}, {experiment.path}"
    )
    verdict = _verdict(history, rows[0])
    if verdict is not None:
        out.print(verdict.sentence, style="bold")
    if isinstance(verdict, Verdict):
        out.print(verdict.reason)
        out.print(verdict.caveat, style="dim")
    elif verdict is not None:
        for reason in verdict.reasons:
            out.print(reason)
    table = Listing(
        Column("ID", right=True, lead=True),
        Column("Pair", right=True, named=True),
        Column("A/B", lead=True),
        Column("Strategy", lead=True),
        Column("Start"),
        Column("Time", right=True, lead=True),
        Column("Part", right=True, lead=True),
        Column("Rate", right=True),
    )
    for row in rows:
        pair = "not used" if row.position is None else str(row.pair + 1)
        head = (str(row.id), pair, row.label, row.strategy_text, start_text(row))
        table.add_row(*head, *time_texts(row, row.timed_ns), rate_text(row.bytes_per_s))
    out.print(table)
    for arm in experiment.arms:
        if arm.program is not None:
            out.print(OneLine(f"{arm.label}: {arm.program.command}"), style="dim")
    if experiment.kind != "single" and experiment.state != "done":
        command = f"modelmon {experiment.kind} --resume x{experiment.id}"
        out.print(OneLine(f"To resume: {command}"), style="dim")
