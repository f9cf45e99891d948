"""What an exported text rests on: every run a mark, and beside them the times as figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.layout import in_column, in_row
from modelmon.gui.look.styling import label, restyle, rule, styled
from modelmon.gui.look.theme import manager
from modelmon.gui.look.tool_tips import plain
from modelmon.gui.look.wrapping import in_lines
from modelmon.gui.plots.strip.run_strip import WIDTH_PX, RunStrip

if TYPE_CHECKING:
    from modelmon.gui.export.evidence import Evidence, EvidenceLine
    from modelmon.gui.window.notices import ArmLabel

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
