"""Moved to items.py; follow it there."""

from modelmon.gui.plots.items import TextLabel, show_apart

__all__ = ["TextLabel", "show_apart"]
