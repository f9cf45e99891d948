"""A · Both · B: one key, and no plot or table shows anything else."""

import pytest
from PySide6.QtCore import Qt
from window_states import States

from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import TimePlot


@pytest.fixture
def compared(window, recordings):
    """A and B have run, all six plots are shown, and a block is selected."""
    window.resize(1920, 1080)
    States(window, recordings).compared()
    window.workspace.plots.show_plots(tuple(window.workspace.plots.by_key))
    window.page_cache_controller.selection.select("layers.3")
    window.activateWindow()
    window.setFocus()
    return window


def arms_of(window):
    """The arms that each plot and table has anything of, tab after tab."""
    space, found = window.workspace, dict[str, set[str]]()
    for plot in space.plots.plots:
        assert isinstance(plot, TimePlot)
        name = type(plot).__name__
        found[name] = {label for (label, _), trace in plot.traces.items() if trace.visible}
        found[f"{name} as CSV"] = {line[0] for line in plot.csv_text().splitlines()[1:]}
    for at in range(space.tabs.count()):
        space.tabs.setCurrentIndex(at)
        space.refresh_plots()
        tab = space.tabs.widget(at)
        if tab is space.waterfall:
            found["waterfall"] = {x for x in ARMS if any(space.waterfall.rows.marks(x))}
        elif tab is space.blocks:
            found["bars"] = {x for x in ARMS if space.blocks.arm_bars[x].bars.isVisible()}
            found["block"] = {x for _, x in space.blocks.details.values}
        elif tab is space.access_map:
            found["map"] = {x for x in ARMS if space.access_map.maps[x].isVisible()}
        elif tab is space.page_cache:
            found["cache"] = {row.arm for row in space.page_cache.lines.rows if row.arm}
        elif tab is not space.cluster:  # its plots are of the ways of a cluster
            assert not tab.findChildren(PlotFrame)
    return found


def test_that_a_key_shows_one_arm_everywhere_and_another_both(qtbot, compared):
    both = arms_of(compared)
    assert len(both) == 2 * 6 + 5
    assert set(map(frozenset, both.values())) == {frozenset("AB")}
    plot = compared.workspace.plots.throughput.canvas
    compared.activateWindow()
    plot.setFocus()
    qtbot.waitUntil(plot.hasFocus)
    for key, arms in ((Qt.Key.Key_A, {"A"}), (Qt.Key.Key_B, {"B"})):
        plot.setFocus()
        qtbot.keyClick(plot, key)
        assert {name: found for name, found in arms_of(compared).items() if found != arms} == {}
        plot.setFocus()
        qtbot.keyClick(plot, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
        assert arms_of(compared) == both
