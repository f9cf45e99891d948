from dataclasses import replace

import pytest

from modelmon.core.worker.events import Sample
from modelmon.core.worker.record import RunRecord
from modelmon.gui.plots.rss import RssPlot


@pytest.fixture
def plot(show):
    return show(RssPlot(), 288)


def _top(plot, label, kind):
    return plot.areas[label, kind].path().boundingRect().bottom()


def test_that_kinds_of_memory_are_stacked_under_their_sum(plot, slow, fast):
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    last = slow.samples[-1]
    assert last.rss_anon_bytes is not None
    assert last.rss_file_bytes is not None
    assert plot.canvas.axes.title("left") == "GB"
    assert _top(plot, "A", "anon") == pytest.approx(last.rss_anon_bytes / 1e9)
    total = (last.rss_anon_bytes + last.rss_file_bytes) / 1e9
    assert _top(plot, "A", "file") == pytest.approx(total)
    assert plot.traces["A", "total"].line.at_y[-1] == pytest.approx(total)
    assert _top(plot, "B", "anon") > 15
    assert plot.model_size.text == "Model 16.1 GB"
    assert plot.model_size.y == pytest.approx(16.06, abs=0.01)
    names, rows = plot.values_at(4.0)
    assert names == ["total", "private", "mapped"]
    assert rows[0].texts[1] == "35 MB"
    assert all(text.endswith(" GB") for text in (rows[0].texts[0], rows[0].texts[2]))
    plot.entries["file"].click()
    assert not plot.areas["A", "file"].isVisible()
    assert plot.areas["A", "anon"].isVisible()


def test_that_shared_memory_enters_the_legend_only_where_there_is_some(plot, recordings):
    record = RunRecord()
    for event in recordings.events(replace(recordings.FAST, until_s=1.0)):
        record.feed(event)
    plot.resize(700, plot.height())
    plot.set_record("A", record)
    assert plot.entries["shared"].isHidden()
    last = record.samples[-1]
    record.feed(Sample(last.t_ns + 50_000_000, 0, last.delivered_bytes, rss_shared_bytes=10**9))
    plot.refresh()
    assert not plot.entries["shared"].isHidden()


def test_that_a_limit_is_drawn_where_the_load_comes_near_it(plot, slow):
    plot.set_record("A", slow)
    loaded = plot.model_size.y
    assert loaded is not None
    size = plot.scale.unit.size
    plot.set_limit(int(1.5 * loaded * size), "cgroup limit 24 GB")
    assert plot.limit.text == "cgroup limit 24 GB"
    assert plot.limit.y == pytest.approx(1.5 * loaded)
    assert plot.scale.high >= 1.5 * loaded
    plot.set_limit(int(100 * loaded * size), "RAM")
    assert not plot.limit.visible
    assert plot.scale.high < 2 * loaded
    plot.set_limit(None)
    assert not plot.limit.visible
