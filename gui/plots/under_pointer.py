"""Moved to readout.py; follow it there."""

from modelmon.gui.plots.readout import UnderPointer

__all__ = ["UnderPointer"]
