"""Moved to frame.py; follow it there."""

from modelmon.gui.plots.frame import TabPlot

__all__ = ["TabPlot"]
