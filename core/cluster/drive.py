"""The driver of a cluster measurement: starts loads on many nodes, follows them, collects results.

It loads nothing: node.py does, on each node, and on_ray.py carries jobs and answers. The events at
the top are what `cluster --live` prints for the window.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.cluster.node import NodeState
from modelmon.core.cluster.result import ClusterArm, ClusterResult, ClusterRun, Node, NodeRun
from modelmon.core.cluster.summary import cluster_result, storage_bytes_of
from modelmon.core.cluster.ways import Way, sizes_up_to
from modelmon.core.comparison.decision import Label
from modelmon.core.errors import LoadFailedError
from modelmon.core.limited_numbers import UNDECODABLE, Amount
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.messages import NOTHING, Message, from_wire
from modelmon.core.terminal_safe import harmless
from modelmon.core.worker.events import Job

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from modelmon.core.cluster.on_ray import RayFleet
    from modelmon.core.cluster.ways import Offset
    from modelmon.core.worker.events import Cache

LEAST_BETWEEN_S = 0.25
"""From one standing to the next: nobody follows a thousand nodes faster."""


class Begun(msgspec.Struct, frozen=True, tag_field="event", tag="begun"):
    """The measurement begins: these nodes load in these ways, each `repeats` times."""

    path: str
    nodes: tuple[Node, ...]
    ways: tuple[Way, ...]
    repeats: Amount


class Standing(msgspec.Struct, frozen=True, tag_field="event", tag="standing", omit_defaults=True):
    """How far a start of several nodes is: `t_ns` after the first was due, None before that.

    `delivered` are the bytes that each has, in the order of `names`; `ready` are the places in it
    of those that have all of theirs: slices are not all of one size.
    """

    label: Label
    way: str
    round: Amount
    repeats: Amount
    names: tuple[str, ...]
    delivered: tuple[Amount, ...]
    planned_bytes: Amount
    ready: tuple[Amount, ...]
    t_ns: Amount | None = None

    @property
    def text(self) -> str:
        """For the terminal."""
        place = f"Round {self.round + 1} of {self.repeats}: {self.way}"
        return f"{place}, {len(self.ready)} of {len(self.names)} nodes ready"


class Measured(msgspec.Struct, frozen=True, tag_field="event", tag="measured"):
    """One start is over; `arms` sums up all starts so far."""

    run: ClusterRun
    arms: tuple[ClusterArm, ...]


class Ended(msgspec.Struct, frozen=True, tag_field="event", tag="ended", omit_defaults=True):
    """The measurement is over. `reference` is its name in the history; "" where it isn't kept."""

    result: ClusterResult
    reference: str = ""


LiveEvent = Begun | Standing | Measured | Ended

decode_live = msgspec.json.Decoder(LiveEvent, dec_hook=from_wire).decode


LEAD_NS = 1_000_000_000
"""How long before a start its nodes are told when it is: many times what telling them takes."""
PREPARED_S = 900.0
"""A node that is not ready by then is given up, as are the next two."""
SILENT_S = 60.0
"""Without any sign of a load under way; samples come at least once a second."""
_LOOK_S = 0.1
_SAMPLE_HZ = 20.0


class ClusterOptions(NamedTuple):
    """What all starts share. Each way is started `repeats` times with each number of nodes."""

    path: str
    cache: Cache = "cold"
    repeats: int = 3
    allow_busy: bool = False
    condition_memory: bool = True


Tell = Callable[[LiveEvent], object]
"""Called with what happens."""


def measure(
    fleet: RayFleet,
    ways: Sequence[Way],
    asked: ClusterOptions,
    tell: Tell = lambda *_: None,
    *,
    live: bool = False,
) -> ClusterResult:
    """Measure each way with all nodes and with fewer; returns the result. The progress of a start
    is told every LEAST_BETWEEN_S at most, and `live` its end.

    A node that fails takes no further part, and its start is repeated without it. After Ctrl-C the
    result has what was measured, if all nodes were ready once. Raises LoadFailedError where no
    node can load.
    """
    created_unix_s = time.time()
    nodes = _of_one_model(fleet.nodes)
    lost: dict[int, NodeRun] = {}
    runs: list[ClusterRun] = []
    stopped = False
    told_s = 0.0

    def follow(standing: Standing) -> None:
        nonlocal told_s
        if time.monotonic() - told_s >= LEAST_BETWEEN_S:
            told_s = time.monotonic()
            tell(standing)

    tell(Begun(asked.path, tuple(nodes), tuple(ways), asked.repeats))
    try:
        for run in _starts(fleet, nodes, ways, asked, lost, follow):
            runs.append(run)
            if live:  # the words of many nodes would delay the next start
                tell(Measured(run, cluster_result(asked.path, (), ways, runs).arms))
    except KeyboardInterrupt:
        if not any(run.is_whole for run in runs):
            raise
        stopped = True
    nodes = [
        msgspec.structs.replace(node, why_not=lost[number].problem) if number in lost else node
        for number, node in enumerate(nodes)
    ]
    if not any(run.is_whole for run in runs):
        text = Message("No node could load the model.")
        for node in nodes:
            if node.why_not:
                text = Message(
                    "No node could load the model. {node}: {why}", node=node.name, why=node.why_not
                )
                raise LoadFailedError(text, node.remedy)
        raise LoadFailedError(text)
    return cluster_result(
        asked.path,
        nodes,
        ways,
        runs,
        cache=asked.cache,
        created_unix_s=created_unix_s,
        stopped=stopped,
    )


