"""The box beside the crosshair: exact values of A and B, and their difference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from math import ceil, isnan
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QPaintEvent

    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

_GAP_PX = 10
_FOOT_PX = 56
_MARGIN_PX, _BETWEEN_PX, _LEADING_PX = 6, 12, 3


@dataclass(frozen=True)
class Row:
    """One line of the box: `A`, `B`, `B − A` or another run, and a text per column."""

    label: str
    texts: tuple[str, ...]
    colour: str = ""


class Readout(QWidget):
    """A small table over a plot that lets the pointer through.

    It lies beside what it explains, over the neighbours of its plot where that is narrow; never
    over what is pointed at. It follows the pointer, so it is painted: with a label that holds a
    table a frame in which the crosshair moves over six plots takes 2.4 times as long.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.rows: list[Row] = []
        self._lines: list[tuple[str, ...]] = []
        self._widths_px: list[float] = []
        self.setProperty("role", "readout")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @property
    def is_inside(self) -> bool:
        """Whether it lies over its own plot alone."""
        corner = self._over.mapFrom(self._over.window(), self.pos())
        return self._over.rect().contains(QRect(corner, self.size()))

    def text(self) -> str:
        """What it says, a line for each row."""
        return "\n".join("  ".join(line) for line in self._lines)

    def show_rows(
        self,
        heading: str,
        columns: list[str],
        rows: list[Row],
        at: QPointF,
        *,
        clear_px: float = 0.0,
    ) -> None:
        """Show `rows` beside `at`, on the side where there is room; above or below a row that is
        `clear_px` high around it where there is such a row.
        """
        self.rows = rows
        if not (rows and self._over.isVisible()):
            self.hide()
            return
        self._lines = [(heading, *columns), *((row.label, *row.texts) for row in rows)]
        self._fit()
        place = self._below(at, clear_px) if clear_px else self._beside(at)
        window = self._over.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        self.move(self._over.mapTo(window, place.topLeft()))
        self.update()
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Names on the left in bold, figures on the right of their columns."""
        del event
        painter = QPainter(self)
        line_px, plain, bold = _line_px(), _font(named=False), _font(named=True)
        for line, row, top in zip(
            self._lines, (None, *self.rows), count(_MARGIN_PX, line_px), strict=False
        ):
            left = float(_MARGIN_PX)
            for column, (text, width_px) in enumerate(zip(line, self._widths_px, strict=False)):
                painter.setPen(_colour(row, column))
                painter.setFont(plain if row is None or column else bold)
                side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
                place = QRectF(left, top, width_px, line_px)
                painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, text)
                left += width_px + _BETWEEN_PX

    def _beside(self, at: QPointF) -> QRect:
        """To the right of a moment or to its left, whichever is in the plot; else in the window."""
        over, width = self._over, self.width()
        right, left = at.x() + _GAP_PX, at.x() - _GAP_PX - width
        room = over.rect()
        if right + width > room.right() and left < 0:
            room = QRect(over.mapFrom(over.window(), QPoint()), over.window().size())
        x = right if right + width <= room.right() else max(left, room.left())
        y = min(at.y() + _GAP_PX, over.height() - self.height() - _FOOT_PX)
        return QRect(round(x), round(max(y, 0)), width, self.height())

    def _below(self, at: QPointF, clear_px: float) -> QRect:
        """Below a row or above it."""
        over, height = self._over, self.height()
        x = min(at.x() + _GAP_PX, over.width() - self.width())
        below, above = at.y() + clear_px, at.y() - clear_px - height
        foot = over.mapFrom(over.window(), QPoint(0, over.window().height())).y()
        fits = below + height <= (over.height() if above >= 0 else foot)
        return QRect(round(max(x, 0)), round(below if fits else above), self.width(), height)

    def _fit(self) -> None:
        """As wide as the columns need, and no wider than what lies below."""
        plain, bold = QFontMetricsF(_font(named=False)), QFontMetricsF(_font(named=True))
        widths: list[float] = []
        for number, line in enumerate(self._lines):
            widths += [0.0] * (len(line) - len(widths))
            for column, text in enumerate(line):
                metrics = bold if number and not column else plain
                widths[column] = max(widths[column], ceil(metrics.horizontalAdvance(text)))
        around_px = 2 * _MARGIN_PX + _BETWEEN_PX * (len(widths) - 1)
        most_px = max(self._over.width() - around_px - sum(widths[1:]), 0.0)
        if widths[0] > most_px:
            heading = plain.elidedText(self._lines[0][0], Qt.TextElideMode.ElideRight, most_px)
            self._lines[0] = (heading, *self._lines[0][1:])
            widths[0] = most_px
        self._widths_px = widths
        height_px = 2 * _MARGIN_PX + len(self._lines) * _line_px()
        self.resize(round(sum(widths) + around_px), round(height_px))


def _colour(row: Row | None, column: int) -> QColor:
    theme = manager().theme
    if row is None:
        return theme.text_2
    if column:
        return theme.text
    return QColor(row.colour) if row.colour else _arm_colours(theme).get(row.label, theme.text)


def _arm_colours(theme: Theme) -> dict[str, QColor]:
    return {"A": theme.a, "B": theme.b}


def _font(*, named: bool) -> QFont:
    return font(11, 700 if named else 400)


def _line_px() -> float:
    return ceil(QFontMetricsF(_font(named=False)).height()) + _LEADING_PX


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
