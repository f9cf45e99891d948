"""Moved to items.py; follow it there."""

from modelmon.gui.plots.items import Line

__all__ = ["Line"]
