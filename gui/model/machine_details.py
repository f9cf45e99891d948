"""Sections of the side panel, and what the doctor has found: the worst there, all in a dialog."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from modelmon.core.doctor.sections import CACHE_BAR, sections
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.layout import STRETCH, cleared, in_column, in_row
from modelmon.gui.widgets.styling import (
    ElidedLabel,
    IconLabel,
    icon_button,
    label,
    plain,
    restyle,
    rule,
    styled,
)
from modelmon.gui.widgets.tables import escaped, markdown_table

if TYPE_CHECKING:
    from modelmon.core.doctor.diagnosis import Diagnosis, Finding
    from modelmon.gui.session.machine import Machine

Tone = Literal["plain", "good", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One row: what it is, its value, and the whole story as a tool tip."""

    name: str
    value: str
    tool_tip: str = ""
    tone: Tone = "plain"


class Section(QWidget):
    """Begins with its heading and ends with a line."""

    def __init__(self, title: str, icon_name: str) -> None:
        super().__init__()
        self._head = in_row(IconLabel(icon_name), label(title, "heading"), STRETCH, spacing=8)
        self.column = in_column(spacing=6)
        inner = in_column(self._head, self.column, margins=(12, 10, 12, 10), spacing=6)
        in_column(inner, rule(), on=self, spacing=0)

    def add_to_head(self, widget: QWidget) -> None:
        """Put a small control at the right end of the heading."""
        self._head.addWidget(widget)


class FactSection(Section):
    """Shows a sentence where there are no facts; one that is told again keeps its row."""

    def __init__(self, title: str, icon_name: str, empty: str) -> None:
        super().__init__(title, icon_name)
        self._facts: list[Fact] = []
        self._empty = label(empty, "label", wrap=True)
        self.column.addWidget(self._empty)
        self._rows = QWidget()
        self._grid = QGridLayout(self._rows)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnMinimumWidth(0, 80)
        self._grid.setColumnStretch(1, 1)
        self.column.addWidget(self._rows)

    @property
    def facts(self) -> dict[str, str]:
        """What the section says now, by name."""
        return {fact.name: fact.value for fact in self._facts}

    @property
    def tool_tips(self) -> dict[str, str]:
        """What it says of each of them on top, by name."""
        return {fact.name: fact.tool_tip for fact in self._facts}

    def add_above(self, widget: QWidget) -> None:
        """Put something between the heading and the facts."""
        self.column.insertWidget(0, widget)

    def add_below(self, widget: QWidget) -> None:
        """Put something under the facts."""
        self.column.addWidget(widget)

    def set_facts(self, rows: list[Fact]) -> None:
        """Show these facts, or the sentence where there are none."""
        if rows == self._facts and rows:
            return
        self._facts = rows
        cleared(self._grid)
        self._empty.setVisible(not rows)
        self._rows.setVisible(bool(rows))
        for at, fact in enumerate(rows):
            value = ElidedLabel("value", fact.value, lines=2)
            restyle(value, tone=fact.tone)
            value.setAccessibleName(f"{fact.name}: {fact.value}")
            name = label(fact.name, "label")
            name.setToolTip(plain(fact.tool_tip))
            if fact.tool_tip:
                value.set_more(fact.tool_tip)
            self._grid.addWidget(name, at, 0)
            self._grid.addWidget(value, at, 1)


_ICONS = {"problem": ("warn", "bad"), "note": ("info", "warn")}
_SEVERITIES = {"problem": mark("problem"), "note": mark("note")}
_MOST_SHOWN = 3
_SIZE_PX = (760, 600)
_NOTHING = mark("No likely bottlenecks found")
_HINT = mark("Same as modelmon doctor in a terminal")
_DECODING = mark(
    "Measure how fast this machine turns stored values into float32; takes a few seconds"
)
_MEASURING = mark("Measuring decoding with all processors. The first time it takes up to a minute.")


