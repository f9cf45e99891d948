"""Finds plots in which somebody sees nothing at all: neither a drawing nor a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from legibility import shown

from modelmon.gui.plots.access.access_map import AccessMap
from modelmon.gui.plots.blocks.block_timings import BlockTimings
from modelmon.gui.plots.cache.page_cache import PageCache
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.time.arms import ARMS
from modelmon.gui.plots.time.timeplot import TimePlot

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def blank_plots(root: QWidget) -> list[str]:
    """Plots that are shown and empty without a word."""
    plots = [each for each in shown(root) if isinstance(each, PlotFrame)]
    return [type(plot).__name__ for plot in plots if not (_sentence(plot) or _draws(plot))]


def drawn_plots(root: QWidget) -> set[str]:
    """Plots that are shown with something in them."""
    plots = [each for each in shown(root) if isinstance(each, PlotFrame)]
    return {type(plot).__name__ for plot in plots if not plot.is_empty and _draws(plot)}


def _sentence(plot: PlotFrame) -> bool:
    return plot.is_empty and bool(plot.empty_label.text().strip())


def _draws(plot: PlotFrame) -> bool:
    if isinstance(plot, TimePlot):
        return any(np.isfinite(trace.drawn[1]).any() for trace in plot.traces.values())
    if isinstance(plot, BlockTimings):
        return any(len(plot.arm_bars[label].ready_points[0]) for label in ARMS)
    if isinstance(plot, AccessMap):
        maps = [each for each in plot.maps.values() if each.isVisible()]
        return any(each.requests is not None and len(each.requests) > 0 for each in maps)
    if isinstance(plot, PageCache):
        return any(row.looks or row.reason for row in plot.strip.rows)
    raise TypeError(f"{type(plot).__name__} is a plot that nobody looks into here")
