"""Imports pyqtgraph in two thirds of its time: without every class of Qt.

pyqtgraph.Qt copies all names of QtCore, QtGui and QtWidgets into modules of its own. PySide6 makes
a class when it is first asked for, so that copying makes all of them, a thousand for the fifty
that are used (90 of 250 ms). Here its modules are mirrors, which ask for a name when it is wanted.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

_MIRRORED = ("QtCore", "QtGui", "QtWidgets")


class Mirror(ModuleType):
    """Has the names of another module, and lists none of them: there is nothing to be copied."""

    def __init__(self, real: ModuleType) -> None:
        super().__init__(real.__name__)
        self._real = real

    def __getattr__(self, name: str) -> object:
        value = getattr(self._real, name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return []


def import_pyqtgraph() -> None:
    """Import pyqtgraph; where it is made in another way than is known, as it does by itself."""
    if "pyqtgraph" in sys.modules:
        return
    package = importlib.import_module("PySide6")
    real = {name: importlib.import_module(f"PySide6.{name}") for name in _MIRRORED}
    for name in _MIRRORED:
        mirror = Mirror(real[name])
        # It is both: what pyqtgraph copies from, for as long as that takes, and what it copies to.
        setattr(package, name, mirror)
        sys.modules[f"pyqtgraph.Qt.{name}"] = mirror
    try:
        importlib.import_module("pyqtgraph")
    except (ImportError, AttributeError):
        for name in [name for name in sys.modules if name.partition(".")[0] == "pyqtgraph"]:
            del sys.modules[name]
    finally:
        for name in _MIRRORED:
            setattr(package, name, real[name])
