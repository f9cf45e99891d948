"""Starts the program once more."""

from __future__ import annotations

import sys

from PySide6.QtCore import QProcess

# -P keeps the folder in which the program was started out of the module search path.
_PROGRAM = (sys.executable, "-P", "-m", "modelmon")


def start_window(program: tuple[str, ...] = _PROGRAM) -> bool:
    """Open a window of its own process, which outlives this one; False where that failed."""
    process = QProcess()
    process.setProgram(program[0])
    process.setArguments(list(program[1:]))
    return bool(process.startDetached())
