"""Tests with Ray's own cluster, three nodes of one machine: `make test-cluster` alone has them."""

import sys

import psutil
import pytest
from tests.cluster.small_cluster import SmallCluster

from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

ray = pytest.importorskip("ray", reason="Ray isn't installed: pip install 'ray[client]'")


def pytest_collection_modifyitems(items):
    for item in items:
        # Ray leaves sockets and processes for the garbage collection to close.
        item.add_marker(pytest.mark.filterwarnings("default"))


@pytest.fixture(scope="module")
def cluster(request):
    """Of three nodes, or as many as its module says in NODES."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        found = SmallCluster(getattr(request.module, "NODES", 3))
        yield found
        found.shutdown()


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """On a disk, of a size that takes a moment."""
    folder = tmp_path_factory.mktemp("models")
    return write_sample(folder / "small.safetensors", "safetensors", 64 * MIB, layers=4, seed=1)


_MODULES = {"modelmon.core.worker", "modelmon.core.load.loader"}


def processes_of_modelmon():
    """Workers and loaders of this environment that run, whoever started them."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if words[:1] == [sys.executable] and _MODULES.intersection(words):
            found.append(process)
    return found


@pytest.fixture
def nothing_left():
    """No worker, loader or actor outlives a test."""
    before = {process.pid for process in processes_of_modelmon()}
    yield
    _, alive = psutil.wait_procs(
        [each for each in processes_of_modelmon() if each.pid not in before], timeout=20
    )
    assert not alive
