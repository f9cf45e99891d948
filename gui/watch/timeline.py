"""The phases of a watched program: a timeline over the plots, and a table over what it printed."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QTextEdit,
    QWidget,
)

from modelmon.core.explain.bottleneck import did_text
from modelmon.core.explain.cures import NOTICED_SHARE
from modelmon.core.explain.glossary import PHASE
from modelmon.core.explain.program_report import phases_side_by_side
from modelmon.core.messages import NOTHING
from modelmon.core.units import duration_text, percent_text
from modelmon.core.worker.wait_parts import AFTER, READING, wait_parts
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.plots.explanations import TIMELINE
from modelmon.gui.plots.pens import hatch, phase_colour
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import ElidedLabel, restyle, styled
from modelmon.gui.widgets.tables import Table, TextRow, TextTable
from modelmon.gui.widgets.theme import font, manager, mono_font

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QScrollArea

    from modelmon.core.messages import Message
    from modelmon.core.worker.program_phases import Line
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.wait_parts import WaitPart
    from modelmon.gui.plots.chart import Chart
    from modelmon.gui.plots.plot_row import PlotRow
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.watched_run import WatchedRun

HEIGHT_PX = 64
_GUTTER_PX, _RIGHT_PX = 92, 22
_BAR_TOP_PX, _BAR_PX = 24, 28
_MARK_PX = 4.0
_TICK_TOP_PX, _TICK_PX = 55, 6
_PADDING_PX = 6.0
_LEAST_NAME_PX = 40


def part_text(part: WaitPart) -> str:
    """`reading 6.30 s`."""
    return tr("{part} {time}", part=part.title, time=duration_text(part.duration_ns))


def whole_text(part: WaitPart) -> str:
    """`after reading 4.30 s: one core busy`."""
    did = did_text(part)
    return tr("{name}: {value}", name=part_text(part), value=did) if did else part_text(part)


def marks_of(
    parts: Sequence[WaitPart], *, ended: Literal["ready", "failed", ""], joined: bool = False
) -> tuple[tuple[float, str], ...]:
    """What happened when: a moment in seconds, and its name."""
    names = {READING: tr("opens the model"), AFTER: tr("model read")}
    marks = [(0.0, tr("joined") if joined else tr("start"))]
    marks += [(part.begin_ns / 1e9, names[part.name]) for part in parts if part.name in names]
    end_ns = parts[-1].end_ns
    if ended:
        ready = tr("ready {time}", time=duration_text(end_ns))
        marks.append((end_ns / 1e9, ready if ended == "ready" else tr("ended")))
    return tuple(marks)


def line_text(line: Line) -> str:
    """`    1.94 s  llama_context: n_ctx = 32768`."""
    return f"{line.t_ns / 1e9:8.2f} s  {line.text}"


class TimelineStrip(QWidget):
    """Follows the session's program, over the same stretch of time as the plots below.

    `x_range` gives that stretch in seconds, and `axis` the plot with whose time axis it is in line,
    if all of them have one.
    """

    lines_changed = Signal()

    def __init__(
        self,
        session: Session,
        x_range: Callable[[], tuple[float, float]],
        axis: Callable[[], Chart | None],
    ) -> None:
        super().__init__()
        self._axis = axis
        styled(self, "panel")
        self.setWhatsThis(tr(TIMELINE))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(round(HEIGHT_PX * manager().scale))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._session, self._x_range = session, x_range
        self._shown: object = None
        self._left_px, self._room_px = float(_GUTTER_PX), 1.0
        self.parts: tuple[WaitPart, ...] = ()
        self.marks: tuple[tuple[float, str], ...] = ()
        self.lines: list[Line] = []
        session.record_changed.connect(self.refresh)
        session.program_changed.connect(self.refresh)
        manager().changed.connect(self.update)

    def set_framed(self, *, framed: bool) -> None:
        """Have a frame of its own, or stand in somebody else's."""
        restyle(self, role="panel" if framed else None)

    def refresh(self) -> None:
        """Show how far it is; costs nothing where that has not changed."""
        program = self._session.program
        record = self._session.record("A")
        if program is None or record is None:
            return
        # A replay is told as far as it is; figures are those of the result.
        result = program.result if record is program.record else None
        found = result.parts if result is not None and result.parts else wait_parts(record)
        self.lines = record.printed.lines
        shown = (found, record.done, len(self.lines), self._x_range(), self._edges())
        if shown == self._shown:
            return
        self._shown = shown
        self.lines_changed.emit()
        self.parts, joined = found, program.program.pid is not None
        self.marks = marks_of(found, ended=_how_it_ended(record), joined=joined)
        told = [*map(part_text, found), *(name for _, name in self.marks)]
        self.setAccessibleName(tr("Timeline: {parts}", parts=", ".join(told)))
        self.setToolTip("\n".join(map(whole_text, found)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the parts as bars, and the moments between them above."""
        del event
        theme = manager().theme
        self._left_px, self._room_px = self._edges()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.text)
        painter.setFont(font(12, 600))
        title = QRectF(12, _BAR_TOP_PX, self._left_px - 16, _BAR_PX)
        if QFontMetricsF(painter.font()).horizontalAdvance(tr("Timeline")) <= title.width():
            painter.drawText(title, Qt.AlignmentFlag.AlignVCenter, tr("Timeline"))
        painter.save()
        painter.setClipRect(QRectF(self._left_px - _MARK_PX, 0, self._room_px + 2 * _MARK_PX, 1000))
        for part in self.parts:
            self._paint_part(painter, part)
        painter.setPen(QPen(theme.text_2, 1))
        for x in {round(self._x(t_ns / 1e9)) for t_ns, _ in self.lines}:
            painter.drawLine(x, _TICK_TOP_PX, x, _TICK_TOP_PX + _TICK_PX)
        painter.restore()
        self._paint_marks(painter)
        painter.end()

    def _edges(self) -> tuple[float, float]:
        """Where the time axis begins, and how long it is, in pixels."""
        canvas = self._axis()
        if canvas is not None and canvas.isVisible() and canvas.size_px[0] > 1:
            left = canvas.to_px(canvas.x_range[0], 0.0).toPoint()
            left_px = self.mapFromGlobal(canvas.mapToGlobal(left)).x()
            return float(left_px), canvas.size_px[0]
        return float(_GUTTER_PX), max(1.0, self.width() - _GUTTER_PX - _RIGHT_PX)

    def _x(self, seconds: float) -> float:
        low, high = self._x_range()
        return self._left_px + (seconds - low) / max(high - low, 1e-9) * self._room_px

    def _paint_part(self, painter: QPainter, part: WaitPart) -> None:
        theme = manager().theme
        left, right = self._x(part.begin_ns / 1e9), self._x(part.end_ns / 1e9)
        box = QRectF(left, _BAR_TOP_PX, max(right - left, 1.0), _BAR_PX)
        colour = phase_colour(part)
        brush, ink = QBrush(colour or theme.hover), theme.panel if colour else theme.text
        if part.name == AFTER:
            brush = hatch(theme.neutral_2, "A", ground=0.15)
        painter.fillRect(box, brush)
        painter.setPen(QPen(theme.neutral_2, 1))
        painter.drawRect(box)
        painter.setFont(font(12, 600))
        metrics = QFontMetricsF(painter.font())
        seen = box.intersected(QRectF(self._left_px, 0, self._room_px, 1000))
        room_px = seen.width() - 2 * _PADDING_PX
        name = said(part.title)
        short = metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(room_px))
        text = next(
            (
                text
                for text in (whole_text(part), part_text(part), name, name.partition(" ")[0], short)
                if room_px > _LEAST_NAME_PX and metrics.horizontalAdvance(text) <= room_px
            ),
            "",
        )
        if not text:
            return
        if part.name == AFTER:
            ground = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * _PADDING_PX, 18)
            ground.moveCenter(seen.center())
            path = QPainterPath()
            path.addRoundedRect(ground, 4, 4)
            painter.fillPath(path, theme.panel)
        painter.setPen(ink)
        painter.drawText(seen, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_marks(self, painter: QPainter) -> None:
        """The names that have room, the last one first; a triangle stands for each."""
        theme = manager().theme
        taken_px = float(self.width() - 8)
        low, high = self._x_range()
        for at, (seconds, name) in reversed(list(enumerate(self.marks))):
            if not low <= seconds <= high:
                continue
            x = self._x(seconds)
            corners = [
                QPointF(x - _MARK_PX, _BAR_TOP_PX - 6),
                QPointF(x + _MARK_PX, _BAR_TOP_PX - 6),
                QPointF(x, _BAR_TOP_PX - 1),
            ]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.text)
            painter.drawPolygon(QPolygonF(corners))
            painter.setFont(font(11, 600 if at == len(self.marks) - 1 and at else 400))
            width = QFontMetricsF(painter.font()).horizontalAdvance(name)
            left = min(max(x - width / 2, self._left_px - _MARK_PX), taken_px - width)
            # A name that has to move away from its moment would stand at another one.
            if left + width < x - _MARK_PX or left < self._left_px - 2 * _MARK_PX:
                continue
            painter.setPen(theme.text)
            painter.drawText(QPointF(left, _BAR_TOP_PX - 9), name)
            taken_px = left - 10


class WatchPanel(QFrame):
    """Frames plots that stand below each other, with their timeline and the line that was printed
    before the crosshair; others stand bare.
    """

    def __init__(self, plots: PlotRow, area: QScrollArea, timeline: TimelineStrip) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._plots, self._timeline = plots, timeline
        self.line = ElidedLabel("hint")
        self.line.setFont(mono_font())
        self.line.setContentsMargins(12, 4, 12, 2)
        self._column = in_column(plots.controls, (area, 1), self.line, on=self, spacing=0)
        self._seconds: float | None = None
        plots.moment_shown.connect(self._show_moment)
        timeline.lines_changed.connect(self._show_line)

    def arrange(self) -> bool:
        """Stand as the plots stand; whether the timeline is in here."""
        stacked = self._plots.is_stack
        restyle(self, role="panel" if stacked else None)
        self._timeline.set_framed(framed=not stacked)
        if stacked and self._column.indexOf(self._timeline) < 0:
            self._column.insertWidget(1, self._timeline)
        self._column.setContentsMargins(0, 0, 0, 4 if stacked else 0)
        self._show_line()
        return stacked

    def _show_moment(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._show_line()

    def _show_line(self) -> None:
        """The last line before the moment under the pointer; without one how many there are."""
        lines, seconds = self._timeline.lines, self._seconds
        self.line.setVisible(self._plots.is_stack and bool(lines))
        if seconds is None:
            count = tr("Lines of output: {count}.", count=len(lines))
            hint = tr("Point at a plot to see the last one by then.")
            self.line.set_whole(sentences(count, hint))
            return
        at = bisect_right(lines, round(seconds * 1e9), key=itemgetter(0))
        self.line.set_whole(line_text(lines[at - 1]).strip() if at else "")


def _how_it_ended(record: RunRecord) -> Literal["ready", "failed", ""]:
    if not record.done:
        return ""
    late = any(warning.kind == "cut-off" for warning in record.warnings)
    return "failed" if late or record.finished is None else "ready"


_SQUARE_PX, _LEAST_OUTPUT_PX = 10, 44
_DID = 3
"""The column of sentences, which has the room that the others leave."""


class PhasesView(QWidget):
    """Follows the session's program; a phase that is selected marks the lines that came in it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._shown: object = None
        self._parts: tuple[WaitPart, ...] = ()
        self._lines: list[Line] = []
        self._last_line: int | None = None
        figures = (mark("Time"), mark("Share"))
        headings = (mark("Phase"), *figures, mark("What it did, and what shortens it"))
        self.model = TextTable(headings, figures, self, PHASE)
        self.table = Table(self.model, tr("Phases"), close=True, wraps=True)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(_DID, QHeaderView.ResizeMode.Stretch)
        self.output = QPlainTextEdit()
        self.output.setReadOnly(True)
        self.output.setFrameShape(QFrame.Shape.NoFrame)
        self.output.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.output.setFont(mono_font())
        self.output.setTabChangesFocus(True)
        self.output.setMinimumHeight(_LEAST_OUTPUT_PX)
        self.output.setAccessibleName(tr("Output"))
        self.output.setPlaceholderText(tr("What the program prints appears here."))
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(self.table)
        parts.addWidget(self.output)
        parts.setChildrenCollapsible(False)
        parts.setSizes([600, 200])
        in_column(parts, on=self, spacing=0)
        self.table.selectionModel().selectionChanged.connect(self._mark_lines)
        session.record_changed.connect(self.refresh)
        session.program_changed.connect(self.refresh)
        manager().changed.connect(self._mark_lines)
        manager().changed.connect(self._show_colours)

    def refresh(self) -> None:
        """Show how far it is; costs nothing where that has not changed, or nobody sees it."""
        program, record = self._session.program, self._session.record("A")
        if program is None or record is None or not self.isVisible():
            return
        result = program.result if record is program.record else None
        parts = result.parts if result is not None and result.parts else wait_parts(record)
        shown = parts, len(record.printed.lines), program.tests, program.first is None
        if shown == self._shown:
            return
        self._shown = shown
        self._parts = parts
        wait_ns = max(1, parts[-1].end_ns)
        judged = program.wait.parts if program.wait is not None and result is not None else ()
        cures = [each.shortened for each in judged] or [NOTHING] * len(parts)
        firsts = _other_in_first(program)
        rows = []
        for part, cure in zip(parts, cures, strict=True):
            first = firsts.pop(replace(part, beside="").title, "")
            rows.append(_row(part, wait_ns, program.functions_text(part), first, cure))
        self.model.set_rows(rows)
        self._show_colours()
        self.output.setVisible(bool(record.printed.lines) or not record.done)
        self._show_lines(record)

    def _show_colours(self) -> None:
        """Those of the timeline and of the ground in plots, before each phase's name."""
        for row, part in enumerate(self._parts):
            square = QPixmap(_SQUARE_PX, _SQUARE_PX)
            square.fill(phase_colour(part) or manager().theme.hover)
            if (item := self.model.item(row)) is not None:
                item.setData(square, Qt.ItemDataRole.DecorationRole)

    def show_moment(self, seconds: float | None) -> None:
        """Mark the last line that was printed by then; None marks the selected phase's again."""
        at = None
        if seconds is not None:
            at = bisect_right(self._lines, round(seconds * 1e9), key=itemgetter(0)) - 1
        if at != self._last_line:
            self._last_line = at
            self._mark_lines()

    def _show_lines(self, record: RunRecord) -> None:
        lines = record.printed.lines
        known = len(self._lines)
        if lines[:known] != self._lines:
            # Another program's, or one of them came late.
            known, self._last_line = 0, None
            self.output.clear()
        for line in lines[known:]:
            self.output.appendPlainText(line_text(line))
        self._lines = lines[:]
        if not known:
            self._mark_lines()

    def _mark_lines(self) -> None:
        """Of the selected phase, or the last one before the crosshair; go to the first of them."""
        at = self._last_line
        numbers = [*self._lines_of_phases()] if at is None else [at] * (at >= 0)
        document = self.output.document()
        marked = [_marked(QTextCursor(document.findBlockByNumber(number))) for number in numbers]
        self.output.setExtraSelections(marked)
        if marked:
            self.output.setTextCursor(marked[0].cursor)
            self.output.centerCursor()

    def _lines_of_phases(self) -> Iterator[int]:
        for index in self.table.selectionModel().selectedRows():
            part = self._parts[index.row()]
            lines = enumerate(self._lines)
            yield from (at for at, (t_ns, _) in lines if part.begin_ns <= t_ns < part.end_ns)


def _other_in_first(program: WatchedRun) -> dict[str, str]:
    """How long phases took in the first of two starts, where that was another time."""
    first, second = program.first, program.result
    if first is None or second is None:
        return {}
    least_ns = NOTICED_SHARE * first.wall_ns
    return {
        each.name: tr("First start: {time}", time=each.times[0])
        for each in phases_side_by_side([first], [second])
        if abs(each.first_ns - each.second_ns) >= least_ns
    }


def _row(part: WaitPart, wait_ns: int, functions: str, first: str, cure: Message) -> TextRow:
    did = "; ".join(filter(None, (said(did_text(part)), functions)))
    return TextRow(
        (
            said(part.title),
            duration_text(part.duration_ns),
            percent_text(part.duration_ns / wait_ns),
            "\n".join(filter(None, (did, first, cure and f"→ {said(cure)}"))),
        )
    )


def _marked(cursor: QTextCursor) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format.setBackground(manager().theme.focus_soft)
    selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
    return selection
