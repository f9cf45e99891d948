"""Starts the program once more, with a window beside the one that asks for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QProcess, QProcessEnvironment

from modelmon.gui.background.commands import MODELMON

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QWidget

_PLACE = "MODELMON_WINDOW_PLACE"
_STEP_PX = 30


def start_window(beside: QWidget, program: tuple[str, ...] = MODELMON) -> bool:
    """Open a window of its own process, which outlives this one; False where that failed."""
    here = beside.normalGeometry() if beside.isMaximized() else beside.frameGeometry()
    place = place_beside(here, beside.screen().availableGeometry())
    size = place.size() - (beside.frameSize() - beside.size())
    numbers = (place.x(), place.y(), size.width(), size.height())
    environment = QProcessEnvironment.systemEnvironment()
    environment.insert(_PLACE, " ".join(map(str, numbers)))
    process = QProcess()
    process.setProgram(program[0])
    process.setArguments(list(program[1:]))
    process.setProcessEnvironment(environment)
    return bool(process.startDetached())


def start_again(model: str, program: tuple[str, ...] = MODELMON) -> bool:
    """Start the program in place of this one, whose window is closed and remembers its place."""
    process = QProcess()
    process.setProgram(program[0])
    process.setArguments([*program[1:], *filter(None, (model,))])
    return bool(process.startDetached())


def take_place(window: QWidget) -> None:
    """Put the window where the one that has started it wants it, if there is one."""
    # What this process starts is no window beside another.
    told = os.environ.pop(_PLACE, "")
    if told:
        x, y, width, height = map(int, told.split())
        window.resize(width, height)
        window.move(x, y)


def place_beside(here: QRect, screen: QRect) -> QRect:
    """A little right and below of `here`; where the screen ends, from its corner again."""
    place = here.translated(_STEP_PX, _STEP_PX)
    if not screen.contains(place):
        place.moveTopLeft(screen.topLeft())
    if place.topLeft() == here.topLeft():
        place.translate(QPoint(_STEP_PX, _STEP_PX))
    return place.intersected(screen)
