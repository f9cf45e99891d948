"""The driver and the command over Ray's own cluster: three nodes of one machine."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from tests.cluster.conftest import processes_of_modelmon
from tests.core.cluster.starts import way

from modelmon.core.cluster import on_ray
from modelmon.core.cluster.drive import ClusterOptions, Standing, measure
from modelmon.core.cluster.on_ray import RayFleet
from modelmon.core.errors import ConfigError, LoadFailedError

pytestmark = pytest.mark.usefixtures("nothing_left")


def asked(path, repeats=1):
    return ClusterOptions(str(path), repeats=repeats, allow_busy=True, condition_memory=False)


def actors():
    every = psutil.process_iter(["cmdline"])
    return [each for each in every if "ray::ModelmonNode" in " ".join(each.info["cmdline"] or [])]


def test_that_three_nodes_load_a_model_at_once(cluster, model):
    with RayFleet(cluster.address, None, str(model)) as fleet:
        found = measure(fleet, [way()], asked(model))
    assert [node.why_not for node in found.nodes] == ["", "", ""]
    # Root can undo that Ray has its workers stand back.
    assert {node.niceness for node in found.nodes} == ({0} if os.geteuid() == 0 else {15})
    assert len({node.name for node in found.nodes}) == 3
    (arm,) = found.arms
    assert [point.nodes for point in arm.curve] == [1, 2, 3]
    full = found.runs[0]
    assert len(full.ready_ns) == 3
    assert all(load.result is not None and load.delivered for load in full.nodes)
    offsets = [load.offset for load in full.nodes]
    # One machine has one clock: what was measured of it holds that.
    assert all(each is not None and abs(each.ns) <= each.error_ns for each in offsets)
    assert full.skew_ns is not None
    assert any("3 of 3 nodes are one machine" in note for note in found.notes)


def test_that_slices_leave_the_storage_once(cluster, on_a_device):
    ways = [way(), way("B", copy_per="cluster")]
    with RayFleet(cluster.address, 2, str(on_a_device)) as fleet:
        found = measure(fleet, ways, asked(on_a_device))
    whole, sliced = found.arms
    assert whole.amplification == pytest.approx(2.0, rel=0.05)
    assert sliced.amplification is not None
    (full,) = [run for run in found.runs if run.label == "B" and len(run.nodes) == 2]
    loads = [load.result for load in full.nodes if load.result is not None]
    # Rows of this small model are so short that what lies between two slices is read as well.
    asked_for = sum(load.read_bytes for load in loads) / loads[0].model_bytes
    assert sum(load.file_bytes for load in loads) == pytest.approx(loads[0].model_bytes, rel=0.02)
    assert sliced.amplification == pytest.approx(asked_for, rel=0.05)


def test_that_a_path_that_no_node_has_is_said(cluster, tmp_path):
    missing = tmp_path / "missing.gguf"
    with (
        RayFleet(cluster.address, 1, str(missing)) as fleet,
        pytest.raises(LoadFailedError, match="doesn't exist"),
    ):
        measure(fleet, [way()], asked(missing))


def test_that_more_nodes_than_there_are_are_refused(cluster, model):
    with pytest.raises(ConfigError, match="has 3 nodes with a processor, not 4"):
        RayFleet(cluster.address, 4, str(model))


def test_that_a_node_without_modelmon_says_so(cluster, model, monkeypatch):
    def lacking():
        class ModelmonNode:
            def described(self, _path):
                raise ModuleNotFoundError("No module named 'modelmon'", name="modelmon")

        return ModelmonNode

    monkeypatch.setattr(on_ray, "_actor_class", lacking)
    with RayFleet(cluster.address, 1, str(model)) as fleet:
        assert [n.why_not for n in fleet.nodes] == ["modelmon isn't installed on the node."]


def command(cluster, model, *options):
    where = ("--address", cluster.address, "--no-memory-prep", "--strategy", "direct")
    return [sys.executable, "-P", "-m", "modelmon", "cluster", str(model), *where, *options]


def test_that_the_command_prints_one_document(cluster, model):
    done = subprocess.run(
        command(cluster, model, "--repeats", "1", "--nodes", "2", "--json"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [len(run["nodes"]) for run in told["runs"]] == [2, 1]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_that_nothing_is_left_of_a_driver_that_is_ended(cluster, model, how):
    before = {process.pid for process in processes_of_modelmon()}
    driver = subprocess.Popen(
        command(cluster, model, "--repeats", "50"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        while driver.poll() is None and len(processes_of_modelmon()) <= len(before):
            time.sleep(0.05)
        assert driver.poll() is None
    finally:
        os.kill(driver.pid, how)
    _, said = driver.communicate(timeout=60)
    assert driver.returncode == (-9 if how == signal.SIGKILL else 130), said
    until_s = time.monotonic() + 60
    while actors() and time.monotonic() < until_s:
        time.sleep(0.2)
    assert not actors()


def test_that_the_others_go_on_without_a_node_that_dies(cluster, model):
    """The last one: the cluster has a node less from here on."""
    gone = []

    def follow(event):
        if isinstance(event, Standing) and event.planned_bytes and not gone and event.round == 1:
            gone.append(True)
            cluster.kill_node()

    with RayFleet(cluster.address, None, str(model)) as fleet:
        found = measure(fleet, [way()], asked(model, repeats=3), follow)
    (lost,) = [node for node in found.nodes if node.why_not]
    assert "was lost" in lost.why_not
    assert any(lost.name in note for note in found.notes)
    assert any(run.counts and len(run.nodes) == 3 for run in found.runs)
    assert max(len(run.nodes) for run in found.runs if run.round == 2) == 2
