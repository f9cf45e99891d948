"""Moved to chart.py; follow it there."""

from modelmon.gui.plots.chart import LEFT_PX, RIGHT_PX, Ticks, time_ticks

__all__ = ["LEFT_PX", "RIGHT_PX", "Ticks", "time_ticks"]
