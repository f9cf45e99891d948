"""Copies on the nodes' own disks: what they would cost, and loads from them."""

import errno

import msgspec
import pytest
from tests.core.cluster.simulated import GB, SimulatedFleet
from tests.core.cluster.starts import node_run, nodes, run, way

from modelmon.core.cluster import node as measuring
from modelmon.core.cluster.drive import ClusterOptions, measure
from modelmon.core.cluster.node import local_disk
from modelmon.core.cluster.result import ClusterRun, LocalDisk
from modelmon.core.cluster.summary import cluster_result, copying
from modelmon.core.cluster.ways import ClusterDefaults, way_called
from modelmon.core.errors import ConfigError
from modelmon.core.model.fingerprint import model_fingerprint
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample

DISK = LocalDisk("/scratch", "xfs", 2.0 * GB, 4.0 * GB, has_copy=True)


def refused(folder):
    raise OSError(errno.EROFS, "Read-only file system", folder)


def with_disks(number, *disks):
    return [
        msgspec.structs.replace(node, local=disks[at % len(disks)])
        for at, node in enumerate(nodes(number))
    ]


def test_that_copies_cost_what_the_slower_of_both_takes():
    found = copying([DISK], 10 * GB, 3e9, 3e9)
    assert found is not None
    # Writing takes 5 s, reading 2.5 s of the 3 s that the storage takes.
    assert (found.copy_ns, found.local_ns) == (5e9, 2.5e9)
    assert "worth it from 11 starts on" in found.sentence
    slow_storage = copying([DISK], 10 * GB, 60e9, 60e9)
    assert slow_storage is not None
    assert slow_storage.copy_ns == 60e9
    assert "worth it from 2 starts on" in slow_storage.sentence


def test_that_copies_on_slower_disks_are_said_not_to_help():
    found = copying([DISK, LocalDisk("/scratch", "xfs", 1e8, 1e8)], 10 * GB, 3e9, 3e9)
    assert found is not None
    assert "wouldn't help" in found.sentence


def test_that_nothing_is_said_where_a_disk_is_unknown():
    assert copying([DISK, LocalDisk("/scratch")], GB, 1e9, 1e9) is None


def test_that_the_result_says_what_copies_cost():
    runs = [run(n, GB, 2 * GB, r) for r in range(2) for n in (1, 2, 4)]
    told = cluster_result("/m", with_disks(4, DISK), [way()], runs)
    assert told.copying is not None
    assert told.copying.copy_ns == told.copying.now_ns == 2e9
    assert told.copying.nodes == 4


def test_that_what_local_copies_give_left_no_storage():
    loaded = (node_run("n0", 10**9, device_bytes=10**9),)
    result = cluster_result("/m", nodes(1), [way(local=True)], [ClusterRun("A", 0, loaded)])
    assert result.arms[0].amplification == 0.0
    assert result.copying is None


def test_that_a_way_from_a_copy_needs_its_folder():
    assert way_called("A", "direct/local", ClusterDefaults(local="/scratch")).name == "direct/local"
    with pytest.raises(ConfigError, match="where are they"):
        way_called("A", "direct/local", ClusterDefaults())


def test_that_nodes_load_their_own_copy():
    fleet = SimulatedFleet(2)
    fleet.nodes = with_disks(2, DISK)
    asked = ClusterOptions("/models/tiny.safetensors", repeats=1, local="/scratch")
    paths = []
    for each in (way(), way(local=True)):
        measure(fleet, [each], asked)
        paths.append({job.path for job in fleet.jobs.values()})
    assert paths == [{"/models/tiny.safetensors"}, {"/scratch/tiny.safetensors"}]
    fleet.nodes = with_disks(2, DISK, LocalDisk("/scratch"))
    with pytest.raises(ConfigError, match="1 of 2 nodes have no copy"):
        measure(fleet, [way(local=True)], asked)


def test_that_a_disk_is_measured_and_a_copy_found(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "_MOST_BYTES", 1 << 20)
    path = write_sample(tmp_path / "m.safetensors", "safetensors", 4 << 20, layers=2, seed=1)
    model = model_fingerprint(open_model(path))
    found = local_disk(str(tmp_path), "/elsewhere/m.safetensors", model)
    assert found.has_copy
    assert found.write_bytes_per_s
    assert found.read_bytes_per_s
    assert [each.name for each in tmp_path.iterdir()] == ["m.safetensors"]
    assert not local_disk(str(tmp_path), "/elsewhere/another.safetensors", model).has_copy
    monkeypatch.setattr(measuring, "_rates", refused)
    assert local_disk(str(tmp_path), str(path), model).has_copy
    missing = local_disk(str(tmp_path / "missing"), str(path), model)
    assert "Couldn't write" in missing.why_not
