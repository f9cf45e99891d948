"""The box beside the crosshair: exact values of A and B, and their difference."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import isnan
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QWidget

from modelmon.gui.look.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import QPointF

    from modelmon.gui.look.theme import ArmLabel

_GAP_PX = 10
_FOOT_PX = 56
_INDENT = "&nbsp;&nbsp;"


@dataclass(frozen=True)
class Row:
    """One line of the box: `A`, `B`, `B − A` or another run, and a text per column."""

    label: str
    texts: tuple[str, ...]
    colour: str = ""


class Readout(QLabel):
    """A small table over a plot that lets the pointer through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.rows: list[Row] = []
        self.setProperty("role", "readout")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setFont(font(11))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_rows(self, heading: str, columns: list[str], rows: list[Row], at: QPointF) -> None:
        """Show `rows` beside `at`, on the side where there is room."""
        self.rows = rows
        if not rows:
            self.hide()
            return
        self.setText(_table(heading, columns, rows))
        self.adjustSize()
        room = self._over.rect()
        x = at.x() + _GAP_PX
        if x + self.width() > room.right():
            x = at.x() - _GAP_PX - self.width()
        y = min(at.y() + _GAP_PX, room.bottom() - self.height() - _FOOT_PX)
        self.move(QPoint(round(max(x, 0)), round(max(y, 0))))
        self.show()
        self.raise_()


def row_texts(values: list[float], text: Callable[[float], str]) -> tuple[str, ...]:
    """The texts of a row; a dash for what is not known."""
    return tuple("–" if isnan(value) else text(value) for value in values)


def arm_rows(
    values: Mapping[ArmLabel, list[float]],
    text: Callable[[float], str],
    difference_text: Callable[[float], str],
) -> list[Row]:
    """A row for each arm, and one for B − A where both have values."""
    rows = [Row(label, row_texts(mine, text)) for label, mine in values.items()]
    if "A" in values and "B" in values:
        gaps = [b - a for a, b in zip(values["A"], values["B"], strict=True)]
        rows.append(Row("B − A", row_texts(gaps, difference_text)))
    return rows


def _table(heading: str, columns: list[str], rows: list[Row]) -> str:
    theme = manager().theme
    colours = {"A": theme.a, "B": theme.b}
    quiet = theme.text_2.name()
    cells = "".join(f"<td align='right'>{_INDENT}{escape(name)}</td>" for name in columns)
    lines = [f"<tr style='color:{quiet}'><td>{escape(heading)}</td>{cells}</tr>"]
    for row in rows:
        colour = row.colour or colours.get(row.label, theme.text).name()
        values = "".join(
            f"<td align='right' style='white-space:nowrap'>{_INDENT}{escape(text)}</td>"
            for text in row.texts
        )
        name = f"<td style='color:{colour};white-space:nowrap'><b>{escape(row.label)}</b></td>"
        lines.append(f"<tr>{name}{values}</tr>")
    return f"<table cellspacing='0' cellpadding='2'>{''.join(lines)}</table>"
