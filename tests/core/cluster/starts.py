"""Starts of clusters that never took place."""

import msgspec
from tests.core.conftest import HERE, LOADED

from modelmon.core.cluster.result import ClusterRun, Node, NodeRun
from modelmon.core.cluster.summary import storage_bytes_of
from modelmon.core.cluster.ways import Way
from modelmon.core.load.config import PRESETS

MS = 10**6


def way(label="A", strategy="direct", **changes):
    return Way(label, strategy, PRESETS[strategy].config, **changes)


def nodes(number, *, one_machine=False):
    return [
        Node(f"n{n}", HERE.machine, "boot" if one_machine else f"boot{n}", model=HERE.model)
        for n in range(number)
    ]


def node_run(name, wall_ns, due_ns=0, late_ns=0, **changes):
    done = msgspec.structs.replace(
        LOADED, strategy="direct", config=PRESETS["direct"].config, wall_ns=wall_ns, **changes
    )
    ready_ns = due_ns + late_ns + wall_ns
    return NodeRun(name, due_ns, late_ns, None, ready_ns, storage_bytes_of(done), result=done)


def run(size, per_node, shared, number=0, label="A", *, why_not=""):
    """All load a gigabyte, at rates in bytes per second."""
    wall_ns = round(1e18 * size / min(size * per_node, shared))
    loaded = tuple(node_run(f"n{n}", wall_ns, device_bytes=10**9) for n in range(size))
    return ClusterRun(label, number, loaded, why_not)  # type: ignore[arg-type]