def _of_one_model(nodes: Sequence[Node]) -> list[Node]:
    """The nodes; those that have another model at this path than most take no part."""
    digests = [node.model.digest for node in nodes if node.model is not None]
    usual = max(digests, key=digests.count, default="")
    why = Message("The model at this path is another one than on most nodes.")
    return [
        msgspec.structs.replace(node, why_not=why)
        if node.model is not None and node.model.digest != usual
        else node
        for node in nodes
    ]


def _starts(  # noqa: PLR0913, PLR0917  what `measure` has
    fleet: RayFleet,
    nodes: Sequence[Node],
    ways: Sequence[Way],
    asked: ClusterOptions,
    lost: dict[int, NodeRun],
    follow: Callable[[Standing], object],
) -> Iterator[ClusterRun]:
    """All starts, the first with all nodes; who fails is `lost`. In each round ways and numbers of
    nodes come in the opposite order to that of the one before, so that whatever gets slower with
    time favors none.
    """
    order = [number for number, node in enumerate(nodes) if not node.why_not]
    for round_ in range(asked.repeats):
        turn = -1 if round_ % 2 else 1
        for size, way in product(sizes_up_to(len(order))[::-turn], ways[::turn]):
            # Until a start in which none fails.
            failed: Collection[int] = order
            while failed and order and (size >= len(order) or way.start.is_together):
                chosen = order[:size]
                loads = start_nodes(fleet, chosen, way, asked, follow, round_)
                yield ClusterRun(way.label, round_, loads, _why_not(loads))
                each = zip(chosen, loads, strict=True)
                failed = {number: load for number, load in each if load.problem}
                lost.update(failed)
                order = [number for number in order if number not in failed]
            if order and not failed and size >= len(order):
                order = _typical_first(order, loads)


