"""Parts in a row or a column, with the room around and between them said in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from PySide6.QtWidgets import QBoxLayout

STRETCH: Final = "stretch"
"""Room between parts that takes what the parts leave."""

One = QWidget | QLayout
Part = One | str | tuple[One, int] | tuple[One, int, Qt.AlignmentFlag]
"""What stands there, with its share of the room, and the side it keeps to."""
L = TypeVar("L", bound="QBoxLayout")

_NONE = (0, 0, 0, 0)
_NO_SIDE = Qt.AlignmentFlag(0)


def in_row(
    *parts: Part,
    on: QWidget | None = None,
    margins: tuple[int, int, int, int] | None = _NONE,
    spacing: int | None = None,
) -> QHBoxLayout:
    """Parts from left to right, as the content of `on` or to be put into another layout. None is
    what the style has.
    """
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, margins, spacing)


def in_column(
    *parts: Part,
    on: QWidget | None = None,
    margins: tuple[int, int, int, int] | None = _NONE,
    spacing: int | None = None,
) -> QVBoxLayout:
    """Parts from top to bottom, else as a row's."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, margins, spacing)


def cleared(layout: QLayout) -> None:
    """Take all parts out of a layout; those that are widgets are gone at once."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.setParent(None)
            widget.deleteLater()


def _filled(
    layout: L,
    parts: tuple[Part, ...],
    margins: tuple[int, int, int, int] | None,
    spacing: int | None,
) -> L:
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, str):
            layout.addStretch(1)
        elif isinstance(part, tuple):
            _add(layout, *part)
        else:
            _add(layout, part)
    return layout


def _add(layout: QBoxLayout, part: One, share: int = 0, side: Qt.AlignmentFlag = _NO_SIDE) -> None:
    if isinstance(part, QWidget):
        layout.addWidget(part, share, side)
    else:
        layout.addLayout(part, share)
