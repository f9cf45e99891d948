"""What runs on a node, without the cluster around it."""

import time

import msgspec
from tests.core.cluster.starts import way

from modelmon.core.cluster.node import NodeLoad, NodeState, described
from modelmon.core.cluster.result import Node
from modelmon.core.machine.origin import this_machine
from modelmon.core.messages import from_wire
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
    assert done.went_ns >= at_ns
    assert done.delivered_bytes == done.planned_bytes == done.result.load_bytes
    assert not done.problem


def test_that_a_load_that_fails_says_why(tmp_path):
    load = NodeLoad(msgspec.json.encode(Job(str(tmp_path / "none.gguf"), way().config, "direct")))
    done = told_by(load)
    assert done.phase == "over"
    assert "doesn't exist" in done.problem


def told_by(load):
    return msgspec.json.decode(load.state(10), type=NodeState, dec_hook=from_wire)
