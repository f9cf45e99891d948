"""`modelmon cluster`: one model on many nodes at once."""

from __future__ import annotations

import os
import signal
import threading
from functools import partial
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import argument, declared, measuring, option, options
from modelmon.core.cli.measuring import history_unless, save_json, tell_problem
from modelmon.core.cli.output import (
    Column,
    Facts,
    Listing,
    colon,
    console,
    known,
    print_json,
    print_note,
)
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cluster.drive import Begun, ClusterOptions, Ended, Standing, Telling, measure
from modelmon.core.cluster.on_ray import RayFleet
from modelmon.core.cluster.summary import keep, one_machine, typical
from modelmon.core.cluster.ways import COPIES, ClusterDefaults, start_called, way_called
from modelmon.core.comparison.estimate import start_on
from modelmon.core.errors import EXIT_CANCELLED, EXIT_DONE
from modelmon.core.history.file import HistoryError
from modelmon.core.load.config import MAX_RANKS
from modelmon.core.machine.sleep import keep_awake
from modelmon.core.messages import Message
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    size_text,
    two_figures,
    wait_text,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from modelmon.core.cluster.result import (
        ClusterArm,
        ClusterResult,
        ClusterRun,
        CurvePoint,
        Node,
        NodeRun,
    )
    from modelmon.core.cluster.ways import CopyPer, Way
    from modelmon.core.history.history import History
    from modelmon.core.worker.events import Cache, RunConditions

_ARMS = 2
_REPEATS = 3
_COMPARED_REPEATS = 5


@click.command("cluster")
@declared
def command(
    path: Path = argument(type=options.source_path, metavar="MODEL"),
    address: str = option(default="auto", help="Ray cluster: auto, HOST:PORT or ray://HOST:PORT."),
    nodes: str = option(default="all", metavar="N|all", help="How many nodes load at once."),
    ranks: int = option(
        "--ranks-per-node",
        type=click.IntRange(1, MAX_RANKS),
        default=1,
        help="Processes that load on each node, as workers of GPUs do.",
    ),
    copy_per: CopyPer = option(
        type=click.Choice(COPIES),
        default="node",
        help="Who loads one copy: each rank, each node, or all nodes.",
    ),
    strategy: str | None = option(
        metavar="NAME", help="Strategy; see `modelmon strategies`.  [default: mmap]"
    ),
    compared: str | None = option(
        "--compare",
        metavar="A,B",
        help="Two strategies, also with /cluster: direct,direct/cluster.",
    ),
    start: str = option(
        default="together",
        metavar="together|staggered:2s",
        help="Start nodes together, or one after another.",
    ),
    cache: Cache | None = options.cache,
    deliver: str = measuring.deliver,
    repeats: int | None = option(
        type=click.IntRange(1, 100),
        help=f"Runs for each number of nodes.  [default: {_REPEATS}; {_COMPARED_REPEATS} to"
        " compare]",
    ),
    out_path: Path | None = option(
        "--out", type=options.result_path, help="Save the result as JSON."
    ),
    conditions: RunConditions = measuring.conditions("condition_memory", "allow_busy"),
    no_history: bool = options.no_history,
    as_json: bool = options.as_json,
    live: bool = option(help="Print events as lines of JSON; end of input stops it."),
) -> int:
    """Load a model on many nodes of Ray at once.

    Shows what limits them. MODEL is its path on the nodes.
    """
    ways = _ways(strategy, compared, ClusterDefaults(copy_per, start_called(start), ranks, deliver))
    number = None if nodes == "all" else whole_number(nodes)
    if nodes != "all" and not number:
        raise click.UsageError(f"--nodes {nodes!r} isn't a number of nodes: write 8, or all.")
    place = str(path.absolute())
    if live:
        _end_with_input()
    with (
        RayFleet(address, number, place) as fleet,
        keep_awake("modelmon is loading a model on many nodes"),
        ProgressBar() as bar,
    ):
        asked = ClusterOptions(
            place,
            _start(cache, fleet.nodes),
            repeats or (_COMPARED_REPEATS if compared else _REPEATS),
            allow_busy=conditions.allow_busy or bool(one_machine(fleet.nodes)),
            condition_memory=conditions.condition_memory,
        )
        if live:
            print_json(Begun(place, tuple(fleet.nodes), tuple(ways), asked.repeats))
            result = measure(fleet, ways, asked, Telling(place, ways, print_json))
        else:
            result = measure(fleet, ways, asked, partial(_follow, bar))
    reference = _kept(result, history_unless(no_history))
    if live:
        print_json(Ended(result, reference))
    elif as_json:
        print_json(result)
    else:
        show(result)
    if out_path is not None:
        save_json(out_path, result)
    return EXIT_CANCELLED if result.stopped and not live else EXIT_DONE


def _kept(result: ClusterResult, history: History | None) -> str:
    """What the history calls it; "" where it is not there."""
    try:
        return keep(history, result) if history is not None else ""
    except HistoryError as error:
        tell_problem(error.message)
        return ""


def _follow(bar: ProgressBar, event: Standing | ClusterRun) -> None:
    if isinstance(event, Standing):
        bar.show(event.text, sum(event.delivered), event.planned_bytes)


def _end_with_input() -> None:
    """Stop as by Ctrl-C when the standard input ends: whoever shows this is gone, or wants it."""

    def wait() -> None:
        # Not by sys.stdin, whose lock would be held when the program ends.
        while os.read(0, 1):
            pass
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=wait, daemon=True).start()


