"""The driver over Ray's own cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.core.cluster.starts import way

from modelmon.core.cluster.drive import Asked, measure
from modelmon.core.cluster.on_ray import RayFleet

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.conftest import SmallCluster

pytestmark = pytest.mark.usefixtures("nothing_left")


def test_that_three_nodes_load_a_model_at_once(cluster: SmallCluster, model: Path) -> None:
    asked = Asked(str(model), repeats=1, allow_busy=True, condition_memory=False)
    with RayFleet(cluster.address, None, str(model)) as fleet:
        found = measure(fleet, [way()], asked)
    assert [node.why_not for node in found.nodes] == ["", "", ""]
    assert len({node.name for node in found.nodes}) == 3
    (arm,) = found.arms
    assert [point.nodes for point in arm.curve] == [1, 2, 3]
    full = found.runs[0]
    assert len(full.ready_ns) == 3
    assert full.storage_bytes is None or full.storage_bytes >= 3 * model.stat().st_size * 0.9
    offsets = [load.offset for load in full.nodes]
    # One machine has one clock: what was measured of it holds that.
    assert all(each is not None and abs(each.ns) <= each.error_ns for each in offsets)
    assert full.skew_ns is not None
    assert any("3 of 3 nodes are one machine" in note for note in found.notes)
