"""Moved to readout.py; follow it there."""

from modelmon.gui.plots.readout import Crosshair

__all__ = ["Crosshair"]
