"""Cluster results in the history."""

import msgspec
import pytest
from tests.core.cluster.starts import nodes, run, way

from modelmon.core.cluster.summary import cluster_id, cluster_result, keep, kept, number_called
from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import History

GB = 1e9
RESULT = cluster_result("/m.gguf", nodes(2), [way()], [run(1, GB, 9 * GB), run(2, GB, 9 * GB)])


def test_that_a_result_is_found_again(tmp_path):
    history = History(tmp_path)
    assert keep(history, RESULT) == "c1"
    assert kept(history, 1) == RESULT
    (row,) = history.clusters(path="/m.gguf")
    assert (row.reference, row.nodes, row.ways, row.last_ns) == ("c1", 2, ("direct",), GB)
    assert row.sentence == RESULT.recommendation[0]
    assert not history.clusters(path="/another.gguf")
    history.delete_clusters([1])
    assert not history.clusters()
    with pytest.raises(HistoryError, match="no cluster measurement c1"):
        kept(history, 1)


def test_that_clusters_are_told_apart_by_their_machines():
    some = nodes(2)
    machine = some[0].machine
    assert machine is not None
    other = msgspec.structs.replace(machine, id="another")
    renamed = [msgspec.structs.replace(node, name=f"x{node.name}") for node in some]
    moved = [some[0], msgspec.structs.replace(some[1], machine=other)]
    assert cluster_id(renamed) == cluster_id(some)
    assert cluster_id(moved) != cluster_id(some)


def test_that_only_references_to_clusters_are_taken_for_such():
    assert [number_called(each) for each in ("c12", "12", "x7", "c", "c1.json")] == [
        12,
        None,
        None,
        None,
        None,
    ]
