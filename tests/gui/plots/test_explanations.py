"""Every series of a legend says what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from modelmon.gui.plots.access.access_map import AccessMap
from modelmon.gui.plots.blocks.block_timings import BlockTimings
from modelmon.gui.plots.time.cpu import CpuPlot
from modelmon.gui.plots.time.faults import FaultsPlot
from modelmon.gui.plots.time.io_wait import IoWaitPlot
from modelmon.gui.plots.time.rss import RssPlot
from modelmon.gui.plots.time.throughput import ThroughputPlot
from modelmon.gui.plots.waterfall.waterfall import Waterfall

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from modelmon.gui.plots.frame import PlotFrame


PLOTS = (
    *(ThroughputPlot, IoWaitPlot, RssPlot, CpuPlot, FaultsPlot),
    *(AccessMap, Waterfall, BlockTimings),
)


@pytest.mark.parametrize("kind", PLOTS)
def test_that_every_entry_of_a_legend_says_what_it_is(qtbot: QtBot, kind: type[PlotFrame]) -> None:
    plot = kind()  # type: ignore[call-arg]
    qtbot.addWidget(plot)
    for entry in plot.entries.values():
        assert entry.accessibleDescription().endswith("."), entry.text()
        assert entry.toolTip().startswith(entry.accessibleDescription())
    assert set(plot.explained) == set(plot.entries)
