"""What `modelmon cluster` refuses before it starts anything, and what it prints."""

import json
import sys

import pytest
from tests.core.cluster.simulated import GB, SimulatedFleet

from modelmon.core.cli import cluster
from modelmon.core.cli.main import main
from modelmon.core.errors import EXIT_DONE, EXIT_USAGE


class Entered(SimulatedFleet):
    """Used where the terminal would go to Ray."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Nothing to give back."""


@pytest.fixture
def fleet(monkeypatch):
    found = Entered(4, GB, 2 * GB)
    monkeypatch.setattr(cluster, "RayFleet", lambda *_: found)
    return found


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--strategy", "direct", "--compare", "mmap,direct"), "not both"),
        (("--compare", "mmap"), "two strategies"),
        (("--compare", "mmap,mmap"), "with itself"),
        (("--compare", "mmap,direct/sometimes"), "Unknown start mode"),
        (("--compare", "mmap,nothing"), "nothing"),
        (("--start", "staggered"), "staggered:2s"),
        (("--nodes", "some"), "isn't a number of nodes"),
        (("--nodes", "0"), "isn't a number of nodes"),
        (("--ranks-per-node", "2", "--copy-per", "cluster"), "one rank per node"),
        (("--address", "127.0.0.1:1"), "127.0.0.1:1"),
    ],
)
def test_that_what_can_not_be_is_refused(arguments, why, capsys):
    if "--address" in arguments:
        pytest.importorskip("ray")
    assert main(["cluster", "/m.safetensors", *arguments]) == EXIT_USAGE
    assert why in " ".join(capsys.readouterr().err.split())


def test_that_the_lack_of_ray_is_said_with_what_brings_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["cluster", "/m.safetensors"]) == EXIT_USAGE
    assert "pip install 'ray[client]'" in capsys.readouterr().err


def test_that_a_table_tells_the_curve_and_each_node(fleet, tmp_path, capsys):
    out = tmp_path / "cluster.json"
    arguments = ["--strategy", "direct", "--nodes", "4", "--out", str(out)]
    assert main(["cluster", "/m.safetensors", *arguments]) == EXIT_DONE
    told = capsys.readouterr().out
    assert "All nodes share 2.00 GB/s" in told
    assert "storage is at its limit" in told
    assert "For 40 nodes expect 20.0 s" in told
    assert all(node.name in told for node in fleet.nodes)
    assert json.loads(out.read_text())["arms"][0]["scaling"]["nodes"] == 4


@pytest.mark.usefixtures("fleet")
def test_that_two_ways_are_compared_as_json(capsys):
    assert main(["cluster", "/m.safetensors", "--compare", "direct,direct/cluster", "--json"]) == (
        EXIT_DONE
    )
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"]["winner"] == "B"
    assert "direct/cluster" in told["recommendation"][0]
    assert [arm["amplification"] for arm in told["arms"]] == [4.0, 1.0]
