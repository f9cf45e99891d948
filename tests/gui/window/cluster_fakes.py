"""Clusters in the window, of nodes that are made up."""

import msgspec
from tests.core.cluster.simulated import GB, SimulatedFleet
from tests.core.cluster.starts import way

from modelmon.core.cluster.drive import ClusterOptions, Ended, measure
from modelmon.core.messages import to_wire

PATH = "/models/tiny.safetensors"


def told(
    nodes=8,
    ways=(way(), way("B", copy_per="cluster")),
    shared=3 * GB,
    slow=None,
    repeats=2,
    samples=20,
    faults=None,
):
    """All that a driver tells, with a node that lags behind unless `slow` says otherwise."""
    fleet = SimulatedFleet(
        nodes,
        GB,
        shared,
        slow={nodes - 1: 2.0} if slow is None else slow,
        samples=samples,
        faults=faults or {},
    )
    events = []
    result = measure(fleet, ways, ClusterOptions(PATH, repeats=repeats), events.append)
    return [*events, Ended(result)]


def result_of(events):
    """What came of it."""
    last = events[-1]
    assert isinstance(last, Ended)
    return last.result


def lines(events):
    """As the driver's process writes them."""
    return [msgspec.json.encode(each, enc_hook=to_wire).decode() for each in events]
