"""Nodes that load at once without loading anything: storage with a shared limit, and faults."""

import msgspec
from tests.core.cluster.starts import nodes

from modelmon.core.cluster.drive import Took
from modelmon.core.cluster.start import Offset
from modelmon.core.messages import Message
from modelmon.core.worker import events as ev

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

    def take(self, numbers, wait_s):
        del wait_s
        found = {}
        loading = [number for number in numbers if number in self.went]
        for number in numbers:
            fault = self.faults.get(number)
            if fault == "prepare" or (fault == "load" and number in self.went):
                found[number] = LOST
            elif fault == "memory":
                failed = ev.encode(ev.Failed("does-not-fit", NO_MEMORY))
                found[number] = Took([failed], None, True)
            elif fault == "escape":
                failed = ev.encode(ev.Failed("internal", Message("\x1b[8mhidden")))
                found[number] = Took([failed], None, True)
            elif fault == "rubbish":
                found[number] = Took([b"\x1b[2J{}\n"], None, False)
            elif number not in self._told:
                self._told.add(number)
                found[number] = Took(self._prepared(self.jobs[number]), None, False)
            elif number in self.went:
                lines = self._loaded(number, len(loading))
                found[number] = Took(lines, self.went[number], True)
        return found

    def _bytes(self, job):
        return GB // job.subset.ranks

    def _prepared(self, job):
        nbytes = self._bytes(job)
        hello = ev.Hello(ev.PROTOCOL, job, "1", 1.7e9, "Linux", 8)
        planned = ev.Planned(
            "tiny", GB, nbytes, 100, 8, ("a",), (GB,), (), (), None, "nfs4", nbytes, nbytes,
            storage_kind="network",
        )  # fmt: skip
        return [ev.encode(each) for each in (hello, planned, ev.Ready(0.0, Message("mincore"), 0))]

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
        return [ev.encode(each) for each in (ev.Started(), *samples, done)]
