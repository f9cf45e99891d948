"""Moved to chart.py; follow it there."""

from modelmon.gui.plots.chart import paint_at_once

__all__ = ["paint_at_once"]
