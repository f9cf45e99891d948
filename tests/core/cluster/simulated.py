"""Nodes that load at once without loading anything: storage with a shared limit, and faults."""

import msgspec
from tests.core.cluster.starts import nodes
from tests.core.conftest import LOADED

from modelmon.core.cluster.node import NodeState
from modelmon.core.cluster.ways import Offset
from modelmon.core.messages import Message, to_wire
from modelmon.core.worker.events import Job

GB = 10**9
LOST = Message("The node was lost.")
NO_MEMORY = Message("Not enough memory.")


class SimulatedFleet:
    """As RayFleet. Nodes get `per_node` bytes per second each, all that load `shared` together.

    `faults` are nodes that are lost in "prepare" or in "load", lack "memory", or send an "escape"
    or "rubbish". `slow` ones take so many times as long. Clocks are `ahead_ns` and a second for
    each number, and starts late by `late_ns`.
    """

    def __init__(
        self,
        number,
        per_node=GB,
        shared=1000 * GB,
        *,
        faults=None,
        slow=None,
        late_ns=0,
        samples=3,
        ahead_ns=0,
    ):
        self.nodes = nodes(number)
        self.per_node, self.shared = per_node, shared
        self.faults, self.slow = faults or {}, slow or {}
        self.late_ns, self.samples, self.ahead_ns = late_ns, samples, ahead_ns
        self.jobs = {}
        self.went = {}
        self.dropped = set()
        self._told = set()

    def begin(self, number, job):
        self.went.pop(number, None)
        self.jobs[number] = msgspec.json.decode(job, type=Job)
        self._told.discard(number)

    def offsets(self, numbers):
        assert numbers
        return {number: Offset(self.ahead_ns + number * GB, 1000) for number in numbers}

    def go(self, number, at_ns):
        self.went[number] = at_ns + self.late_ns * number

    def drop(self, number):
        self.dropped.add(number)

    def states(self, numbers, wait_s):
        del wait_s
        beside = len([number for number in numbers if number in self.went])
        told = {number: self._told_by(number, beside) for number in numbers}
        return {number: state for number, state in told.items() if state is not None}

    def _told_by(self, number, beside):
        fault = self.faults.get(number)
        if fault == "prepare" or (fault == "load" and number in self.went):
            return LOST
        if fault in SAID:
            return SAID[fault]
        if number in self.went:
            return packed(self._loaded(number, beside))
        if number in self._told:
            return None
        self._told.add(number)
        return packed(NodeState("waits", self._bytes(self.jobs[number])))

    def _bytes(self, job):
        return GB // job.subset.ranks

    def _loaded(self, number, beside):
        job = self.jobs[number]
        nbytes = self._bytes(job)
        rate = min(self.per_node, self.shared / beside) / self.slow.get(number, 1.0)
        wall_ns = round(nbytes / rate * 1e9)
        result = msgspec.structs.replace(
            LOADED,
            strategy=job.strategy,
            config=job.config,
            wall_ns=wall_ns,
            load_bytes=nbytes,
            device_bytes=nbytes,
            memory_kind="owned",
            storage_kind="network",
        )
        parts = range(1, self.samples + 1)
        points = tuple((wall_ns * n // self.samples, nbytes * n // self.samples) for n in parts)
        return NodeState("over", nbytes, nbytes, 0.0, self.went[number], points, result)


def packed(state):
    return msgspec.json.encode(state, enc_hook=to_wire)


SAID = {
    "memory": packed(NodeState("over", problem=NO_MEMORY)),
    "escape": packed(NodeState("over", problem=Message("\x1b[8mhidden"))),
    "rubbish": b"\x1b[2J{}\n",
}
