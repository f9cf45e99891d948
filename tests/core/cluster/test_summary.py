"""What all starts of a cluster say together."""

import tomllib

import msgspec
import pytest
from tests.core.cluster.starts import MS, node_run, nodes, run, way

from modelmon.core.cluster.result import ClusterResult, ClusterRun, NodeRun
from modelmon.core.cluster.summary import (
    best_arm,
    cluster_id,
    cluster_result,
    keep,
    kept,
    storage_bytes_of,
    typical,
)
from modelmon.core.cluster.ways import Offset, Start, sizes_up_to
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import History
from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import Message, from_wire, to_text, to_wire
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.programs.registry import advice
from modelmon.core.worker.run_warnings import warned

GB = 1e9
LOST = Message("The node was lost.")
BOTH = [way(), way("B", copy_per="cluster")]


def curve(size, per_node, shared):
    runs = [run(n, per_node, shared, r) for r in range(3) for n in sizes_up_to(size)]
    return cluster_result("/m", nodes(size), [way()], runs)


def test_that_a_start_that_does_not_count_is_shown_and_not_judged():
    runs = [run(4, GB, 100 * GB), run(4, 9 * GB, 100 * GB, 1, why_not=Message("n2 was lost."))]
    found = cluster_result("/m", nodes(4), [way()], runs)
    (arm,) = found.arms
    assert (arm.counted, arm.discarded) == (1, 1)
    assert arm.curve[-1].last_ns == 1e9
    assert "direct: n2 was lost." in found.notes


@pytest.mark.parametrize(("counts", "best"), [("", "A"), ("B", "B"), ("AB", "B")])
def test_that_starts_that_do_not_count_recommend_nothing(tmp_path, counts, best):
    why = Message("n1: 38% was cached.")
    runs = [
        run(2, rate + r * 1e7, 100 * GB, r, label, why_not="" if label in counts else why)
        for r in range(6)
        for label, rate in (("A", GB), ("B", 2 * GB))
    ]
    found = cluster_result("/m", nodes(2), BOTH, runs)
    assert best_arm(found).way.label == best
    headline = found.recommendation[0]
    assert ("Not counted" in headline) is not counts
    history = History(tmp_path)
    keep(history, found)
    (row,) = history.clusters()
    assert bool(row.last_ns) is bool(counts)


def test_that_ways_are_compared_with_as_many_nodes_once_one_is_lost():
    whole = run(4, 2 * GB, 100 * GB, 0, "B").nodes
    lost = ClusterRun("B", 0, (*whole[:3], NodeRun("n3", problem=LOST)), LOST)
    smaller = [
        run(3, rate + r * 1e7, 100 * GB, r, label)
        for r in range(6)
        for label, rate in (("A", GB), ("B", 2 * GB))
    ]
    found = cluster_result("/m", nodes(4), BOTH, [run(4, GB, 100 * GB), lost, *smaller[1:]])
    assert [arm.curve[-1].nodes for arm in found.arms] == [4, 3]
    assert (found.verdict.winner, found.verdict.pairs) == ("B", 5)
    assert any("Compared on 3 of 4 nodes" in note for note in found.notes)
    assert best_arm(found).way.label == "B"
    assert "the last of 3 nodes" in outcome_of(found, "A").effect
    shown = typical([each for each in found.runs if each.label == "B"])
    assert shown.is_whole


def test_that_what_one_rank_of_several_stores_has_no_figures_of_all():
    several = msgspec.structs.replace(way(), config=LoadConfig(ranks=2))
    for each in (way(), several, way(copy_per="cluster")):
        found = cluster_result("/m", nodes(4), [each], [run(4, GB, 100 * GB)])
        evidence = tomllib.loads(modelmon_toml(outcome_of(found)))["evidence"]
        own = advice(outcome_of(found), ["modelmon"])[0]
        measured = each == way()
        assert ("median_s" in evidence) is measured
        assert own.standing == ("measured" if measured else "mapped")
        for said in (evidence["sentence"], own.effect):
            assert ("which wasn't measured" in said) is not measured


def test_that_the_best_way_of_a_forged_result_is_one_that_it_has():
    runs = [
        run(4, rate, 100 * GB, r, label)
        for r in range(5)
        for label, rate in (("A", GB), ("B", 2 * GB))
    ]
    found = cluster_result("/m", nodes(4), BOTH, runs)
    for arms in (found.arms[:1], found.arms[1:], found.arms * 2, (found.arms[0],) * 2):
        assert best_arm(msgspec.structs.replace(found, arms=arms)) in arms


def test_that_what_makes_a_cluster_unlike_others_is_told():
    nothing = cluster_result("/m", [], [way()], [])
    assert nothing.recommendation == (Message("No run finished on all nodes."),)
    assert not nothing.arms[0].curve
    standing_back = [msgspec.structs.replace(node, niceness=15) for node in nodes(2)]
    loaded = (node_run("n0", 500 * MS), node_run("n1", 500 * MS, late_ns=9 * MS))
    found = cluster_result("/m", standing_back, [way()], [ClusterRun("A", 0, loaded)])
    assert any("RAY_worker_niceness=0" in note for note in found.notes)
    assert found.arms[0].skew_ns == 9 * MS
    assert any("9.00 ms apart" in note for note in found.notes)
    assert not found.arms[0].stragglers
    found = cluster_result("/m", nodes(3, one_machine=True), [way()], [])
    assert any("3 of 3 nodes are one machine" in note for note in found.notes)
    apart = cluster_result("/m", nodes(3), [way()], [])
    assert not any("one machine" in note for note in apart.notes)


