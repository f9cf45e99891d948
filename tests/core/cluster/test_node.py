"""What runs on a node, without the cluster around it."""

import time

import msgspec
import pytest
from tests.core.cluster.starts import way

from modelmon.core.cluster.node import NodeLoad, described
from modelmon.core.cluster.result import Node
from modelmon.core.machine.origin import this_machine
from modelmon.core.messages import from_wire
from modelmon.core.worker.events import Job, Ready, decode
from modelmon.core.worker.record import record_of

AHEAD_NS = 50_000_000


def node_with(path):
    return msgspec.json.decode(described(str(path)), type=Node, dec_hook=from_wire)


def test_that_a_node_describes_itself_and_the_model(sample):
    node = node_with(sample)
    assert node.machine == this_machine()
    assert node.model is not None
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
    events = []
    at_ns = went_ns = None
    over = False
    while not over:
        lines, went_ns, over = load.take(10)
        events += map(decode, lines)
        if at_ns is None and any(isinstance(event, Ready) for event in events):
            assert went_ns is None
            at_ns = time.monotonic_ns() + AHEAD_NS
            load.go(at_ns)
    assert went_ns is not None
    assert at_ns is not None
    assert went_ns >= at_ns
    record = record_of(events)
    assert record.finished is not None
    # Lines of requests and blocks stay on the node.
    assert not len(record.chunks)
    assert not record.blocks
