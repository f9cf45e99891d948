"""Moved to header.py; follow it there."""

from modelmon.gui.plots.header import LegendEntry

__all__ = ["LegendEntry"]
