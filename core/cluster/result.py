"""Records of a cluster measurement, as they are shown and saved."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.cluster.scaling import Between, Scaling
from modelmon.core.cluster.ways import Offset, Way
from modelmon.core.comparison.result import StrategySummary, Verdict
from modelmon.core.limited_numbers import Amount, Integer, Number, UnixTime
from modelmon.core.machine.origin import MachineOrigin
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.worker.events import Cache
from modelmon.core.worker.result import RunResult

CLUSTER_SCHEMA = 1

StragglerCause = Literal["cache", "memory", "processors", "disk", "network", "unknown"]


class Node(msgspec.Struct, frozen=True, omit_defaults=True):
    """A node: `machine` runs it under the kernel that has booted as `boot_id`.

    Loads there stand back for other programs by `niceness`, as the cluster's engine has it.
    `why_not` says why it takes no part (any more), in a sentence, and `remedy` what to do.
    """

    name: str
    machine: MachineOrigin | None = None
    boot_id: str = ""
    modelmon_version: str = ""
    storage_kind: str = ""
    filesystem: str = ""
    niceness: Amount = 0
    model: ModelFingerprint | None = None
    why_not: Message = NOTHING
    remedy: Message = NOTHING

    @property
    def kernel(self) -> str:
        """What nodes have in common that run on one machine; "" where it is not known."""
        return self.boot_id or (self.machine.id if self.machine else "")


class NodeRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """One node's load within a start of several; times are since the first node's was due.

    Its start was due at `due_ns` and came `late_ns` after that by its own clock, of which `offset`
    tells how far it is ahead of the driver's. `ready_ns` is when its load was over; None where it
    did not end well, for the reason in `problem`. `delivered` are times since then and bytes that
    it had.
    """

    node: str
    due_ns: Amount = 0
    late_ns: Integer | None = None
    offset: Offset | None = None
    ready_ns: Amount | None = None
    storage_bytes: Integer | None = None
    delivered: tuple[tuple[Amount, Amount], ...] = ()
    result: RunResult | None = None
    problem: Message = NOTHING


class ClusterRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """One start of several nodes; `round` numbers the repeats.

    `why_not` says why it does not count, in a sentence.
    """

    label: Literal["A", "B"]
    round: Amount
    nodes: tuple[NodeRun, ...]
    why_not: Message = NOTHING

    @property
    def counts(self) -> bool:
        """Whether every node loaded from the start that was asked for."""
        return not self.why_not

    @property
    def is_whole(self) -> bool:
        """Whether every node was ready in the end."""
        return bool(self.nodes) and all(node.ready_ns is not None for node in self.nodes)

    @property
    def ready_ns(self) -> tuple[int, ...]:
        """When nodes were ready, the first one first."""
        return tuple(sorted(node.ready_ns for node in self.nodes if node.ready_ns is not None))

    @property
    def skew_ns(self) -> int | None:
        """How far apart the starts were at most that should have been at one moment, for clocks are
        known to some error; None if unknown.
        """
        late = [
            (node.late_ns, node.offset.error_ns if node.offset is not None else 0)
            for node in self.nodes
            if node.late_ns is not None
        ]
        if len(late) == 1:
            return 0
        return max(map(sum, late)) - min(ns - error for ns, error in late) if late else None

    @property
    def storage_bytes(self) -> int | None:
        """Bytes that left the storage for all of them; None where that of any is unknown."""
        known = [node.storage_bytes for node in self.nodes]
        return None if None in known else sum(each or 0 for each in known)

    def bytes_per_s(self, without: frozenset[str] = frozenset()) -> tuple[int, float]:
        """How many nodes were ready, `without` those, and what they got together until the last."""
        kept = [
            (node.result.load_bytes, node.ready_ns)
            for node in self.nodes
            if node.result is not None and node.ready_ns and node.node not in without
        ]
        last_ns = max((ready_ns for _, ready_ns in kept), default=0)
        return len(kept), sum(nbytes for nbytes, _ in kept) * 1e9 / last_ns if last_ns else 0.0


class CurvePoint(msgspec.Struct, frozen=True):
    """So many nodes at once: medians over `runs` of when nodes were ready, and of all their bytes
    per second until the last one was.
    """

    nodes: Amount
    runs: Amount
    first_ns: Number
    median_ns: Number
    last_ns: Number
    bytes_per_s: Number


class Straggler(msgspec.Struct, frozen=True):
    """A node that takes `ratio` times as long as the node in the middle, and what of it is why."""

    node: str
    ratio: Number
    cause: StragglerCause
    sentence: Message


class Extrapolated(msgspec.Struct, frozen=True):
    """When the last of so many `nodes` would be ready, by the fitted curve: not measured.

    Without a limit that was reached, `value` takes it that there is none, and `high` that there is
    one right behind the last measured number of nodes.
    """

    nodes: Amount
    last_ns: Between


class ClusterArm(msgspec.Struct, frozen=True, omit_defaults=True):
    """Summary of one way to load, by its runs that count, or by all where none does (`counted`).

    The last of `curve` is all nodes; there is one point more for each smaller number. `scaling` is
    fitted to nodes that are no stragglers. `amplification` is bytes that left the storage ÷ bytes
    of the model. In `summary` a run is a start of all nodes, over when the last one is ready.
    """

    way: Way
    counted: Amount
    discarded: Amount
    curve: tuple[CurvePoint, ...]
    skew_ns: Amount | None = None
    amplification: Number | None = None
    scaling: Scaling | None = None
    extrapolated: Extrapolated | None = None
    stragglers: tuple[Straggler, ...] = ()
    summary: StrategySummary | None = None


class ClusterResult(
    msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="cluster"
):
    """A finished measurement on a cluster.

    `recommendation` begins with what to do, then says why. `notes` limit what the result shows,
    such as nodes that share a machine.
    """

    path: str
    cache: Cache
    created_unix_s: UnixTime
    nodes: tuple[Node, ...]
    runs: tuple[ClusterRun, ...]
    arms: tuple[ClusterArm, ...]
    model: ModelFingerprint | None = None
    verdict: Verdict | None = None
    recommendation: tuple[Message, ...] = ()
    notes: tuple[Message, ...] = ()
    stopped: bool = False
    schema: Amount = CLUSTER_SCHEMA
