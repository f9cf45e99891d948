"""Starts of clusters that never took place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from tests.core.conftest import HERE, LOADED

from modelmon.core.cluster.result import ClusterRun, Node, NodeRun, Way
from modelmon.core.cluster.summary import storage_bytes_of
from modelmon.core.load.presets import PRESETS

if TYPE_CHECKING:
    from modelmon.core.experiment.schedule import Label
    from modelmon.core.messages import Message

MS = 10**6


def way(label: Label = "A", strategy: str = "direct", **changes: Any) -> Way:
    return Way(label, strategy, PRESETS[strategy].config, **changes)


def nodes(number: int, *, one_machine: bool = False) -> list[Node]:
    return [
        Node(f"n{n}", HERE.machine, "boot" if one_machine else f"boot{n}", model=HERE.model)
        for n in range(number)
    ]


def node_run(name: str, wall_ns: int, due_ns: int = 0, late_ns: int = 0, **changes: Any) -> NodeRun:
    done = msgspec.structs.replace(
        LOADED, strategy="direct", config=PRESETS["direct"].config, wall_ns=wall_ns, **changes
    )
    ready_ns = due_ns + late_ns + wall_ns
    return NodeRun(name, due_ns, late_ns, None, ready_ns, storage_bytes_of(done), result=done)


def run(
    size: int,
    per_node: float,
    shared: float,
    number: int = 0,
    label: Label = "A",
    *,
    why_not: Message | str = "",
) -> ClusterRun:
    """All load a gigabyte, at rates in bytes per second."""
    wall_ns = round(1e18 * size / min(size * per_node, shared))
    loaded = tuple(node_run(f"n{n}", wall_ns, device_bytes=10**9) for n in range(size))
    return ClusterRun(label, number, loaded, why_not)  # type: ignore[arg-type]
