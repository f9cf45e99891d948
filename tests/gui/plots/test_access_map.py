from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from modelmon.gui.plots.access_map import AccessMap
from modelmon.gui.plots.requests import requests_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from modelmon.core.worker.record import RunRecord


@pytest.fixture
def plot(show: Callable[..., Any]) -> AccessMap:
    made: AccessMap = show(AccessMap(), 1158, 330)
    return made


def _points(plot: AccessMap, label: Any) -> tuple[np.ndarray, np.ndarray]:
    x, y = plot.maps[label].points.getData()
    return np.asarray(x), np.asarray(y)


def test_that_every_request_is_a_point_at_its_place_in_the_model(
    plot: AccessMap, slow: RunRecord
) -> None:
    plot.set_record("A", slow)
    x, y = _points(plot, "A")
    assert len(x) == len(slow.chunks)
    order = np.argsort(slow.chunks.start_ns)
    np.testing.assert_allclose(x, np.array(slow.chunks.start_ns)[order] / 1e9)
    assert slow.planned is not None
    # Four shards of the same size, laid end to end.
    shard = np.array(slow.chunks.shard)[order]
    offset = np.array(slow.chunks.offset_bytes)[order]
    np.testing.assert_allclose(y * 1e9, shard * slow.planned.shard_bytes[0] + offset)
    assert plot.maps["A"].canvas.axes.title("left") == "offset, GB"


def test_that_lines_follow_each_reader_or_the_shared_descriptor(
    recordings: ModuleType,
) -> None:
    small = replace(recordings.FAST, model_bytes=100 * recordings.MIB, chunk_bytes=recordings.MIB)
    own = requests_of(recordings.record(small))
    assert np.isnan(own.joined(0, len(own), 1.0)[0]).sum() == 3
    shared = requests_of(recordings.record(replace(small, shared_descriptor=True)))
    x, _ = shared.joined(0, len(shared), 1.0)
    assert not np.isnan(x).any()
    assert (np.diff(x) >= 0).all()


def test_that_restarts_are_jumps_of_a_descriptor(recordings: ModuleType) -> None:
    small = replace(recordings.FAST, model_bytes=100 * recordings.MIB, chunk_bytes=recordings.MIB)
    assert requests_of(recordings.record(small)).restarts == 0
    shared = requests_of(recordings.record(replace(small, shared_descriptor=True, shards=1)))
    assert shared.restarts > 50


def test_that_arms_far_apart_in_time_have_own_axes_that_say_so(
    plot: AccessMap, slow: RunRecord, fast: RunRecord, recordings: ModuleType
) -> None:
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    axes = {label: each.canvas for label, each in plot.maps.items()}
    assert axes["A"].x_range == axes["B"].x_range == (0.0, 9.0)
    quick = recordings.record(replace(recordings.FAST, rate_bytes_per_s=40e9))
    plot.set_record("B", quick)
    assert axes["A"].x_range == (0.0, 9.0)
    assert axes["B"].x_range == (0.0, 0.5)
    for each in axes.values():
        assert each.axes.title("bottom") == "seconds since start, own scale"


def test_that_very_many_requests_become_a_density_image(
    plot: AccessMap, recordings: ModuleType
) -> None:
    many = recordings.record(replace(recordings.SLOW, chunk_bytes=160_000))
    assert len(many.chunks) > 100_000
    plot.set_record("A", many)
    shown = plot.maps["A"]
    assert shown.density.visible
    assert not shown.points.isVisible()
    assert shown.density.counts.sum() == len(many.chunks)
    assert shown.caption.text() == "Whole load, density"
    shown.canvas.show_x(1.0, 1.5)
    assert not shown.density.visible
    x, _ = _points(plot, "A")
    assert 0.99 < x.min() <= x.max() < 1.51


def test_that_the_band_picks_what_the_closer_look_shows(
    plot: AccessMap, recordings: ModuleType
) -> None:
    fake = recordings.Fake(
        model_bytes=548_000_000,
        rate_bytes_per_s=21.7e6,
        chunk_bytes=recordings.MIB,
        readers=4,
        shards=1,
        shared_descriptor=True,
    )
    plot.set_record("A", recordings.record(fake))
    zoom = plot.zooms["A"]
    assert zoom.isVisible()
    plot.regions["A"].setRegion((3.0, 5.0))
    assert zoom.canvas.x_range == (3.0, 5.0)
    assert zoom.caption.text() == "3.00 to 5.00 s"
    assert "restarts (inferred)" in plot.maps["A"].detail.text()


def test_that_steady_loads_need_no_closer_look(plot: AccessMap, slow: RunRecord) -> None:
    plot.set_record("A", slow)
    assert not plot.zooms["A"].isVisible()


def test_that_new_requests_appear_and_hidden_arms_do_not(
    plot: AccessMap, slow: RunRecord, recordings: ModuleType
) -> None:
    plot.set_record("A", slow)
    running = recordings.record(replace(recordings.FAST, until_s=2.0))
    plot.set_record("B", running)
    before = len(_points(plot, "B")[0])
    running.feed(recordings.ev.Chunks(0, (0,), (0,), (1000,), (2_000_000_000,), (2_001_000_000,)))
    plot.refresh()
    assert len(_points(plot, "B")[0]) == before + 1
    plot.set_visible_arms({"A"})
    assert plot.maps["A"].isVisible()
    assert not plot.maps["B"].isVisible()


def test_that_hovering_a_point_names_its_request(plot: AccessMap, slow: RunRecord) -> None:
    plot.set_record("A", slow)
    x, y = _points(plot, "A")
    plot.maps["A"].canvas.hovered.emit(float(x[10]), float(y[10]))
    (row,) = plot.maps["A"].readout.rows
    assert row.texts[0] == "1"
    assert row.texts[2] == "16 MiB"
    plot.maps["A"].canvas.hovered.emit(0.5, 15.0)
    assert plot.maps["A"].readout.isHidden()
