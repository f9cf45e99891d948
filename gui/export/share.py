"""Share: what `modelmon report` has of what the window shows, as a page or as Markdown."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from modelmon.core.errors import ModelmonError
from modelmon.core.export.report import Private, Report
from modelmon.core.export.report_page import write_report
from modelmon.core.messages import from_wire, to_wire
from modelmon.gui.background.commands import Command
from modelmon.gui.background.threads import MainThreadQueue, start_thread
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.session.notices import Notice
from modelmon.gui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from modelmon.core.messages import Message
    from modelmon.gui.session.session import Session


class Sharing(QObject):
    """Writes reports; `written` carries the path of one, `refused` why there is none."""

    written = Signal(str)
    refused = Signal(str)

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._window = session, parent
        self._answers = MainThreadQueue(self)

    def ask(self, folder: str, subjects: Sequence[str] = (), report: Report | None = None) -> None:
        """Ask where to write one: this, or of these runs of the history, where they are given."""
        kinds = [tr("Web page (*.html)"), tr("Markdown (*.md)")]
        path = str(Path(folder, "report.html"))
        above = QApplication.activeModalWidget() or self._window
        dialog = FileDialog(above, tr("Share"), path, "save", kinds)
        if report is None:
            dialog.chosen.connect(lambda path: self.write(path, subjects))
        else:
            dialog.chosen.connect(lambda path: self.save(path, report))
        dialog.open()

    def write(self, path: str, subjects: Sequence[str] = ()) -> None:
        """Write it there, in a process of its own."""
        folder = TemporaryDirectory(prefix="modelmon-report-")
        try:
            subjects = subjects or self._subjects(Path(folder.name))
        except (ModelmonError, OSError) as error:
            folder.cleanup()
            self._refuse(tr("Couldn't write the report."), str(error))
            return
        command = Command(["report", *subjects, "--out", "-"], parent=self)
        lines: list[bytes] = []

        def write() -> None:
            folder.cleanup()
            self.save(path, msgspec.json.decode(lines[-1], type=Report, dec_hook=from_wire))

        def refuse(message: Message, remedy: Message) -> None:
            folder.cleanup()
            self._refuse(message, remedy)

        command.line_read.connect(lines.append)
        command.succeeded.connect(write)
        command.failed.connect(refuse)
        command.start()

    def save(self, path: str, report: Report) -> None:
        """Write a report there, in the language of the window."""
        # What is private may be in a sentence as a whole only; the code of the language is
        # translated like all else.
        shown = report.changed(said).changed(Private(()), tr("en"))
        self._answers.expect()

        def work() -> None:
            try:
                write_report(Path(path), shown)
                answer = partial(self.written.emit, path)
            except ModelmonError as error:
                answer = partial(self._refuse, error.message, error.remedy)
            self._answers.leave(answer)

        start_thread(work)

    def _subjects(self, folder: Path) -> list[str]:
        """What `modelmon report` is asked for: files in this folder or of before, or runs of the
        history.
        """
        session, found = self._session, list[str]()
        recordings = {id(run.record): run.recording for run in session.runs}
        for number, record in enumerate(session.shown_records):
            recording, path = recordings.get(id(record)), folder / f"run-{number}.jsonl"
            if not record.source and recording is not None:
                recording.save(path)
            found.append(record.source or str(path))
        if not found:
            path = folder / "result.json"
            path.write_bytes(msgspec.json.encode(session.shown_verdict, enc_hook=to_wire))
            found.append(str(path))
        return found

    def _refuse(self, message: str, remedy: str) -> None:
        self._session.log(sentences(said(message), said(remedy)), "error")
        if not self._session.busy:
            self._session.say(Notice(said(message), said(remedy), tone="bad"))
        self.refused.emit(sentences(said(message), said(remedy)))