def _typical_first(order: Sequence[int], loads: Sequence[NodeRun]) -> list[int]:
    """Those near the middle first: a straggler as the only node would be a curve of its own."""
    walls = [load.result.wall_ns if load.result else 0 for load in loads]
    middle = sorted(walls)[len(walls) // 2]
    return [n for _, n in sorted(zip((abs(w - middle) for w in walls), order, strict=True))]


def _why_not(loads: Sequence[NodeRun]) -> Message:
    """Why a start does not count: a node's problem comes before what a load is marked with."""
    for load in loads:
        if load.problem:
            return Message("{node}: {why}", node=load.node, why=load.problem)
    for load in loads:
        if load.result is not None and not load.result.counts:
            return Message("{node}: {why}", node=load.node, why=load.result.why_not)
    return NOTHING


def start_nodes(  # noqa: PLR0913, PLR0917  what `measure` has
    fleet: RayFleet,
    numbers: Sequence[int],
    way: Way,
    asked: ClusterOptions,
    follow: Callable[[Standing], object],
    round_: int = 0,
) -> tuple[NodeRun, ...]:
    """One start of these nodes, in their order; each ends with its result or its problem.

    All are prepared before the first one starts. Whatever ends this drops those under way.
    """
    loads = {number: _Load(fleet.nodes[number].name) for number in numbers}
    first_ns: int | None = None
    try:
        for position, number in enumerate(numbers):
            fleet.begin(number, _job(way, asked, position, len(numbers)))
        while open_ := [number for number, load in loads.items() if not load.over]:
            for number, told in fleet.states(open_, _LOOK_S).items():
                loads[number].take(told)
            for number in open_:
                # Whatever it still does would be in the way of the others.
                if loads[number].problem or loads[number].gives_no_sign():
                    fleet.drop(number)
            if first_ns is None:
                first_ns = _let_go(fleet, loads, way.start.step_ns)
            since_ns = -1 if first_ns is None else time.monotonic_ns() - first_ns
            states = [load.state for load in loads.values()]
            standing = Standing(
                way.label,
                way.name,
                round_,
                asked.repeats,
                tuple(load.name for load in loads.values()),
                tuple(state.delivered_bytes for state in states),
                sum(state.planned_bytes for state in states),
                tuple(at for at, state in enumerate(states) if state.result is not None),
                since_ns if since_ns >= 0 else None,
            )
            follow(standing)
    except BaseException:
        for number, load in loads.items():
            if not load.over:
                fleet.drop(number)
        raise
    return tuple(load.run() for load in loads.values())


def _let_go(fleet: RayFleet, loads: Mapping[int, _Load], step_ns: int) -> int | None:
    """Once all are prepared, let them go, one every `step_ns`; returns when the first is due."""
    alive = [number for number, load in loads.items() if not load.over]
    if not alive or any(loads[number].state.phase != "waits" for number in alive):
        return None
    offsets = fleet.offsets(alive)
    first_ns = time.monotonic_ns() + LEAD_NS
    for place, (number, load) in enumerate(loads.items()):
        if number in offsets:
            due_ns = place * step_ns
            at_ns = first_ns + due_ns + offsets[number].ns
            load.go_at(due_ns, at_ns, offsets[number])
            fleet.go(number, at_ns)
        elif not load.over:
            load.take(Message("The node's clock didn't answer."))
            fleet.drop(number)
    return first_ns


def _job(way: Way, asked: ClusterOptions, position: int, nodes: int) -> bytes:
    sliced = way.copy_per == "cluster" and nodes > 1
    job = Job(
        path=asked.path,
        config=way.config,
        strategy=way.name,
        cache=asked.cache,
        subset=Subset(rank=position, ranks=nodes) if sliced else WHOLE,
        sample_hz=_SAMPLE_HZ,
        allow_busy=asked.allow_busy,
        condition_memory=asked.condition_memory,
    )
    return msgspec.json.encode(job)


class _Load:
    """One node's load, as the driver knows it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.state = NodeState()
        self.problem = NOTHING
        self._due_ns = 0
        self._at_ns: int | None = None
        self._offset: Offset | None = None
        self._silent_from_s = time.monotonic()

    @property
    def over(self) -> bool:
        """Whether it has ended, well or not."""
        return bool(self.problem) or self.state.phase == "over"

    def take(self, told: bytes | Message) -> None:
        """Take in how far it is, or that it is lost."""
        if isinstance(told, Message):
            self.problem = told
            return
        try:
            self.state = _read_state(harmless(told))
        except UNDECODABLE as error:
            self.problem = Message("What the node sent can't be read: {reason}", reason=error)
        self._silent_from_s = time.monotonic() - self.state.silent_s

    def go_at(self, due_ns: int, at_ns: int, offset: Offset) -> None:
        """It was told to start at this moment of its clock."""
        self._due_ns, self._at_ns, self._offset = due_ns, at_ns, offset
        self._silent_from_s = time.monotonic() + due_ns / 1e9

    def gives_no_sign(self) -> bool:
        """Whether it has been silent for too long, which ends it."""
        most_s = SILENT_S if self._at_ns is not None else PREPARED_S
        waits = self.state.phase == "waits" and self._at_ns is None
        if self.over or waits or time.monotonic() - self._silent_from_s <= most_s:
            return False
        self.problem = Message("The node gave no sign for {seconds} s.", seconds=round(most_s))
        return True

    def run(self) -> NodeRun:
        """The result for ClusterRun."""
        state, late_ns = self.state, None
        if state.went_ns is not None and self._at_ns is not None:
            late_ns = state.went_ns - self._at_ns
        begun = NodeRun(self.name, self._due_ns, late_ns, self._offset)
        problem, result = self.problem or state.problem, state.result
        if problem or result is None:
            why = problem or Message("The node sent no result.")
            return msgspec.structs.replace(begun, problem=why)
        started_ns = max(0, self._due_ns + (late_ns or 0))
        return msgspec.structs.replace(
            begun,
            ready_ns=started_ns + result.wall_ns,
            storage_bytes=storage_bytes_of(result),
            delivered=tuple((started_ns + t_ns, nbytes) for t_ns, nbytes in state.delivered),
            result=result,
        )


_read_state = msgspec.json.Decoder(NodeState, dec_hook=from_wire).decode
