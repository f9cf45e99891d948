"""Clusters in the window, of nodes that are made up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from tests.core.cluster.simulated import GB, SimulatedFleet
from tests.core.cluster.starts import way

from modelmon.core.cluster.drive import Asked, measure
from modelmon.core.cluster.live import Begun, Ended, Telling
from modelmon.core.messages import to_wire

if TYPE_CHECKING:
    from modelmon.core.cluster.live import LiveEvent
    from modelmon.core.cluster.result import ClusterResult, Way

PATH = "/models/tiny.safetensors"


def told(
    nodes: int = 8,
    ways: tuple[Way, ...] = (way(), way("B", copy_per="cluster")),
    shared: float = 3 * GB,
    slow: dict[int, float] | None = None,
    repeats: int = 2,
    samples: int = 20,
    faults: dict[int, str] | None = None,
) -> list[LiveEvent]:
    """All that a driver tells, with a node that lags behind unless `slow` says otherwise."""
    fleet = SimulatedFleet(
        nodes,
        GB,
        shared,
        slow={nodes - 1: 2.0} if slow is None else slow,
        samples=samples,
        faults=faults or {},
    )
    events: list[LiveEvent] = [Begun(PATH, tuple(fleet.nodes), ways, repeats)]
    result = measure(fleet, ways, Asked(PATH, repeats=repeats), Telling(PATH, ways, events.append))
    return [*events, Ended(result)]


def result_of(events: list[LiveEvent]) -> ClusterResult:
    """What came of it."""
    last = events[-1]
    assert isinstance(last, Ended)
    return last.result


def lines(events: list[LiveEvent]) -> list[str]:
    """As the driver's process writes them."""
    return [msgspec.json.encode(each, enc_hook=to_wire).decode() for each in events]
