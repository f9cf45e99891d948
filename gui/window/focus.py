"""Where the keyboard goes when it moves on to another part of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def focus_first_in(panel: QWidget) -> bool:
    """Focus the first widget of `panel` that takes the keyboard."""
    widget = panel.nextInFocusChain()
    while widget is not None and widget is not panel:
        takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if panel.isAncestorOf(widget) and takes and widget.isVisible() and widget.isEnabled():
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        widget = widget.nextInFocusChain()
    return False
