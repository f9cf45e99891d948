"""Moved to traces.py; follow it there."""

from modelmon.gui.plots.traces import OverlaidRun

__all__ = ["OverlaidRun"]
