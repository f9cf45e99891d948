"""Stories: a published case, run again on simulated storage by a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from modelmon.core.demo.stage import Event, Progressed, Ran, Said
from modelmon.core.demo.stories import STORIES
from modelmon.core.messages import from_wire
from modelmon.core.units import duration_text, percent_text
from modelmon.gui.background.commands import Command
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import ButtonRow, Dialog, scrolled
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label, push_button
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

_SIZE_PX = (820, 720)
_ROW_PX, _BAR_PX, _TEXT_PX, _GAP_PX = 36, 8, 12, 12
_NAME_SHARE = 0.32
_END_MS = 20_000
"""A story that is left unmounts its storage, and removes its model."""
_NAMES = {
    "object-store": mark("Object store"),
    "cache": mark("Page cache"),
    "gguf": mark("Quantized GGUF"),
}
_ROLES = {"title": "headline", "text": "value", "finding": "headline", "advice": "value"}


class StoriesDialog(Dialog):
    """One story at a time; what it says and loads appears as it comes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Stories"), parent, size_px=_SIZE_PX)
        self._command: Command | None = None
        self.choice = Segments(tr("Story"), [(name, tr(_NAMES[name])) for name in STORIES])
        self.choice.set_value("object-store")
        self.choice.chosen.connect(self._show_title)
        self.play = push_button(tr("Play"), "run", "primary", "ink_text")
        self.play.clicked.connect(self.start)
        hint = tr("Takes up to two minutes on simulated storage, and leaves nothing.")
        self.row = ButtonRow(self, tr("Close"), [self.play], hint=hint)
        column = in_column(self.choice, on=self, margins=(24, 16, 24, 16), spacing=12)
        self._page = QWidget()
        self._column = in_column(on=self._page, spacing=8)
        self._sheet = scrolled(self._page)
        self._sheet.verticalScrollBar().rangeChanged.connect(self._follow)
        column.addWidget(self._sheet, 1)
        column.addLayout(self.row)
        self.loads = LoadBars()
        self._show_title()

    def start(self) -> None:
        """Play the chosen story from its beginning."""
        self._clear()
        self._set_playing(True)
        # Not this dialog's: it cleans up after that is closed, and the window waits for it.
        arguments = ["demo", self.choice.value, "--json"]
        command = Command(arguments, parent=self.parent(), grace_ms=_END_MS)
        command.line_read.connect(self._take)
        command.succeeded.connect(self._end)
        command.failed.connect(self._fail)
        self._command = command
        command.start()

    def done(self, result: int) -> None:
        """Stop the story that plays."""
        if self._command is not None:
            self._command.stop()
            self._command = None
        super().done(result)

    def _show_title(self) -> None:
        self._clear()
        self._say(Said(STORIES[self.choice.value].title, "title"))

    def _clear(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.loads = LoadBars()
        self._column.addStretch(1)

    def _set_playing(self, playing: bool) -> None:
        self.play.setEnabled(not playing)
        self.choice.setEnabled(not playing)

    def _take(self, line: bytes) -> None:
        event = msgspec.json.decode(line, type=Event, dec_hook=from_wire)
        if isinstance(event, Said):
            self._say(event)
            return
        if self.loads.parent() is None:
            self._add(self.loads)
        if isinstance(event, Ran):
            self.loads.add(event)
        else:
            self.loads.show_progress(event)

    def _say(self, sentence: Said) -> None:
        lead = "→ " if sentence.look == "advice" else ""
        text = label(f"{lead}{said(sentence.text)}", _ROLES[sentence.look], wrap=True)
        if sentence.look == "finding":
            text.setContentsMargins(0, _GAP_PX, 0, 0)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._add(text)

    def _add(self, widget: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, widget)

    def _follow(self, _least: int, most: int) -> None:
        if self._command is not None:
            self._sheet.verticalScrollBar().setValue(most)

    def _end(self) -> None:
        self._command = None
        self.loads.end()
        self._set_playing(False)

    def _fail(self, message: str, remedy: str) -> None:
        self._end()
        self._add(label(said(message), "headline", wrap=True))
        self._add(label(said(remedy), "value", wrap=True))


class LoadBars(QWidget):
    """A row for each load that ended, as long as it took, and one for what is under way."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Ran] = []
        self.progress: Progressed | None = None
        self.setAccessibleName(tr("Loads"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        manager().changed.connect(self.update)

    def add(self, ran: Ran) -> None:
        """It ended."""
        self.rows.append(ran)
        self.progress = None
        self._renew()

    def show_progress(self, progress: Progressed) -> None:
        """What is under way."""
        self.progress = progress
        self._renew()

    def end(self) -> None:
        """Nothing is under way any more."""
        self.progress = None
        self._renew()

    def sizeHint(self) -> QSize:
        """Room for all rows."""
        count = len(self.rows) + (self.progress is not None)
        return QSize(400, round(count * _ROW_PX * manager().scale))

    def _renew(self) -> None:
        texts = (
            f"{said(r.label)}: {duration_text(r.duration_ns)}, {said(r.what)}" for r in self.rows
        )
        self.setAccessibleDescription("\n".join(texts))
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Names left, bars right, and below each what the storage did."""
        del event
        theme, scale = manager().theme, manager().scale
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        written = font(_TEXT_PX)
        painter.setFont(written)
        metrics = QFontMetricsF(written)
        time_px = metrics.horizontalAdvance("88 min 88 s")
        left = self.width() * _NAME_SHARE
        room = self.width() - left - time_px - 2 * _GAP_PX
        most_ns = max((row.duration_ns for row in self.rows), default=1)
        height = _ROW_PX * scale
        middle = Qt.AlignmentFlag.AlignVCenter
        for number, row in enumerate(self.rows):
            top = number * height
            width = max(2.0, room * row.duration_ns / most_ns)
            name = metrics.elidedText(said(row.label), Qt.TextElideMode.ElideRight, left - _GAP_PX)
            painter.setPen(theme.text)
            painter.drawText(QRectF(0, top, left, height / 2), middle, name)
            bar = QRectF(left, top + height / 4 - _BAR_PX * scale / 2, width, _BAR_PX * scale)
            painter.fillRect(bar, theme.a)
            time = QRectF(left + width + _GAP_PX, top, time_px + _GAP_PX, height / 2)
            painter.drawText(time, middle, duration_text(row.duration_ns))
            painter.setPen(theme.text_2)
            what = QRectF(left, top + height / 2, self.width() - left, height / 2)
            painter.drawText(what, middle, said(row.what))
        if self.progress is not None:
            done, total = self.progress.done_bytes, self.progress.total_bytes
            share = percent_text(done / total if total else 0.0)
            painter.setPen(theme.text_2)
            top = len(self.rows) * height
            text = tr("{name}: {share}", name=said(self.progress.label), share=share)
            painter.drawText(QRectF(0, top, self.width(), height), middle, text)