class FindingsList(Section):
    """Follows what the doctor tells; the side panel does what its buttons are for."""

    def __init__(self) -> None:
        super().__init__(tr("Likely bottlenecks"), "machine")
        column = self.column
        self.again = icon_button("refresh", tr("Refresh"))
        self.add_to_head(self.again)
        self.state = label("", "label", wrap=True)
        column.addWidget(self.state)
        self._rows = in_column(spacing=6)
        column.addLayout(self._rows)
        self.details = styled(QPushButton(tr("Details…")), "", compact=True)
        self.details.setToolTip(tr("All details about the machine and storage"))
        column.addWidget(self.details, 0, Qt.AlignmentFlag.AlignLeft)

    def show_findings(self, found: Diagnosis | None, failure: str, *, looking: bool) -> None:
        """Show the worst findings; or why there are none."""
        self.again.setEnabled(not looking)
        self.details.setVisible(found is not None)
        bad = found.findings if found is not None else ()
        text = said(failure)
        if not failure and found is None:
            text = (
                tr("Checking this machine…")
                if looking
                else tr("Checked when the current measurement is done.")
            )
        elif not failure and not bad:
            text = tr(_NOTHING)
        self.state.setText(text)
        self.state.setVisible(bool(text))
        restyle(self.state, role="error" if failure else "label")
        cleared(self._rows)
        for finding in bad[:_MOST_SHOWN]:
            self._rows.addWidget(_row(finding))
        more = len(bad) - _MOST_SHOWN
        self.details.setText(
            tr("{count} more, and details…", count=more) if more > 0 else tr("Details…")
        )


def _row(finding: Finding) -> QWidget:
    row = QWidget()
    line = in_row(on=row, spacing=8)
    line.addWidget(IconLabel(*_ICONS[finding.severity]), 0, Qt.AlignmentFlag.AlignTop)
    text = label(said(finding.text), "value", wrap=True)
    text.setAccessibleName(f"{tr(_SEVERITIES[finding.severity])}: {said(finding.text)}")
    line.addWidget(text, 1)
    row.setToolTip(plain(_tip(finding)))
    return row


class DetailsDialog(TextDialog):
    """Follows the looks of the doctor, and has it measure decoding."""

    def __init__(self, machine: Machine, found: Diagnosis, parent: QWidget) -> None:
        text = details_text(found)
        title = tr("Machine and storage")
        super().__init__(title, text, parent, _SIZE_PX, is_markdown=True, hint=tr(_HINT))
        self._machine, self._shown = machine, found
        self.text.setAccessibleName(tr("All findings"))
        self.measure = QPushButton(tr("Measure decoding"))
        self.measure.clicked.connect(machine.measure_decoding)
        self.row.insertWidget(1, self.measure)
        machine.changed.connect(self._follow)
        machine.obstacle_changed.connect(self._follow)
        self.finished.connect(self._stop)
        self._follow()

    def _follow(self) -> None:
        """Show a new look; of one that has measured decoding, the rates."""
        measuring, failure = self._machine.measuring_decoding, said(self._machine.failure)
        obstacle = self._machine.obstacle
        self.measure.setEnabled(not (measuring or obstacle))
        self.measure.setToolTip(obstacle or tr(_DECODING))
        self.row.hint.setText(failure or tr(_MEASURING if measuring else _HINT))
        restyle(self.row.hint, role="error" if failure else "hint")
        before, found = self._shown, self._machine.diagnosis
        if found is None or found is before:
            return
        self._shown, bar = found, self.text.verticalScrollBar()
        place = bar.value()
        self.show_markdown(details_text(found))
        bar.setValue(place)
        if found.decode_rates != before.decode_rates:
            self.text.find(tr("Decoding to float32"))

    def _stop(self) -> None:
        """Who has closed the dialog awaits no rates, which take all processors."""
        if self._machine.measuring_decoding:
            self._machine.stop()


def details_text(found: Diagnosis) -> str:
    """The whole as Markdown, for the dialog, a bug report or a mail; findings first."""
    parts = ["### " + tr("Findings") + "\n"]
    for finding in found.findings:
        severity, text = tr(_SEVERITIES[finding.severity]), escaped(said(finding.text))
        parts.append(f"- **{severity}**: {text}\n")
        parts += [f"    - {escaped(line)}\n" for line in _tip(finding).splitlines()]
    if not found.findings:
        parts.append(f"{tr(_NOTHING)}\n")
    for title, rows in sections(found):
        cells = [(said(name), said(text)) for name, text in rows]
        table = markdown_table((said(title), ""), cells)
        for name, text in rows:
            if name == CACHE_BAR:
                # It is drawn of characters that take the same room each.
                table = table.replace(escaped(text), f"`{text}`")
        parts.append(f"\n{table}")
    return "".join(parts)


def _tip(finding: Finding) -> str:
    """Evidence, remedy, and where a claim comes from that was not measured here."""
    rows = finding.rows
    return "\n".join(tr("{name}: {what}", name=name, what=what) for name, what in rows)
