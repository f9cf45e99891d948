"""Moved to pens.py; follow it there."""

from modelmon.gui.plots.pens import SIZE, line_icon, overlay_icon

__all__ = ["SIZE", "line_icon", "overlay_icon"]
