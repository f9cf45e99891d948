"""Plots: each draws the records it is given and knows no other plot."""

from modelmon.gui.plots.quick_import import import_pyqtgraph

import_pyqtgraph()