def _ways(strategy: str | None, compared: str | None, usual: ClusterDefaults) -> list[Way]:
    if compared is None:
        return [way_called("A", strategy or "mmap", usual)]
    if strategy is not None:
        raise click.UsageError("Use --strategy or --compare, not both.")
    texts = [text.strip() for text in compared.split(",")]
    if len(texts) != _ARMS:
        raise click.UsageError("--compare takes two strategies: --compare mmap,direct.")
    ways = [way_called("A", texts[0], usual), way_called("B", texts[1], usual)]
    if ways[0].name == ways[1].name:
        raise click.UsageError(f"--compare {compared} compares {ways[0].name} with itself.")
    return ways


def _start(asked: Cache | None, nodes: Sequence[Node]) -> Cache:
    """The start that is asked for, or that is possible on all nodes."""
    kinds = {node.storage_kind: node.filesystem for node in nodes if node.storage_kind}
    kind = "memory" if "memory" in kinds else ""
    return start_on(asked, kind, kinds.get(kind, ""))


_MOST_LINES = 16
"""Of a table of nodes."""


def show(result: ClusterResult) -> None:
    """Print all of it for a person."""
    out = console()
    for number, sentence in enumerate(result.recommendation):
        out.print(sentence, style="bold" if number == 0 else "")
    for arm in result.arms:
        out.print()
        names = {"way": arm.way.name, "start": arm.way.start.text}
        out.print(Message("{way}, {start}", **names), style="dim")
        out.print(_curve(arm))
        out.print(Facts(_facts(arm)))
        runs = [run for run in result.runs if run.label == arm.way.label]
        if full := typical(runs):
            out.print(_nodes(full))
            if len(full.nodes) > _MOST_LINES:
                shown = {"count": len(full.nodes), "most": _MOST_LINES}
                out.print(Message("Of {count} nodes the {most} slowest.", **shown), style="dim")
        for straggler in arm.stragglers:
            out.print(straggler.sentence, style="yellow")
    for note in result.notes:
        print_note(out, note, "")
    if result.stopped:
        early = Message("Stopped early: these are fewer starts than asked for.")
        out.print(early, style="yellow")


def _curve(arm: ClusterArm) -> Listing[CurvePoint]:
    one = arm.curve[0].bytes_per_s if arm.curve and arm.curve[0].nodes == 1 else 0.0
    knee = arm.scaling.knee.value if arm.scaling and arm.scaling.knee else None
    limit = next((point.nodes for point in arm.curve if knee and point.nodes >= knee), None)
    return Listing(
        arm.curve,
        Column(Message("Nodes"), lambda at: f"{at.nodes}", "right lead"),
        Column(Message("First ready"), lambda at: duration_text(at.first_ns), "right named"),
        Column(Message("Median"), lambda at: duration_text(at.median_ns), "right named"),
        Column(Message("Last ready"), lambda at: duration_text(at.last_ns), "right named"),
        Column(Message("All together"), lambda at: rate_text(at.bytes_per_s), "right named"),
        Column(
            Message("Times one"),
            lambda at: f"{two_figures(at.bytes_per_s / one)}×" if one else "",
            "right named",
        ),
        Column(Message("Runs"), lambda at: f"{at.runs}", "right named"),
        Column("", lambda at: Message("storage is at its limit") if at.nodes == limit else ""),
    )


def _facts(arm: ClusterArm) -> Iterator[tuple[str, str]]:
    if not arm.counted:
        none = Message("no start: the figures are of starts that don't count")
        yield Message("Counted"), none
    elif arm.discarded:
        counts = {"done": arm.counted, "total": arm.counted + arm.discarded}
        yield Message("Counted"), Message("{done} of {total} starts", **counts)
    if arm.skew_ns is not None and arm.curve[-1].nodes > 1:
        yield (
            Message("Starts"),
            Message(
                "within {time} of each other, by the nodes' own clocks", time=wait_text(arm.skew_ns)
            ),
        )
    from_storage = Message("From storage")
    if arm.amplification is not None:
        times = two_figures(arm.amplification)
        yield from_storage, Message("{times}× the model for all nodes", times=times)
    elif arm.curve:
        unknown = Message("unknown: this storage doesn't count what it delivers")
        yield from_storage, unknown
    if arm.summary is not None and arm.summary.bottleneck is not None:
        found = arm.summary.bottleneck
        yield Message("Bottleneck"), colon(found.label, found.sentence)


def _nodes(run: ClusterRun) -> Listing[NodeRun]:
    slow = sorted(run.nodes, key=lambda node: (not node.problem, -(node.ready_ns or 0)))
    return Listing(
        slow[:_MOST_LINES],
        Column(Message("Node"), lambda each: each.node, "lead"),
        Column(
            Message("Ready"), lambda each: known(duration_text, each.ready_ns, "–"), "right lead"
        ),
        Column(
            Message("Rate"),
            lambda each: rate_text(each.result.bytes_per_s) if each.result else "",
            "right",
        ),
        Column(
            Message("From storage"),
            lambda each: known(size_text, each.storage_bytes),
            "right named",
        ),
        Column(
            Message("Was cached"),
            lambda each: known(
                percent_text, each.result.residency_before_share if each.result else None
            ),
            "right named",
        ),
        Column(Message("Started late"), lambda each: known(wait_text, each.late_ns), "right named"),
        Column(
            Message("Problem"),
            lambda each: each.problem or (each.result.why_not if each.result is not None else ""),
        ),
        style=lambda each: "red" if each.problem else "",
    )
