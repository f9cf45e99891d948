"""Nodes that read from one store, whose shared limit is known."""

from dataclasses import replace

import msgspec
import pytest
from tests.core.cluster.starts import way

from modelmon.core.cluster.drive import ClusterOptions, measure
from modelmon.core.cluster.on_ray import RayFleet
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served

pytestmark = [
    pytest.mark.usefixtures("nothing_left"),
    pytest.mark.skipif(bool(mounts.why_not()), reason=mounts.why_not() or "-"),
]
NODES = 8
MB = 10**6
PER_NODE = 16 * MB
REPEATS = 2


@pytest.mark.parametrize("nodes", [2, 4, 8])
def test_that_the_limit_that_nodes_share_is_found(cluster, model, tmp_path, nodes):
    # Small requests, so that all readers of a node end at the same time.
    finely = way()
    finely = msgspec.structs.replace(finely, config=replace(finely.config, chunk_bytes=128 * 1024))
    truth = 0.7 * nodes * PER_NODE
    with (
        served(
            model,
            tmp_path,
            Cost(
                first_byte_s=0.0,
                bytes_per_s=truth,
                stream_bytes_per_s=PER_NODE / finely.config.readers,
            ),
        ) as store,
        RayFleet(cluster.address, nodes, str(store.path)) as fleet,
    ):
        asked = ClusterOptions(
            str(store.path), repeats=REPEATS, allow_busy=True, condition_memory=False
        )
        found = measure(fleet, [finely], asked)
        sent = store.counts().bytes
    (arm,) = found.arms
    assert arm.scaling.shared.value == pytest.approx(truth, rel=0.05)
    assert arm.scaling.knee.value == pytest.approx(truth / PER_NODE, rel=0.05)
    assert arm.scaling.shared.low < truth < arm.scaling.shared.high
    assert arm.amplification == pytest.approx(nodes, rel=0.01)
    # The store itself has counted as much.
    loads = REPEATS * sum(point.nodes for point in arm.curve)
    assert sent == pytest.approx(loads * model.stat().st_size, rel=0.01)


def test_that_the_way_is_recommended_that_is_truly_faster(cluster, model, tmp_path):
    """Two nodes that want all of it twice from a store that one of them uses up."""
    with (
        served(
            model, tmp_path, Cost(first_byte_s=0.0, bytes_per_s=64 * MB, stream_bytes_per_s=8 * MB)
        ) as store,
        RayFleet(cluster.address, 2, str(store.path)) as fleet,
    ):
        asked = ClusterOptions(str(store.path), repeats=5, allow_busy=True, condition_memory=False)
        found = measure(fleet, [way(), way("B", copy_per="cluster")], asked)
    assert found.verdict.winner == "B"
    assert "direct/cluster" in found.recommendation[0]
