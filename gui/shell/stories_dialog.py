"""Stories: a published case, run again on simulated storage by a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor

from modelmon.core.demo.reported import report_of, sections_so_far
from modelmon.core.demo.stage import Event, Progressed, Said
from modelmon.core.demo.stories import STORIES
from modelmon.core.export.report import Report, as_markdown
from modelmon.core.messages import NOTHING, from_wire, verbatim
from modelmon.core.units import percent_text
from modelmon.gui.background.commands import Command
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.styling import push_button

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_SIZE_PX = (820, 720)
_END_MS = 20_000
"""A story that is left unmounts its storage, and removes its model."""
_NAMES = {
    "object-store": mark("Object store"),
    "cache": mark("Page cache"),
    "gguf": mark("Quantized GGUF"),
}
_HINT = mark("Takes up to two minutes on simulated storage, and leaves nothing.")


class StoriesDialog(TextDialog):
    """One story at a time; what it says and loads appears as it comes. `share_wanted` carries the
    report of one that has ended.
    """

    share_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Stories"), "", parent, _SIZE_PX, is_markdown=True, hint=tr(_HINT))
        self._command: Command | None = None
        self._events: list[Event] = []
        self.choice = Segments(tr("Story"), [(name, tr(_NAMES[name])) for name in STORIES])
        self.choice.set_value("object-store")
        self.choice.chosen.connect(self._show_title)
        self.play = push_button(tr("Play"), "run", "primary", "ink_text")
        self.play.clicked.connect(self.start)
        self.share = push_button(tr("Share…"), "file")
        self.share.clicked.connect(self._share)
        self.column.insertWidget(0, self.choice)
        self.row.insertWidget(1, self.share)
        self.row.addWidget(self.play)
        self._show_title()

    def start(self) -> None:
        """Play the chosen story from its beginning."""
        self._show_title()
        self._events.clear()
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
        self._events = [Said(STORIES[self.choice.value].title, "title")]
        self.share.setEnabled(False)
        self._show()

    def _share(self) -> None:
        self.share_wanted.emit(report_of(self.choice.value, self._events))

    def _set_playing(self, playing: bool) -> None:
        self.play.setEnabled(not playing)
        self.choice.setEnabled(not playing)

    def _take(self, line: bytes) -> None:
        try:
            event = msgspec.json.decode(line, type=Event, dec_hook=from_wire)
        except msgspec.ValidationError:
            return  # that of an error, which `failed` brings
        if isinstance(event, Progressed):
            share = event.done_bytes / event.total_bytes if event.total_bytes else 0.0
            text = tr("{name}: {share}", name=said(event.label), share=percent_text(share))
            self.row.hint.setText(text)
            return
        self._events.append(event)
        self._show()

    def _show(self) -> None:
        shown = Report(NOTHING, sections_so_far(self._events), ()).changed(said)
        self.show_markdown(as_markdown(shown))
        self.text.moveCursor(QTextCursor.MoveOperation.End)

    def _end(self) -> None:
        self._stop_showing()
        self.share.setEnabled(True)

    def _stop_showing(self) -> None:
        self._command = None
        self.row.hint.setText(tr(_HINT))
        self._set_playing(False)

    def _fail(self, message: str, remedy: str) -> None:
        self._stop_showing()
        self._events += [Said(verbatim(each)) for each in (message, remedy)]
        self._show()
