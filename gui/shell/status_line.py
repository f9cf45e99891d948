"""What the window says at its foot, and line by line in its log."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QSyntaxHighlighter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QStatusBar, QWidget

from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.verdict import arm_names
from modelmon.core.units import duration_text
from modelmon.core.worker.result import middle_run
from modelmon.gui.language import said, tr
from modelmon.gui.session.notices import LOADING, Listening, Notice
from modelmon.gui.session.session import LABELS, MOST_LOG_LINES
from modelmon.gui.session.watched_run import WatchedRun
from modelmon.gui.widgets.styling import ElidedLabel, IconLabel, label
from modelmon.gui.widgets.theme import manager, mono_font

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QTextDocument

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.session.session import Session

HEIGHT_PX = 28
_LATEST = 20
_TOLD_MS = 10_000


class StatusLine(QStatusBar):
    """Follows the session."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setSizeGripEnabled(False)
        self.setFixedHeight(HEIGHT_PX)
        left, right = QWidget(), QWidget()
        left_row, right_row = QHBoxLayout(left), QHBoxLayout(right)
        self._icon = IconLabel("check", "good")
        self.text = ElidedLabel("label", tr("Ready"))
        self.sampler = label("", "label")
        left_row.setContentsMargins(8, 0, 8, 0)
        left_row.addWidget(self._icon)
        left_row.addWidget(self.text, 1)
        right_row.setContentsMargins(8, 0, 8, 0)
        right_row.addWidget(IconLabel("clock", "text_2"))
        right_row.addWidget(self.sampler)
        self.addWidget(left, 1)
        self.show_folder = QPushButton(tr("Show in folder"))
        self.show_folder.setProperty("compact", True)
        self.show_folder.hide()
        self._folder = ""
        self.show_folder.clicked.connect(self._open_folder)
        self.messageChanged.connect(lambda _: self.show_folder.hide())
        self.addPermanentWidget(self.show_folder)
        self.addPermanentWidget(right)
        session.slot_changed.connect(self.refresh)
        session.record_changed.connect(self.refresh)
        self.refresh()

    def tell_saved(self, text: str, path: Path | None) -> None:
        """Say for a while what was written, with a way to the folder that it lies in; None where
        that is not on this machine.
        """
        self.showMessage(text, _TOLD_MS)
        if path is not None:
            self._folder = str(path.absolute().parent)
        self.show_folder.setVisible(path is not None)

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._folder))

    def refresh(self) -> None:
        """Show the session's state; called for each frame while something is under way."""
        session = self._session
        watched = session.loading_record if session.program is not None else None
        record = session.record(session.loading) if session.loading else watched
        sampling = record is not None and not record.done
        self.sampler.setText(sampler_text(record) if record and sampling else tr("Not sampling"))
        shown = session.shown
        headline, detail, look = session.headline, "", ("info", "text_2")
        if isinstance(shown, Listening):
            view = shown()
            headline, detail = view.headline, view.detail
            arm = {"A": "a", "B": "b"}.get(view.arm or "", "focus")
            look = "run" if session.activity in LOADING else "clock", arm
        elif isinstance(shown, Notice):
            look = look if shown.tone in ("plain", "good") else ("warn", shown.tone)
        elif not headline:
            headline, look = tr("Ready"), ("check", "text_2")
        else:
            detail = _shown_text(session, shown) if isinstance(shown, Comparison) else ""
            if session.is_restored and not isinstance(shown, WatchedRun):
                look = "clock", "text_2"
            elif isinstance(shown, Comparison) and shown.lost_its_model:
                look = "warn", "warn"
        both = tr("{headline}. {detail}", headline=headline, detail=detail)
        self.text.set_whole(both if detail else headline)
        self._icon.show_icon(*look)


def _shown_text(session: Session, found: Comparison) -> str:
    """Which runs of many the plots show; nothing where they show others than the verdict's."""
    places = []
    for arm, name in zip(LABELS, arm_names(found.arm_a, found.arm_b), strict=True):
        runs, record = found.runs(arm), session.record(arm)
        shown = next((run.result for run in session.runs if run.record is record), None)
        middle = middle_run(run for run in runs if run.counts)
        # A comparison may have warned of a run since.
        if shown is None or middle is None or len(runs) == 1:
            return ""
        if shown.started_unix_s != middle.started_unix_s:
            return ""
        number = runs.index(middle) + 1
        places.append(tr("{way} {number} of {count}", way=name, number=number, count=len(runs)))
    return tr("Plots show the median runs: {runs}", runs=tr(", ").join(places))


def sampler_text(record: RunRecord) -> str:
    """How often the run is sampled, and how late that was in the last second or so."""
    rate = f"{record.hello.job.sample_hz:.0f} Hz" if record.hello else tr("on")
    if not record.samples:
        return tr("Sampling {rate}", rate=rate)
    late = duration_text(max(0, *(sample.late_ns for sample in record.samples[-_LATEST:])))
    return tr("Sampling {rate}, up to {late} late", rate=rate, late=late)


_MARKS = {"info": " ", "warning": "!", "error": "✕"}
_ROLES = {" ": "text", "!": "warn", "✕": "bad"}
_INDENT = " " * len("00:00:00   ")


class LogView(QPlainTextEdit):
    """Read only; the oldest of several thousand lines go first."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMaximumBlockCount(MOST_LOG_LINES)
        self.setAccessibleName(tr("Log"))
        self.setPlaceholderText(tr("Events in this window appear here."))
        self.setFont(mono_font())
        self.setTabChangesFocus(True)
        self._colours = _LevelColours(self.document())
        for level, text in session.log_lines:
            self.add(level, text)
        session.logged.connect(self.add)

    def add(self, level: str, text: str) -> None:
        """Add a text at the end; further lines of it are indented."""
        lines = said(text).splitlines() or [""]
        whole = f"\n{_INDENT}".join(lines)
        self.appendPlainText(f"{time.strftime('%H:%M:%S')} {_MARKS[level]} {whole}")


class _LevelColours(QSyntaxHighlighter):
    """Writes each line in the color of its mark; an indented one is like the one above it."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        manager().changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        """Color one line; Qt keeps the number of its mark for the next one."""
        at, levels = len("00:00:00 "), list(_ROLES)
        indented = text.startswith(_INDENT)
        number = self.previousBlockState() if indented else levels.index(text[at : at + 1] or " ")
        self.setCurrentBlockState(number)
        self.setFormat(0, len(text), getattr(manager().theme, _ROLES[levels[number]]))
