"""What a dialog holds above its buttons, scrolled on a screen that is lower than it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea

from modelmon.gui.look.styling import styled

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def scrolled(content: QWidget) -> QScrollArea:
    """An area without frame or ground of its own, as wide as what it scrolls is."""
    area = styled(QScrollArea(), "sheet")
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


def scrolled_form(form: QWidget) -> QScrollArea:
    """One of fields: it follows the field that has the focus, and takes none itself."""
    area = scrolled(form)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    for part in (area.viewport(), form):
        part.setAutoFillBackground(False)
    return area
