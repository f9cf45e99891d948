"""Moved to chart.py; follow it there."""

from modelmon.gui.plots.chart import Chart as Canvas

__all__ = ["Canvas"]
