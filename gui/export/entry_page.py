"""One thing that can be exported: its text in each of its forms, what is to be known of it, and
what it rests on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from modelmon.gui.export.code_view import CodeView
from modelmon.gui.language import mark, said, tr
from modelmon.gui.plots.run_strip import WIDTH_PX, RunStrip
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.segments import Segments
from modelmon.gui.widgets.styling import (
    ElidedLabel,
    in_lines,
    label,
    plain,
    push_button,
    restyle,
    rule,
    styled,
)
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.programs.advice import Standing
    from modelmon.gui.export.evidence import Evidence, EvidenceLine
    from modelmon.gui.export.sources import ExportEntry
    from modelmon.gui.session.notices import ArmLabel

_FACT_PX = 96
_ALMOST_ALL = 100
"""How much of the height that is left the text gets beside the ground: all that it can use."""
_STANDINGS: dict[Standing | None, str] = {
    "measured": mark("Measured here"),
    "mapped": mark("Nearest setting"),
    "cannot": mark("Not possible"),
}
_NOTHING_TO_CHANGE = mark("Nothing to change")
_NAME_PX, _NAME_LINES = 96, 2
"""A longer name of a strategy is shortened over its column."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class EvidencePanel(QFrame):
    """Hidden while there is no evidence."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "panel")
        self._shown: Evidence | None = None
        self.summary = label("", "label", wrap=True)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.strip = RunStrip()
        self.strip.setMaximumWidth(round(WIDTH_PX * manager().scale))
        self._table = QWidget()
        head = in_row((label(tr("Evidence"), "heading"), 0, Qt.AlignmentFlag.AlignTop), spacing=8)
        head.addWidget(self.summary, 1)
        self._row = in_row((self.strip, 1, Qt.AlignmentFlag.AlignVCenter), spacing=16)
        in_column(head, self._row, on=self, margins=(12, 8, 12, 8), spacing=8)

    def show_evidence(self, evidence: Evidence | None) -> None:
        """Show this; None hides the panel."""
        self.setVisible(evidence is not None)
        if evidence is None or evidence == self._shown:
            return
        self._shown = evidence
        self.summary.setText(evidence.summary)
        self.strip.setVisible(bool(evidence.rows))
        self.strip.show_rows(evidence.rows, evidence.title)
        self._table.hide()
        self._table.deleteLater()
        self._table = _table_of(evidence)
        self._row.addWidget(self._table, 1 if evidence.rows else 0)
        self._row.setAlignment(
            self._table, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        )


def _table_of(evidence: Evidence) -> QWidget:
    table = QWidget()
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    for at, (name, arm) in enumerate(evidence.columns, start=1):
        grid.addWidget(_heading(name, arm), 0, at, _RIGHT)
    if evidence.compared:
        grid.addWidget(label(evidence.compared, "hint"), 0, len(evidence.columns) + 1, _RIGHT)
    for number, line in enumerate(evidence.lines):
        row = 2 * number + 2
        if number or evidence.columns:
            grid.addWidget(rule(), row - 1, 0, 1, -1)
        _add_line(grid, row, line)
    return table


def _add_line(grid: QGridLayout, row: int, line: EvidenceLine) -> None:
    grid.addWidget(label(line.name, "label"), row, 0)
    for at, text in enumerate(line.values, start=1):
        grid.addWidget(_copied(label(text, "value")), row, at, _RIGHT)
    if line.compared:
        compared = label(line.compared, "value")
        restyle(compared, tone=line.tone)
        grid.addWidget(_copied(compared), row, len(line.values) + 1, _RIGHT)


def _copied(made: QLabel) -> QLabel:
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _heading(name: str, arm: ArmLabel | None) -> QLabel:
    """As wide as the name, up to a width."""
    made = label("", "heading")
    restyle(made, arm=arm)
    made.ensurePolished()
    shown = in_lines(name, made.font(), round(_NAME_PX * manager().scale), _NAME_LINES)
    made.setText(shown)
    if shown.split() != name.split():
        made.setToolTip(plain(name))
    made.setAlignment(_RIGHT)
    return made


class EntryPage(QWidget):
    """`form_chosen` carries the number of a form as somebody chooses it."""

    form_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._name = label("", "headline")
        self._standing = styled(QLabel(), "pill")
        self._standing.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.forms: Segments | None = None
        self.preview = CodeView()
        self._about = ElidedLabel("label")
        self.copy = push_button(tr("Copy"), "copy")
        self.copy.setProperty("compact", True)
        self.copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.preview.toPlainText())
        )
        self._text = _panel()
        self._facts = _panel()
        self._grid = QGridLayout(self._facts)
        self._grid.setContentsMargins(12, 8, 12, 8)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, _FACT_PX)
        self._grid.setColumnStretch(1, 1)
        self.evidence = EvidencePanel()
        self._lay_out()

    def _lay_out(self) -> None:
        self._head = in_row(
            self._name, (self._standing, 0, Qt.AlignmentFlag.AlignVCenter), STRETCH, spacing=8
        )
        bar = QWidget()
        bar.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        in_row((self._about, 1), self.copy, on=bar, margins=(12, 0, 8, 0))
        text = in_column(on=self._text, margins=(1, 6, 1, 6), spacing=6)
        # No higher than a short text.
        text.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)
        text.addWidget(bar)
        text.addWidget(rule())
        text.addWidget(self.preview, 1)
        content = QWidget()
        in_column(
            (self._text, _ALMOST_ALL), self._facts, self.evidence, STRETCH, on=content, spacing=8
        )
        area = QScrollArea()
        area.setAccessibleName(tr("Text, facts and evidence"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setWidget(content)
        for ground in (area.viewport(), content):
            ground.setAutoFillBackground(False)
        in_column(self._head, (area, 1), on=self, spacing=8)

    def show_entry(self, entry: ExportEntry, form: int, evidence: Evidence | None) -> None:
        """Show an entry in one of its forms, without its facts; no text rests on nothing."""
        self._name.setText(entry.title)
        self._standing.setVisible(entry.standing is not None)
        is_default = entry.advice is not None and entry.advice.is_default
        standing = _NOTHING_TO_CHANGE if is_default else _STANDINGS.get(entry.standing, "")
        self._standing.setText(tr(standing) if standing else "")
        restyle(self._standing, tone="good" if entry.standing == "measured" else None)
        self._show_forms(entry, form)
        self._show_text(entry, form)
        self.evidence.show_evidence(evidence if entry.forms else None)

    def _show_forms(self, entry: ExportEntry, chosen: int) -> None:
        """One button for each form, where there are several."""
        if self.forms is not None:
            self.forms.hide()
            self.forms.deleteLater()
            self.forms = None
        if len(entry.forms) > 1:
            options = [(str(at), said(form.label)) for at, form in enumerate(entry.forms)]
            self.forms = Segments(tr("Form"), options, compact=True)
            self.forms.set_value(str(chosen))
            self.forms.chosen.connect(lambda value: self._choose_form(entry, int(value)))
            self._head.addWidget(self.forms)

    def _choose_form(self, entry: ExportEntry, at: int) -> None:
        self._show_text(entry, at)
        self.form_chosen.emit(at)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show what is to be known of it: names and sentences."""
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._facts.setVisible(bool(facts))
        top = Qt.AlignmentFlag.AlignTop
        for number, (name, text) in enumerate(facts):
            row = 2 * number
            if number:
                self._grid.addWidget(rule(), row - 1, 0, 1, 2)
            self._grid.addWidget(label(name, "label"), row, 0, top)
            value = label(text, "value", wrap=True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(value, row, 1)

    def _show_text(self, entry: ExportEntry, at: int) -> None:
        self._text.setVisible(bool(entry.forms))
        named = tr("Text of {file}", file=entry.file_name(at))
        self.preview.setAccessibleName(named)
        form = entry.forms[at] if entry.forms else None
        if form is None:
            self.preview.show_text("", "text")
            self.copy.setEnabled(False)
            return
        self.preview.show_text(form.text, form.language, form.added)
        self.copy.setEnabled(True)
        some = 0 < len(form.added) < len(form.text.splitlines())
        adds = tr("Lines marked + are the setting. The others stand for what is there already.")
        self._about.set_whole(adds if some else named)


def _panel() -> QFrame:
    return styled(QFrame(), "panel")
