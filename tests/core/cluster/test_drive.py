"""The driver: many nodes started at once, and those that get lost."""

import msgspec
import pytest
from tests.core.cluster.simulated import GB, LOST, NO_MEMORY, SimulatedFleet
from tests.core.cluster.starts import way

from modelmon.core.cluster import drive
from modelmon.core.cluster.drive import ClusterOptions, Measured, Standing, measure, start_nodes
from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.ways import Start
from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message, from_wire, to_wire

ASKED = ClusterOptions("/models/tiny.safetensors", repeats=3)


@pytest.mark.parametrize("number", [2, 4, 8])
def test_that_the_limit_that_all_nodes_share_is_found(number):
    found = measure(SimulatedFleet(number, GB, 0.7 * number * GB), [way()], ASKED)
    (arm,) = found.arms
    assert arm.scaling.shared.value == pytest.approx(0.7 * number * GB, rel=0.05)
    assert arm.amplification == number
    sliced = measure(SimulatedFleet(number), [way(copy_per="cluster")], ASKED)
    assert sliced.arms[0].amplification == 1.0
    assert arm.discarded == 0
    assert [point.runs for point in arm.curve] == [3] * len(arm.curve)


@pytest.mark.parametrize(
    ("step_ns", "late_ns", "ready_ns"),
    [(0, 0, [GB, GB, GB]), (0, 5, [GB, GB + 5, GB + 10]), (GB, 0, [GB, 2 * GB, 3 * GB])],
    ids=["together", "late", "staggered"],
)
def test_that_nodes_start_when_they_are_due_by_their_own_clocks(step_ns, late_ns, ready_ns):
    fleet = SimulatedFleet(3, late_ns=late_ns)
    start = way(start=Start(step_ns=step_ns))
    loads = start_nodes(fleet, range(3), start, ASKED, lambda *_: None)
    assert [load.due_ns for load in loads] == [0, step_ns, 2 * step_ns]
    assert [load.late_ns for load in loads] == [0, late_ns, 2 * late_ns]
    assert [load.ready_ns for load in loads] == ready_ns
    first_ns = fleet.went[0]
    for number, at_ns in fleet.went.items():
        assert at_ns - number * (GB + step_ns + late_ns) == first_ns


@pytest.mark.parametrize(
    ("fault", "why"), [("prepare", LOST), ("load", LOST), ("memory", NO_MEMORY)]
)
def test_that_a_node_that_fails_is_named_and_the_others_go_on(fault, why):
    fleet = SimulatedFleet(4, faults={2: fault})
    found = measure(fleet, [way()], ASKED)
    marked = [run for run in found.runs if not run.counts]
    (run,) = marked
    assert [load.problem for load in run.nodes] == ["", "", why, ""]
    assert sum(load.result is not None for load in run.nodes) == 3
    assert found.nodes[2].why_not == why
    assert found.arms[0].curve[-1].nodes == 3
    assert any("n2" in note for note in found.notes)


def test_that_rubbish_of_a_node_is_its_problem_alone_and_steers_no_terminal():
    fleet = SimulatedFleet(3, faults={1: "rubbish", 2: "escape"})
    found = measure(fleet, [way()], ASKED)
    assert "can't be read" in found.nodes[1].why_not
    assert "hidden" in found.nodes[2].why_not
    assert "\x1b" not in found.nodes[2].why_not
    assert found.arms[0].curve[-1].nodes == 1
    assert 1 in fleet.dropped


@pytest.mark.parametrize(
    ("fault", "why"), [("prepare", "The node was lost"), ("memory", "Not enough memory")]
)
def test_that_no_node_left_is_an_error_with_its_reason(fault, why):
    with pytest.raises(LoadFailedError, match=f"n0: {why}"):
        measure(SimulatedFleet(2, faults={0: fault, 1: fault}), [way()], ASKED)


def test_that_another_model_at_the_same_path_is_not_loaded():
    fleet = SimulatedFleet(3)
    other = fleet.nodes[1].model
    other = msgspec.structs.replace(other, digest="e" * 64)
    fleet.nodes[1] = msgspec.structs.replace(fleet.nodes[1], model=other)
    found = measure(fleet, [way()], ASKED)
    assert "another one" in found.nodes[1].why_not
    assert {load.node for run in found.runs for load in run.nodes} == {"n0", "n2"}


def test_that_a_node_may_have_run_for_years():
    found = measure(SimulatedFleet(2, ahead_ns=5 * 365 * 86_400 * GB), [way()], ASKED)
    packed = msgspec.json.encode(found, enc_hook=to_wire)
    assert msgspec.json.decode(packed, type=ClusterResult, dec_hook=from_wire) == found


def test_that_a_silent_node_is_given_up(monkeypatch):
    class Silent(SimulatedFleet):
        def go(self, number, at_ns):
            if number != 1:
                super().go(number, at_ns)

    monkeypatch.setattr(drive, "SILENT_S", 0.0)
    fleet = Silent(2)
    found = measure(fleet, [way()], ASKED)
    assert "gave no sign" in found.nodes[1].why_not
    assert fleet.dropped == {1}


def test_that_a_straggler_is_never_the_one_node_of_a_curve():
    found = measure(SimulatedFleet(4, slow={0: 3.0}), [way()], ASKED)
    (arm,) = found.arms
    assert [each.node for each in arm.stragglers] == ["n0"]
    assert arm.scaling.shared is None


def test_that_what_was_measured_before_it_was_stopped_is_told(monkeypatch):
    monkeypatch.setattr(drive, "LEAST_BETWEEN_S", 0.0)

    def stop(event):
        if isinstance(event, Standing) and event.round == 1:
            raise KeyboardInterrupt

    fleet = SimulatedFleet(2)
    found = measure(fleet, [way()], ASKED, stop)
    assert found.stopped
    assert found.arms[0].counted == 2
    assert fleet.dropped


def test_that_starts_are_summed_up_for_who_asks_alone():
    told = []
    for live in (False, True):
        measure(SimulatedFleet(1), [way()], ASKED, told.append, live=live)
        assert any(isinstance(event, Measured) for event in told) is live


def test_that_two_ways_are_compared_by_the_last_node():
    ways = [way(), way("B", start=Start(step_ns=GB))]
    found = measure(SimulatedFleet(3), ways, ASKED._replace(repeats=5))
    assert found.verdict.winner == "A"
    assert "direct/staggered:1s" in found.recommendation[0]
    assert Message("{node}: {why}").template not in found.notes
