from __future__ import annotations

import subprocess
import sys

_USED = """
import sys
import PySide6.QtCore, PySide6.QtWidgets
{before}
import modelmon.gui.plots
import pyqtgraph
from PySide6 import QtCore
assert QtCore is sys.modules["PySide6.QtCore"]
assert pyqtgraph.Qt.QtWidgets.QWidget is PySide6.QtWidgets.QWidget
assert issubclass(pyqtgraph.GraphicsView, PySide6.QtWidgets.QGraphicsView)
sys.stdout.write(type(pyqtgraph.Qt.QtCore).__name__)
"""


def used(before: str = "") -> str:
    """What kind of module pyqtgraph works with, in a process of its own."""
    code = _USED.format(before=before)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_that_pyqtgraph_works_with_names_that_are_made_when_wanted() -> None:
    assert used() == "Mirror"


def test_that_a_pyqtgraph_that_is_made_otherwise_imports_itself() -> None:
    # A part of it that is not there stands for one that was changed.
    assert used("sys.modules['pyqtgraph.Qt.compat'] = None") == "module"
