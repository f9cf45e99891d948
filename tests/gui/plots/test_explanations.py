"""What tool tips say of series and settings can be read at a glance."""

from html import unescape

import pytest

from modelmon.core.cluster.result import ClusterRun
from modelmon.core.explain.glossary import BLOCK, NODE, PHASE, RUN
from modelmon.core.export.result_items import nodes_table
from modelmon.gui.blocks.access_map import AccessMap
from modelmon.gui.blocks.block_timings import BlockTimings
from modelmon.gui.blocks.figures_column import SEEN_FIGURES, TIME_FIGURES
from modelmon.gui.blocks.page_cache import PageCache
from modelmon.gui.blocks.waterfall import RANGE_FIGURES, Waterfall
from modelmon.gui.cluster.cluster_plots import NodeMap, ScalingPlot
from modelmon.gui.cluster.cluster_words import ARM_COLUMNS
from modelmon.gui.plots import explanations
from modelmon.gui.plots.cpu import CpuPlot, FaultsPlot
from modelmon.gui.plots.device import DevicePlot
from modelmon.gui.plots.io_wait import IoWaitPlot
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.throughput import ThroughputPlot
from modelmon.gui.runs.run_lines import COLUMNS, TITLES
from modelmon.gui.session.run_words import AXIS_HELP

ASKED = "What am I looking at?"
PLOTS = (
    *(ThroughputPlot, IoWaitPlot, RssPlot, CpuPlot, FaultsPlot, DevicePlot),
    *(AccessMap, Waterfall, BlockTimings, PageCache, ScalingPlot, NodeMap),
)
MOST_WORDS, MOST_OF_PLOT = 20, 45
TIPS = {
    f"{name}-{key}": text
    for name, texts in {**vars(explanations), "AXIS_HELP": AXIS_HELP}.items()
    if name.isupper() and isinstance(texts, dict)
    for key, text in texts.items()
}


@pytest.mark.parametrize("name", TIPS)
def test_that_a_tool_tip_is_short(name):
    most = MOST_OF_PLOT if name.endswith("-") else MOST_WORDS
    assert len(TIPS[name].split()) <= most


@pytest.mark.parametrize(
    ("about", "names"),
    [
        (RUN, {TITLES[at] for at, each in enumerate(COLUMNS) if each.right} - {"From disk"}),
        (PHASE, {"Time", "Share", "What it did, and what shortens it"}),
        (BLOCK, {*TIME_FIGURES, *SEEN_FIGURES, *RANGE_FIGURES}),
        (NODE, {*ARM_COLUMNS[1:], *nodes_table(ClusterRun("A", 0, ())).headings[1:]}),
    ],
)
def test_that_each_figure_of_a_table_is_explained(about, names):
    assert names <= set(about)


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: plot.__name__)
def test_that_a_plot_answers_what_is_looked_at(qtbot, plot):
    """With what it shows first, then each of its series once."""
    made = plot()
    qtbot.addWidget(made)
    told = unescape(made.whatsThis())
    assert told.count(plot.explained[explanations.PLOT]) == 1
    for about in filter(None, (entry.about for entry in made.entries.values())):
        assert told.count(about) == 1
    (action,) = (each for each in made.make_menu().actions() if each.text() == ASKED)
    assert action.isEnabled()
