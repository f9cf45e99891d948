"""Moved to plot_room.py; follow it there."""

from modelmon.gui.plots.plot_room import PlotArea

__all__ = ["PlotArea"]
