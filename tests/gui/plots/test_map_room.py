"""What is written on maps and rulers where there is little room."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from modelmon.gui.blocks.access_map import AccessMap
from modelmon.gui.blocks.request_map import RequestMap
from modelmon.gui.plots.requests import Requests


@pytest.mark.parametrize(("height", "most"), [(500, 8), (150, 3)])
def test_that_readers_are_named_where_their_names_do_not_touch(show, recordings, height, most):
    plot = show(AccessMap(), 1158, height)
    plot.set_record("A", recordings.record(replace(recordings.FAST, readers=8)))
    QApplication.processEvents()
    names = [name for name in plot.maps["A"]._names if name.isVisible()]
    assert 0 < len(names) <= most
    boxes = [name.mapRectToScene(name.boundingRect()) for name in names]
    tops = sorted(box.center().y() for box in boxes)
    assert all(low + 10 < high for low, high in pairwise(tops))


_ENDS = st.lists(st.tuples(st.floats(4.0, 5.0), st.floats(0.0, 1e9)), min_size=2, max_size=5)


@given(ends=_ENDS, height=st.integers(120, 500))
def test_that_no_names_touch_wherever_readers_ended(show, ends, height):
    plot = show(RequestMap("A"), 600, height)
    plot.show_requests(_ending_at(ends), 0.0, 5.0)
    QApplication.processEvents()
    names = [name for name in plot._names if name.isVisible()]
    # Qt keeps four pixels around the letters; less than one of theirs may touch.
    boxes = [name.mapRectToScene(name.boundingRect()).adjusted(4, 4.5, -4, -4.5) for name in names]
    assert not any(one.intersects(other) for one, other in combinations(boxes, 2))


def _ending_at(ends):
    """One request of each reader, made in the order of time."""
    seconds, positions = np.array(sorted(ends)).T
    count = len(ends)
    return Requests(
        seconds=seconds,
        durations_s=np.full(count, 0.001),
        positions=positions,
        nbytes=np.full(count, 1e6),
        readers=np.arange(count),
        descriptors=np.arange(count),
        shared=False,
        merged=1.0,
        total_bytes=1_001_000_000,
        shard_starts=(0,),
    )


def test_that_what_a_map_says_is_shortened_and_told_whole_on_top(show, recordings):
    plot = show(AccessMap(), 420, 330)
    for arm in ("A", "B"):
        plot.set_record(arm, recordings.record(recordings.FAST))
    detail = plot.maps["A"].detail
    assert not detail.is_whole
    assert detail.text().endswith("…")
    assert detail.toolTip().startswith(detail.whole)
