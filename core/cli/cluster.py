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
    answer,
    print_json,
)
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cluster.drive import ClusterOptions, Ended, Standing, measure
from modelmon.core.cluster.on_ray import RayFleet
from modelmon.core.cluster.summary import keep, one_machine
from modelmon.core.cluster.ways import COPIES, ClusterDefaults, start_called, way_called
from modelmon.core.comparison.estimate import start_on
from modelmon.core.errors import EXIT_CANCELLED, EXIT_DONE
from modelmon.core.export.result_items import result_items
from modelmon.core.history.file import HistoryError
from modelmon.core.load.config import MAX_RANKS
from modelmon.core.machine.sleep import keep_awake
from modelmon.core.units import (
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.cluster.drive import LiveEvent
    from modelmon.core.cluster.result import (
        ClusterResult,
        Node,
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
        tell = print_json if live else partial(_follow, bar)
        result = measure(fleet, ways, asked, tell, live=live)
    reference = _kept(result, history_unless(no_history))
    if live:
        print_json(Ended(result, reference))
    else:
        answer(result, result_items(result), as_json=as_json)
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


def _follow(bar: ProgressBar, event: LiveEvent) -> None:
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
