"""Stories: a published case, run again on simulated storage by a process of its own."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from modelmon.core.demo.reported import report_of
from modelmon.core.demo.stage import Event, Progressed, Ran, Said
from modelmon.core.demo.stories import STORIES
from modelmon.core.messages import from_wire
from modelmon.core.units import duration_text, percent_text
from modelmon.gui.background.commands import Command
from modelmon.gui.language import mark, said, tr
from modelmon.gui.shell.progress_page import ShareBar
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import ButtonRow, Dialog, scrolled
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import ElidedLabel, label, push_button

_SIZE_PX = (820, 720)
_GAP_PX = 12
_COLUMN_SHARES = 3, 6, 1
"""Of the width: names, bars and times."""
_END_MS = 20_000
"""A story that is left unmounts its storage, and removes its model."""
_NAMES = {
    "object-store": mark("Object store"),
    "cache": mark("Page cache"),
    "gguf": mark("Quantized GGUF"),
}
_ROLES = {"title": "headline", "text": "value", "finding": "headline", "advice": "value"}


class StoriesDialog(Dialog):
    """One story at a time; what it says and loads appears as it comes. `share_wanted` carries the
    report of one that has ended.
    """

    share_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Stories"), parent, size_px=_SIZE_PX)
        self._command: Command | None = None
        self._events: list[Event] = []
        self._look = ""
        self.choice = Segments(tr("Story"), [(name, tr(_NAMES[name])) for name in STORIES])
        self.choice.set_value("object-store")
        self.choice.chosen.connect(self._show_title)
        self.play = push_button(tr("Play"), "run", "primary", "ink_text")
        self.play.clicked.connect(self.start)
        self.share = push_button(tr("Share…"), "file")
        self.share.clicked.connect(self._share)
        hint = tr("Takes up to two minutes on simulated storage, and leaves nothing.")
        self.row = ButtonRow(self, tr("Close"), [self.play], [self.share], hint=hint)
        column = in_column(self.choice, on=self, margins=(24, 16, 24, 16), spacing=12)
        self.page = QWidget()
        self._column = in_column(on=self.page, margins=(12, 8, 12, 8), spacing=8)
        self._sheet = scrolled(self.page)
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

    def show_written(self, path: str) -> None:
        """Say that a report of this story is there."""
        self.row.hint.setText(tr("Saved {path}", path=path))

    def done(self, result: int) -> None:
        """Stop the story that plays."""
        if self._command is not None:
            self._command.stop()
            self._command = None
        super().done(result)

    def _show_title(self) -> None:
        self._clear()
        self._say(Said(STORIES[self.choice.value].title, "title"))

    def _share(self) -> None:
        self.share_wanted.emit(report_of(self.choice.value, self._events))

    def _clear(self) -> None:
        self._events.clear()
        self.share.setEnabled(False)
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
        try:
            event = msgspec.json.decode(line, type=Event, dec_hook=from_wire)
        except msgspec.ValidationError:
            return  # that of an error, which `failed` brings
        self._events.append(event)
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
        if sentence.look != self._look and sentence.look in ("finding", "advice"):
            text.setContentsMargins(0, _GAP_PX, 0, 0)
        self._look = sentence.look
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._add(text)

    def _add(self, widget: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, widget)

    def _follow(self, _least: int, most: int) -> None:
        if self._command is not None:
            self._sheet.verticalScrollBar().setValue(most)

    def _end(self) -> None:
        self._stop_showing()
        self.share.setEnabled(True)

    def _stop_showing(self) -> None:
        self._command = None
        self.loads.show_progress(None)
        self._set_playing(False)

    def _fail(self, message: str, remedy: str) -> None:
        self._stop_showing()
        self._add(label(said(message), "headline", wrap=True))
        self._add(label(said(remedy), "value", wrap=True))


class LoadBars(QWidget):
    """A row for each load that ended, as long as it took, and one for what is under way."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Ran] = []
        self._bars: list[ShareBar] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(_GAP_PX)
        self._grid.setVerticalSpacing(0)
        for column, share in enumerate(_COLUMN_SHARES):
            self._grid.setColumnStretch(column, share)
        self._now = label("", "label")
        in_column(self._grid, self._now, on=self, spacing=_GAP_PX)
        self.setAccessibleName(tr("Loads"))

    def add(self, ran: Ran) -> None:
        """It ended."""
        row = self._grid.rowCount()
        self.rows.append(ran)
        self._bars.append(ShareBar())
        name = ElidedLabel("value", said(ran.label))
        time = label(duration_text(ran.duration_ns), "value")
        for column, part in enumerate((name, self._bars[-1], time)):
            self._grid.addWidget(part, row, column)
        what = label(said(ran.what), "hint")
        what.setContentsMargins(0, 0, 0, _GAP_PX // 2)
        self._grid.addWidget(what, row + 1, 1, 1, 2)
        most_ns = max(each.duration_ns for each in self.rows)
        for each, bar in zip(self.rows, self._bars, strict=True):
            bar.show_share(each.duration_ns / most_ns, "A")
        texts = (
            f"{said(r.label)}: {duration_text(r.duration_ns)}, {said(r.what)}" for r in self.rows
        )
        self.setAccessibleDescription("\n".join(texts))
        self.show_progress(None)

    def show_progress(self, progress: Progressed | None) -> None:
        """What is under way; None where nothing is."""
        if progress is None:
            self._now.clear()
            return
        share = progress.done_bytes / progress.total_bytes if progress.total_bytes else 0.0
        text = tr("{name}: {share}", name=said(progress.label), share=percent_text(share))
        self._now.setText(text)
