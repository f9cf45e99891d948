"""What the headings of all tables answer: titles, their meaning, and the side they stand at."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt

from modelmon.gui.look.language import tr


class Heading(Protocol):
    """The head of a column."""

    @property
    def title(self) -> str:
        """What stands over it."""

    @property
    def tool_tip(self) -> str:
        """What that means; empty where it goes without saying."""

    @property
    def right(self) -> bool:
        """Whether the column is one of figures."""


def heading_data(column: Heading, orientation: Qt.Orientation, role: int) -> object:
    """The answer of a model's `headerData`; rows have no headings."""
    if orientation != Qt.Orientation.Horizontal:
        return None
    answers: dict[int, object] = {
        Qt.ItemDataRole.DisplayRole: tr(column.title),
        Qt.ItemDataRole.ToolTipRole: tr(column.tool_tip) if column.tool_tip else None,
        Qt.ItemDataRole.TextAlignmentRole: side_of(column),
    }
    return answers.get(role)


def side_of(column: Heading) -> Qt.AlignmentFlag:
    """Figures stand at the right."""
    side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
