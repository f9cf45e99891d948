"""The phases of a watched program as a table, and below it what it printed, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSplitter, QTableView, QTextEdit, QWidget

from modelmon.core.explain.bottleneck import did_text
from modelmon.core.units import duration_text, percent_text
from modelmon.core.worker.printed import cure_of
from modelmon.core.worker.wait_parts import wait_parts
from modelmon.gui.language import said, tr
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.tables import TextRow, TextTable, dress, offer_markdown
from modelmon.gui.widgets.theme import manager, mono_font

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.wait_parts import WaitPart
    from modelmon.gui.session.session import Session


class PhasesView(QWidget):
    """Follows the session's program; a phase that is selected marks the lines that came in it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._shown: object = None
        self._parts: tuple[WaitPart, ...] = ()
        self._lines_ns: list[int] = []
        figures = (tr("Time"), tr("Share"))
        headings = (tr("Phase"), *figures, tr("What it did"), tr("What shortens it"))
        self.model = TextTable(headings, figures, self)
        self.table = QTableView()
        self.table.setModel(self.model)
        dress(self.table, tr("Phases"), close=True)
        offer_markdown(self.table)
        self.output = QPlainTextEdit()
        self.output.setReadOnly(True)
        self.output.setFrameShape(QFrame.Shape.NoFrame)
        self.output.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.output.setFont(mono_font())
        self.output.setTabChangesFocus(True)
        self.output.setAccessibleName(tr("Output"))
        self.output.setPlaceholderText(tr("What the program prints appears here."))
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(self.table)
        parts.addWidget(self.output)
        parts.setChildrenCollapsible(False)
        in_column(parts, on=self, spacing=0)
        self.table.selectionModel().selectionChanged.connect(self._mark_lines)
        session.record_changed.connect(self.refresh)
        session.program_changed.connect(self.refresh)
        manager().changed.connect(self._mark_lines)

    def refresh(self) -> None:
        """Show how far it is; costs nothing where that has not changed, or nobody sees it."""
        program, record = self._session.program, self._session.record("A")
        if program is None or record is None or not self.isVisible():
            return
        result = program.result if record is program.record else None
        parts = result.parts if result is not None and result.parts else wait_parts(record)
        if (parts, len(record.printed.lines)) == self._shown:
            return
        self._shown = parts, len(record.printed.lines)
        self._parts = parts
        wait_ns = max(1, parts[-1].end_ns)
        self.model.set_rows([_row(part, wait_ns) for part in parts])
        self._show_lines(record)

    def _show_lines(self, record: RunRecord) -> None:
        lines = record.printed.lines
        if len(lines) < len(self._lines_ns):
            self._lines_ns = []
            self.output.clear()
        for t_ns, text in lines[len(self._lines_ns) :]:
            self.output.appendPlainText(f"{t_ns / 1e9:8.2f} s  {text}")
            self._lines_ns.append(t_ns)

    def _mark_lines(self) -> None:
        """Of the selected phase, and go to the first of them."""
        marked = []
        for index in self.table.selectionModel().selectedRows():
            part = self._parts[index.row()]
            for at, t_ns in enumerate(self._lines_ns):
                if part.begin_ns <= t_ns < part.end_ns:
                    marked.append(
                        _marked(QTextCursor(self.output.document().findBlockByNumber(at)))
                    )
        self.output.setExtraSelections(marked)
        if marked:
            self.output.setTextCursor(marked[0].cursor)
            self.output.centerCursor()


def _row(part: WaitPart, wait_ns: int) -> TextRow:
    cure = cure_of(part.program, part.beside or part.name)
    return TextRow(
        (
            said(part.title),
            duration_text(part.duration_ns),
            percent_text(part.duration_ns / wait_ns),
            said(did_text(part)),
            said(cure) if cure else "",
        )
    )


def _marked(cursor: QTextCursor) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format.setBackground(manager().theme.focus_soft)
    selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
    return selection
