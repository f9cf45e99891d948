"""What runs on a node, without the cluster around it, and what copies on its own disk cost."""

import errno
import time

import msgspec
import pytest
from tests.core.cluster.simulated import GB, SimulatedFleet
from tests.core.cluster.starts import node_run, nodes, run, way

from modelmon.core.cluster import node as node_module
from modelmon.core.cluster.drive import ClusterOptions, measure
from modelmon.core.cluster.node import NodeLoad, NodeState, described, local_disk
from modelmon.core.cluster.result import ClusterRun, LocalDisk, Node
from modelmon.core.cluster.summary import cluster_result, copying
from modelmon.core.cluster.ways import ClusterDefaults, way_called
from modelmon.core.errors import ConfigError
from modelmon.core.machine.origin import this_machine
from modelmon.core.messages import from_wire
from modelmon.core.model.fingerprint import model_fingerprint
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.worker.events import Job

AHEAD_NS = 50_000_000


def node_with(path):
    return msgspec.json.decode(described(str(path)), type=Node, dec_hook=from_wire)


def test_that_a_node_describes_itself_and_the_model(sample):
    node = node_with(sample)
    assert node.machine == this_machine()
    assert node.model.name == "tiny"
    assert not node.why_not
    assert node.kernel


def test_that_a_node_says_why_it_can_not_load(tmp_path):
    node = node_with(tmp_path / "missing.gguf")
    assert "doesn't exist" in node.why_not
    assert node.remedy
    assert node.model is None


@pytest.mark.system
def test_that_a_load_is_held_until_its_moment(sample):
    job = Job(str(sample), way().config, "direct", cache="as-is", condition_memory=False)
    load = NodeLoad(msgspec.json.encode(job))
    states = [told_by(load)]
    assert (states[0].phase, states[0].went_ns) == ("waits", None)
    at_ns = time.monotonic_ns() + AHEAD_NS
    load.go(at_ns)
    while states[-1].phase != "over":
        states.append(told_by(load))
    done = states[-1]
    assert done.went_ns is not None
    assert done.went_ns >= at_ns
    assert done.delivered_bytes == done.planned_bytes == done.result.load_bytes
    assert not done.problem


@pytest.mark.system
def test_that_a_load_that_fails_says_why(tmp_path):
    load = NodeLoad(msgspec.json.encode(Job(str(tmp_path / "none.gguf"), way().config, "direct")))
    done = told_by(load)
    assert done.phase == "over"
    assert "doesn't exist" in done.problem


def told_by(load):
    return msgspec.json.decode(load.state(10), type=NodeState, dec_hook=from_wire)


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
    # Writing takes 5 s, reading 2.5 s of the 3 s that the storage takes.
    assert (found.copy_ns, found.local_ns) == (5e9, 2.5e9)
    assert "worth it from 11 starts on" in found.sentence
    slow_storage = copying([DISK], 10 * GB, 60e9, 60e9)
    assert slow_storage.copy_ns == 60e9
    assert "worth it from 2 starts on" in slow_storage.sentence


def test_that_copies_on_slower_disks_are_said_not_to_help():
    found = copying([DISK, LocalDisk("/scratch", "xfs", 1e8, 1e8)], 10 * GB, 3e9, 3e9)
    assert "wouldn't help" in found.sentence


def test_that_nothing_is_said_where_a_disk_is_unknown():
    assert copying([DISK, LocalDisk("/scratch")], GB, 1e9, 1e9) is None


def test_that_the_result_says_what_copies_cost():
    runs = [run(n, GB, 2 * GB, r) for r in range(2) for n in (1, 2, 4)]
    told = cluster_result("/m", with_disks(4, DISK), [way()], runs)
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
    monkeypatch.setattr(node_module, "_MOST_BYTES", 1 << 20)
    path = write_sample(tmp_path / "m.safetensors", "safetensors", 4 << 20, layers=2, seed=1)
    model = model_fingerprint(open_model(path))
    found = local_disk(str(tmp_path), "/elsewhere/m.safetensors", model)
    assert found.has_copy
    assert found.write_bytes_per_s
    assert found.read_bytes_per_s
    assert [each.name for each in tmp_path.iterdir()] == ["m.safetensors"]
    assert not local_disk(str(tmp_path), "/elsewhere/another.safetensors", model).has_copy
    monkeypatch.setattr(node_module, "_rates", refused)
    assert local_disk(str(tmp_path), str(path), model).has_copy
    missing = local_disk(str(tmp_path / "missing"), str(path), model)
    assert "Couldn't write" in missing.why_not
