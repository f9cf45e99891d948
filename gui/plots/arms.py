"""Moved to timeline.py; follow it there."""

from modelmon.gui.plots.timeline import ARMS

__all__ = ["ARMS"]
