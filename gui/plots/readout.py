"""What the pointer and the arrow keys tell of a chart: a crosshair, and a box with exact values."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import isnan
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QLabel, QWidget

from modelmon.core.units import duration_text
from modelmon.gui.plots.items import Dots
from modelmon.gui.plots.pens import pen
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import QPointF

    from modelmon.gui.plots.chart import Chart
    from modelmon.gui.session.notices import ArmLabel

_GAP_PX = 10
_BETWEEN_PX, _MOST_HEADING_PX = 12, 320
_ROOMY = 4.0
"""In a chart so many times as high as the box it lies inside; else it would hide the curves."""
_KEYBOARD_STEPS = 100

Points = list[tuple["ArmLabel", float]]


@dataclass(frozen=True)
class Row:
    """One line of the box: `A`, `B`, `B − A` or another run, and a text per column."""

    label: str
    texts: tuple[str, ...]
    colour: str = ""


Values = tuple[list[str], list[Row]]
Told = tuple[str, "Sequence[str]", list[Row]]


class Readout(QLabel):
    """A small table that lets the pointer through, beside what it explains and never on it: below
    or above a chart that is not much higher than the box.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.rows: list[Row] = []
        self._plain = ""
        self.setProperty("role", "readout")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def text(self) -> str:
        """What it says, a line for each row."""
        return self._plain

    def show_rows(
        self,
        heading: str,
        columns: Sequence[str],
        rows: list[Row],
        at: QPointF,
        *,
        clear_px: float = 0.0,
    ) -> None:
        """Show `rows` beside `at`; above or below a row that is `clear_px` high around it where
        there is such a row.
        """
        self.rows = rows
        lines = [(heading, *columns), *((row.label, *row.texts) for row in rows)]
        self._plain = "\n".join("  ".join(line) for line in lines)
        if not (rows and self._over.isVisible()):
            self.hide()
            return
        letters = font(11)
        self.setFont(letters)
        elided = QFontMetricsF(letters).elidedText(
            heading, Qt.TextElideMode.ElideRight, _MOST_HEADING_PX
        )
        self.setText(_table(elided, columns, rows))
        window = self._over.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        self.adjustSize()
        self.move(self._place(at.toPoint(), round(clear_px)))
        self.show()
        self.raise_()

    def _place(self, at: QPoint, clear_px: int) -> QPoint:
        window, size = self._over.window().rect(), self.size()
        over = QRect(self._over.mapTo(self._over.window(), QPoint()), self._over.size())
        at += over.topLeft()
        x = at.x() + _GAP_PX
        if x + size.width() > min(over.right() + size.width() // 2, window.right()):
            x = at.x() - _GAP_PX - size.width()
        if clear_px:
            over = QRect(over.left(), at.y() - clear_px, over.width(), 2 * clear_px)
        if not clear_px and over.height() > _ROOMY * size.height():
            y = at.y() + _GAP_PX
        elif over.bottom() + size.height() < window.bottom():
            y = over.bottom() + 1
        else:
            y = over.top() - size.height()
        return QPoint(max(x, 0), max(y, 0))


def _table(heading: str, columns: Sequence[str], rows: Sequence[Row]) -> str:
    theme = manager().theme
    colours = {"A": theme.a.name(), "B": theme.b.name()}

    def line(cells: Sequence[str]) -> str:
        first, *others = cells
        figures = (f"<td align='right'>{cell}</td>" for cell in others)
        return f"<tr><td>{first}</td>{''.join(figures)}</tr>"

    def coloured(text: str, colour: str) -> str:
        return f"<span style='color:{colour}'>{escape(text)}</span>"

    lines = [line([coloured(text, theme.text_2.name()) for text in (heading, *columns)])]
    for row in rows:
        colour = row.colour or colours.get(row.label, theme.text.name())
        name = f"<b>{coloured(row.label, colour)}</b>"
        lines.append(line([name, *map(escape, row.texts)]))
    style = f"style='white-space:nowrap' cellspacing='{_BETWEEN_PX // 2}'"
    return f"<table {style}>{''.join(lines)}</table>"


def row_texts(values: list[float], text: Callable[[float], str]) -> tuple[str, ...]:
    """The texts of a row; a dash for what is not known."""
    return tuple("–" if isnan(value) else text(value) for value in values)


def arm_rows(
    values: Mapping[ArmLabel, list[float]],
    text: Callable[[float], str],
    difference_text: Callable[[float], str],
) -> list[Row]:
    """A row for each arm, and one for B − A where both have values."""
    rows = [Row(manager().arm_text(label), row_texts(mine, text)) for label, mine in values.items()]
    if "A" in values and "B" in values:
        gaps = [b - a for a, b in zip(values["A"], values["B"], strict=True)]
        rows.append(Row("B − A", row_texts(gaps, difference_text)))
    return rows


class Crosshair:
    """A vertical line at one moment, with a mark on each curve."""

    def __init__(self, chart: Chart) -> None:
        self._line = chart.add(pg.InfiniteLine())
        self._line.setZValue(40)
        self._dots = Dots(chart, z=41)
        self.hide()

    def show(self, x: float, points: list[tuple[ArmLabel, float, float]]) -> None:
        """Put the line at `x` and the marks on the curves."""
        self._line.setPen(pen(manager().theme.text_2, 1))
        self._line.setValue(x)
        self._line.show()
        self._dots.show_points(points)

    def hide(self) -> None:
        """Take line and marks away."""
        self._line.hide()
        self._dots.show_points([])


class Inspector(QObject):
    """Asks the plot for heights (axis units) and values at a moment, and shows them.

    `moved` carries seconds when the pointer or a key moved the crosshair, None when it left. Over
    another plot it is the line alone that shows: `is_here` says which.
    """

    moved = Signal(object)

    def __init__(
        self,
        chart: Chart,
        heights_at: Callable[[float], Points],
        values_at: Callable[[float], Values],
    ) -> None:
        super().__init__(chart)
        self.readout = Readout(chart)
        self.seconds: float | None = None
        self.is_here = False
        self._chart = chart
        self._heights_at = heights_at
        self._values_at = values_at
        self._crosshair = Crosshair(chart)
        chart.hovered.connect(self._on_hovered)
        chart.left.connect(self._on_left)
        chart.key_pressed.connect(self._on_key)
        chart.laid_out.connect(self.refresh)

    def show(self, seconds: float | None) -> None:
        """Put the crosshair at `seconds`, and say all values where the pointer is."""
        self.seconds = self._chart.anchor = seconds
        if seconds is None:
            self._crosshair.hide()
            self.readout.hide()
            return
        points = [(label, seconds, y) for label, y in self._heights_at(seconds)]
        self._crosshair.show(seconds, points)
        if self.is_here:
            names, rows = self._values_at(seconds)
            at = self._chart.to_px(seconds, sum(self._chart.y_range) / 2)
            self.readout.show_rows(duration_text(seconds * 1e9), names, rows, at)

    def refresh(self) -> None:
        """Show the values anew after the curves changed."""
        if self.seconds is not None:
            self.show(self.seconds)

    def _on_hovered(self, seconds: float, _y: float) -> None:
        self.is_here = True
        self.show(seconds)
        self.moved.emit(seconds)

    def _on_left(self) -> None:
        if self.is_here:
            self.is_here = False
            self.show(None)
            self.moved.emit(None)

    def _on_key(self, key: int) -> None:
        if key == Qt.Key.Key_Escape:
            self._on_left()
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return
        low, high = self._chart.x_range
        at = low if self.seconds is None else self.seconds
        step = (high - low) / _KEYBOARD_STEPS
        at += step if key == Qt.Key.Key_Right else -step
        self._on_hovered(min(max(at, low), high), 0.0)


class UnderPointer(Readout):
    """Tells of a place in axis units as the pointer comes there, and `again` once other figures
    are there; when the pointer leaves, nothing.
    """

    def __init__(
        self,
        chart: Chart,
        tell: Callable[[float, float], Told | None],
        *,
        clear_px: float = 0.0,
    ) -> None:
        """`tell` gives heading, columns and rows of a place; None for nothing."""
        super().__init__(chart)
        self._place_at: tuple[float, float] | None = None
        self._chart, self._tell, self._clear_px = chart, tell, clear_px
        chart.hovered.connect(self._come)
        chart.left.connect(self.leave)

    def again(self) -> None:
        """Tell what is there now."""
        if self._place_at is not None:
            told = self._tell(*self._place_at)
            if told is None:
                self.hide()
            else:
                at = self._chart.to_px(*self._place_at)
                self.show_rows(*told, at, clear_px=self._clear_px)

    def leave(self) -> None:
        """Tell nothing, until the pointer moves."""
        self._place_at = None
        self.hide()

    def _come(self, x: float, y: float) -> None:
        self._place_at = x, y
        self.again()
