"""Nodes that load at once without loading anything: storage with a shared limit, and faults."""

import msgspec
from tests.core.cluster.starts import nodes

from modelmon.core.cluster.node import NodeState
from modelmon.core.cluster.ways import Offset
from modelmon.core.messages import Message, to_wire
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import record_of
from modelmon.core.worker.result import summarise

GB = 10**9
LOST = Message("The node was lost.")
NO_MEMORY = Message("Not enough memory.")


class SimulatedFleet:
    """A Fleet. Nodes get `per_node` bytes per second each, and all that load `shared` together.

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
        if slow is None:
            slow = {}
        if faults is None:
            faults = {}
        self.nodes = nodes(number)
        self.per_node, self.shared = per_node, shared
        self.faults, self.slow, self.late_ns, self.samples = faults, slow, late_ns, samples
        self.ahead_ns = ahead_ns
        self.jobs = {}
        self.went = {}
        self.dropped = set()
        self._told = set()

    def begin(self, number, job):
        self.went.pop(number, None)
        self.jobs[number] = msgspec.json.decode(job, type=ev.Job)
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

    def _prepared(self, job):
        nbytes = self._bytes(job)
        hello = ev.Hello(ev.PROTOCOL, job, "1", 1.7e9, "Linux", 8)
        planned = ev.Planned(
            "tiny", GB, nbytes, 100, 8, ("a",), (GB,), (), (), None, "nfs4", nbytes, nbytes,
            storage_kind="network",
        )  # fmt: skip
        return [hello, planned, ev.Ready(0.0, Message("mincore"), 0)]

    def _loaded(self, number, beside):
        job = self.jobs[number]
        nbytes = self._bytes(job)
        rate = min(self.per_node, self.shared / beside) / self.slow.get(number, 1.0)
        wall_ns = round(nbytes / rate * 1e9)
        samples = [
            ev.Sample(t_ns=wall_ns * n // self.samples, late_ns=0,
                      delivered_bytes=nbytes * n // self.samples, rss_anon_bytes=0)
            for n in range(1, self.samples + 1)
        ]  # fmt: skip
        done = ev.Finished(
            wall_ns=wall_ns, warmup_ns=0, memory_kind="owned", cache_state="cold",
            cache_evidence="verified", counts=True, device_bytes=nbytes, delivered_bytes=nbytes,
            samples=self.samples, supervisor_cpu_ns=0,
            startup_ns=0,
        )  # fmt: skip
        record = record_of([*self._prepared(job), ev.Started(), *samples, done])
        points = tuple((each.t_ns, each.delivered_bytes) for each in samples)
        result, went_ns = summarise(record), self.went[number]
        return NodeState("over", nbytes, nbytes, 0.0, went_ns, points, result)


def packed(state):
    return msgspec.json.encode(state, enc_hook=to_wire)


SAID = {
    "memory": packed(NodeState("over", problem=NO_MEMORY)),
    "escape": packed(NodeState("over", problem=Message("\x1b[8mhidden"))),
    "rubbish": b"\x1b[2J{}\n",
}