def test_that_starts_are_no_closer_than_clocks_are_known():
    loaded = tuple(
        msgspec.structs.replace(node_run(f"n{n}", 500 * MS, late_ns=n), offset=Offset(7, 3 * MS))
        for n in range(2)
    )
    assert ClusterRun("A", 0, loaded).skew_ns == 6 * MS + 1
    assert ClusterRun("A", 0, loaded[:1]).skew_ns == 0


@pytest.mark.parametrize(
    ("cause", "changes"),
    [
        ("disk", {"io_wait_share": 0.99, "storage_kind": "local-disk", "device_bytes": 10**9}),
        ("network", {"io_wait_share": 0.99, "storage_kind": "network", "device_bytes": 10**9}),
        ("cache", {"residency_before_share": 0.1}),
        ("processors", {"warnings": (warned("throttled", Message("Slow.")),)}),
        ("unknown", {}),
    ],
)
def test_that_a_straggler_is_told_with_its_reason(cause, changes):
    usual = {"io_wait_share": 0.5, "device_bytes": 10**9, "residency_before_share": 0.9}
    loaded = [node_run(f"n{n}", (500 + n) * MS, **usual) for n in range(5)]
    loaded.append(node_run("n5", 1500 * MS, **(usual | changes)))
    runs = [ClusterRun("A", r, tuple(loaded)) for r in range(3)]
    runs += [ClusterRun("A", r, (loaded[0],)) for r in range(3)]
    (arm,) = cluster_result("/m", nodes(6), [way()], runs).arms
    (found,) = arm.stragglers
    assert (found.node, found.cause) == ("n5", cause)
    assert "3.0×" in found.sentence
    # It keeps the others waiting, and says nothing of what they share.
    assert arm.curve[-1].last_ns == 1500 * MS
    assert arm.scaling.shared is None


@pytest.mark.parametrize(
    ("slow", "who"), [(1, "All nodes share"), (3, "All but the slow nodes share")]
)
def test_that_it_is_told_whose_rate_is_shared(slow, who):
    def loaded(size):
        walls = [500 * MS * size] * (size - 1) + [500 * MS * size * (slow if size > 2 else 1)]
        return tuple(node_run(f"n{n}", wall_ns) for n, wall_ns in enumerate(walls))

    runs = [ClusterRun("A", r, loaded(size)) for r in range(3) for size in (1, 2, 4)]
    found = cluster_result("/m", nodes(4), [way()], runs)
    assert any(who in sentence for sentence in found.recommendation)


def test_that_staggered_nodes_have_stragglers():
    loads = [node_run(f"n{n}", (500 + n) * MS, due_ns=n * MS) for n in range(6)]
    loads.append(node_run("n6", 1500 * MS, due_ns=6 * MS))
    start = ClusterRun("A", 0, tuple(loads))
    (arm,) = cluster_result("/m", nodes(7), [way(start=Start(step_ns=MS))], [start]).arms
    assert [each.node for each in arm.stragglers] == ["n6"]


def test_that_what_left_the_storage_is_counted_or_unknown():
    counted = node_run("n", 1, device_bytes=7).result
    asked = node_run("n", 1, file_bytes=10**9).result
    assert storage_bytes_of(counted) == 7
    assert storage_bytes_of(asked) == 10**9
    buffered = msgspec.structs.replace(asked, config=way(strategy="mmap").config)
    assert storage_bytes_of(buffered) is None


@pytest.mark.parametrize(
    ("start", "name"),
    [(Start(), "direct"), (Start(MS), "direct/staggered:0.001s")],
)
def test_that_a_result_is_read_back_as_it_was_written(start, name):
    found = curve(4, GB, 2 * GB)
    ways = [msgspec.structs.replace(arm, way=way(start=start)) for arm in found.arms]
    found = msgspec.structs.replace(found, arms=tuple(ways))
    assert found.arms[0].way.name == name
    assert (start.text == "all together") is (name == "direct")
    packed = msgspec.json.encode(found, enc_hook=to_wire)
    assert msgspec.json.decode(packed, type=ClusterResult, dec_hook=from_wire) == found
    assert b"template" not in msgspec.json.encode(found, enc_hook=to_text)


def test_that_a_result_is_found_again(tmp_path):
    history, result = History(tmp_path), curve(2, GB, 9 * GB)
    assert keep(history, result) == "c1"
    assert kept(history, 1) == result
    (row,) = history.clusters(path="/m")
    assert (row.reference, row.nodes, row.ways, row.last_ns) == ("c1", 2, ("direct",), GB)
    assert row.sentence == result.recommendation[0]
    assert not history.clusters(path="/another.gguf")
    history.delete_clusters([1])
    assert not history.clusters()
    with pytest.raises(HistoryError, match="no cluster measurement c1"):
        kept(history, 1)


def test_that_clusters_are_told_apart_by_their_machines():
    some = nodes(2)
    machine = some[0].machine
    other = msgspec.structs.replace(machine, id="another")
    renamed = [msgspec.structs.replace(node, name=f"x{node.name}") for node in some]
    moved = [some[0], msgspec.structs.replace(some[1], machine=other)]
    assert cluster_id(renamed) == cluster_id(some)
    assert cluster_id(moved) != cluster_id(some)
