"""Share: what the window shows, written by `modelmon report` as a page or as Markdown."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import to_text
from modelmon.gui.background.commands import Command
from modelmon.gui.language import said, tr
from modelmon.gui.session.notices import Notice
from modelmon.gui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from modelmon.core.messages import Message
    from modelmon.gui.session.session import Session


class Sharing(QObject):
    """Writes reports of a session; `written` carries the path of one."""

    written = Signal(str)

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._window = session, parent

    def ask(self, folder: str) -> None:
        """Ask where to write it."""
        kinds = [tr("Web page (*.html)"), tr("Markdown (*.md)")]
        path = str(Path(folder, "report.html"))
        dialog = FileDialog(self._window, tr("Share"), path, "save", kinds)
        dialog.chosen.connect(self.write)
        dialog.open()

    def write(self, path: str) -> None:
        """Write it there, in a process of its own."""
        folder = TemporaryDirectory(prefix="modelmon-report-")
        try:
            subject = self._subject(Path(folder.name))
        except (ModelmonError, OSError) as error:
            folder.cleanup()
            self._refuse(tr("Couldn't write the report."), str(error))
            return
        if not subject:
            folder.cleanup()
            remedy = tr("In a terminal: modelmon report RUN, with a number of modelmon history.")
            self._refuse(tr("Only runs of this window can be shared here."), remedy)
            return
        command = Command(["report", subject, "--out", path], parent=self)

        def tell() -> None:
            folder.cleanup()
            self.written.emit(path)

        def refuse(message: Message, remedy: Message) -> None:
            folder.cleanup()
            self._refuse(said(message), said(remedy))

        command.succeeded.connect(tell)
        command.failed.connect(refuse)
        command.start()

    def _subject(self, folder: Path) -> str:
        """What `modelmon report` is asked for: a file in this folder, or a run of the history."""
        shown, verdict = self._session.program, self._session.verdict
        if shown is None and verdict is not None:
            path = folder / "result.json"
            path.write_bytes(msgspec.json.encode(verdict, enc_hook=to_text))
            return str(path)
        runs = [run for run in self._session.runs if shown is None or run.record is shown.record]
        if not runs:
            return ""
        run = runs[-1]
        kept = [number for number, each in self._session.kept.items() if each is run]
        if kept:
            return str(kept[-1])
        if run.recording is None or run.result is None:
            return ""
        path = folder / "run.jsonl"
        run.recording.save(path)
        return str(path)

    def _refuse(self, message: str, remedy: str) -> None:
        self._session.say(Notice(message, remedy, tone="bad"))
