"""The range of time that is selected in all plots: what it is, its figures, how it is drawn."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QPainter

from modelmon.core.worker.curves import range_figures
from modelmon.gui.language import tr
from modelmon.gui.plots.items import Drawn
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from modelmon.core.worker.curves import RangeFigures
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.session.notices import ArmLabel

_MOST_KEPT = 16
_GROUND_SHARE = 0.13
_EDGE_PX = 1.2
_HANDLE_PX = (5.0, 16.0)
_REACH_PX = 6.0
_LEAST_PX = 3.0
_BEHIND = -40
_LINES_UP = 3.1
"""So many heights of itself above the foot, where ends of runs are named."""
_LEAST_LINES = 5


class RangeWords:
    """A line of words at the left, in the colours of the arms, where there is room for it."""

    def __init__(self, canvas: Canvas, name: str) -> None:
        """`name` says of what the figures are."""
        self.text = ""
        self._name = name
        self._canvas = canvas
        self._words = pg.TextItem()
        self._words.setZValue(30)
        self._words.setAnchor((0.0, _LINES_UP))
        self._words.hide()
        canvas.add(self._words)
        canvas.laid_out.connect(self._place)

    def show(self, figures: Mapping[ArmLabel, str]) -> None:
        """Say these figures of whole loads; none hides the line."""
        theme = manager().theme
        self.text = self._line(figures.values()) if figures else ""
        coloured = self._line(
            f"<b style='color:{theme.arm(label).name()}'>{text}</b>"
            for label, text in figures.items()
        )
        self._words.setHtml(f"<span style='color:{theme.text_2.name()}'>{coloured}</span>")
        self._words.setFont(font(11))
        self._words.fill = QBrush(faded(theme.panel, 0.8))
        self._place()

    def _line(self, figures: Iterable[str]) -> str:
        return tr("{name}: {figures}", name=self._name, figures=tr(", ").join(figures))

    def _place(self) -> None:
        room = self._words.boundingRect()
        width_px, height_px = self._canvas.size_px
        fits = room.width() <= width_px and room.height() * _LEAST_LINES <= height_px
        self._words.setVisible(bool(self.text) and fits)
        self._words.setPos(self._canvas.x_range[0], self._canvas.y_range[0])


class TimeRange(QObject):
    """The range that is selected, in seconds since the start, if there is one."""

    changed = Signal()
    zoom_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.seconds: tuple[float, float] | None = None
        self._known: dict[object, tuple[object, RangeFigures | None]] = {}

    def select(self, first_s: float, last_s: float) -> None:
        """Select what lies between."""
        if (seconds := (first_s, last_s)) != self.seconds:
            self.seconds = seconds
            self.changed.emit()

    def clear(self) -> None:
        """Select nothing."""
        if self.seconds is not None:
            self.seconds = None
            self.changed.emit()

    @property
    def ends(self) -> tuple[str, str]:
        """The two moments with as many figures as tell them apart; empty without a range."""
        if self.seconds is None:
            return "", ""
        first_s, last_s = self.seconds
        decimals = max(0, 1 - floor(log10(last_s - first_s)))
        return f"{first_s:.{decimals}f}", f"{last_s:.{decimals}f}"

    @property
    def short_text(self) -> str:
        """`0.30–0.50 s`, empty without a range."""
        return tr("{first}–{last} s", first=self.ends[0], last=self.ends[1]) if self.seconds else ""

    def figures(self, record: RunRecord) -> RangeFigures | None:
        """The figures of a run in the range; None where it was not under way there."""
        return self.figures_of(record, *self.seconds) if self.seconds else None

    def figures_of(self, record: RunRecord, first_s: float, last_s: float) -> RangeFigures | None:
        """The figures between two moments, which several plots ask for in the same frame."""
        key = (id(record), first_s, last_s)
        stamp = (record, len(record.chunks), len(record.samples), record.t_ns, record.blocks)
        kept = self._known.get(key)
        if kept is None or kept[0] != stamp:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = range_figures(record, round(first_s * 1e9), round(last_s * 1e9))
            kept = self._known[key] = (stamp, found)
        return kept[1]


class RangeBand(Drawn):
    """The range in one plot: a band with edges, and handles where there is room for them."""

    def __init__(self, canvas: Canvas, *, has_handles: bool) -> None:
        super().__init__(_BEHIND)
        self.span: tuple[float, float] | None = None
        self._canvas = canvas
        self._has_handles = has_handles
        canvas.add(self)
        canvas.laid_out.connect(self._fit)

    def show_span(self, span: tuple[float, float] | None) -> None:
        """Show this stretch of the axis, or none."""
        self.span = span
        self._fit()

    def draw(self, painter: QPainter) -> None:
        """Draw ground, edges and handles."""
        if self.span is None:
            return
        theme, view = manager().theme, self._canvas.view
        low, high = self.span
        painter.fillRect(
            QRectF(low, view.top(), high - low, view.height()), faded(theme.focus, _GROUND_SHARE)
        )
        painter.setPen(pen(theme.focus, _EDGE_PX))
        painter.drawLines([QLineF(x, view.top(), x, view.bottom()) for x in (low, high)])
        if self._has_handles:
            self._draw_handles(painter, [low, high], view)

    def _draw_handles(self, painter: QPainter, edges: list[float], view: QRectF) -> None:
        theme, (width_px, height_px) = manager().theme, _HANDLE_PX
        middle = view.center().y()
        places = [painter.worldTransform().map(QPointF(x, middle)) for x in edges]
        painter.save()
        painter.resetTransform()
        ratio = painter.device().devicePixelRatioF()
        painter.scale(ratio, ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.focus)
        painter.setBrush(theme.panel)
        for at in places:
            left, top = at.x() / ratio - width_px / 2, at.y() / ratio - height_px / 2
            painter.drawRoundedRect(QRectF(left, top, width_px, height_px), 2, 2)
        painter.restore()

    def _fit(self) -> None:
        # A handle reaches beyond its edge.
        self._resize(self._canvas.view if self.span is not None else QRectF())


class RangeSelector(QObject):
    """Selects by dragging over a canvas, and shows there what is selected.

    From an edge a drag moves that edge; with Shift it zooms.
    """

    def __init__(self, canvas: Canvas, time_range: TimeRange, *, has_handles: bool = True) -> None:
        super().__init__(canvas)
        self.band = RangeBand(canvas, has_handles=has_handles)
        self._canvas = canvas
        self._range = time_range
        self._fixed_s: float | None = None
        canvas.dragged.connect(self._on_dragged)
        canvas.hovered.connect(self._on_hovered)
        time_range.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.band.show_span(self._range.seconds)

    def _on_dragged(self, first_s: float, now_s: float, zooms: bool, is_over: bool) -> None:
        if self._fixed_s is None:
            edge = None if zooms else self._edge_at(first_s)
            others = self._range.seconds or ()
            self._fixed_s = first_s if edge is None else next(s for s in others if s != edge)
        low, high = self._canvas.whole_x_range
        span = sorted(min(max(s, low), high) for s in (self._fixed_s, now_s))
        wide_enough = span[1] - span[0] >= _LEAST_PX * self._second_per_px()
        if zooms:
            self.band.show_span((span[0], span[1]))
        elif wide_enough:
            self._range.select(span[0], span[1])
        if is_over:
            self._fixed_s = None
            if zooms:
                self._show()
                if wide_enough:
                    self._canvas.zoom_to(span[0], span[1])

    def _on_hovered(self, seconds: float, _y: float) -> None:
        at_edge = self._edge_at(seconds) is not None
        shape = Qt.CursorShape.SizeHorCursor if at_edge else Qt.CursorShape.ArrowCursor
        if self._canvas.cursor().shape() != shape:
            self._canvas.setCursor(shape)

    def _edge_at(self, seconds: float) -> float | None:
        reach_s = _REACH_PX * self._second_per_px()
        edges = self._range.seconds or ()
        return next((edge for edge in edges if abs(edge - seconds) <= reach_s), None)

    def _second_per_px(self) -> float:
        low, high = self._canvas.x_range
        return (high - low) / max(self._canvas.size_px[0], 1.0)
