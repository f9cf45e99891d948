"""What the doctor has found: the worst in the side panel, all of it in a dialog to copy from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QPushButton, QTextBrowser, QWidget

from modelmon.core.doctor.sections import CACHE_BAR, sections
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.fact_section import Section
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import (
    IconLabel,
    icon_button,
    label,
    plain,
    push_button,
    restyle,
    styled,
)
from modelmon.gui.widgets.tables import escaped, markdown_table

if TYPE_CHECKING:
    from modelmon.core.doctor.diagnosis import Diagnosis, Finding
    from modelmon.gui.session.machine import Machine

_ICONS = {"problem": ("warn", "bad"), "note": ("info", "warn")}
_SEVERITIES = {"problem": mark("problem"), "note": mark("note"), "ok": mark("ok")}
_MOST_SHOWN = 3
_SIZE_PX = (760, 600)
_NOTHING = mark("No likely bottlenecks found")
_HINT = mark("Same as modelmon doctor in a terminal")
_DECODING = mark(
    "Measure how fast this machine turns stored values into float32; takes a few seconds"
)
_MEASURING = mark("Measuring decoding with all processors. The first time it takes up to a minute.")


class FindingsList(Section):
    """Follows what the doctor tells; `details_wanted` and `look_wanted` ask for more."""

    details_wanted = Signal()
    look_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Likely bottlenecks"), "machine")
        column = self.column
        self.again = icon_button("refresh", tr("Refresh"))
        self.again.clicked.connect(self.look_wanted)
        self.add_to_head(self.again)
        self.state = label("", "label", wrap=True)
        column.addWidget(self.state)
        self._rows = in_column(spacing=6)
        column.addLayout(self._rows)
        self.details = styled(QPushButton(tr("Details…")), "", compact=True)
        self.details.setToolTip(tr("All details about the machine and storage"))
        self.details.clicked.connect(self.details_wanted)
        column.addWidget(self.details, 0, Qt.AlignmentFlag.AlignLeft)

    def show_findings(self, found: Diagnosis | None, failure: str, *, looking: bool) -> None:
        """Show the worst findings; or why there are none."""
        self.again.setEnabled(not looking)
        self.details.setVisible(found is not None)
        bad = [one for one in found.findings if one.severity != "ok"] if found is not None else []
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
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
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


class DetailsDialog(Dialog):
    """Follows the looks of the doctor, and has it measure decoding."""

    def __init__(self, machine: Machine, parent: QWidget) -> None:
        super().__init__(tr("Machine and storage"), parent, size_px=_SIZE_PX)
        self._machine = machine
        self._shown: Diagnosis | None = None
        self.text = QTextBrowser()
        self.text.setAccessibleName(tr("All findings"))
        self.copy = push_button(tr("Copy as Markdown"), "copy")
        self.copy.clicked.connect(self._copy)
        self.measure = QPushButton(tr("Measure decoding"))
        self.measure.clicked.connect(machine.measure_decoding)
        row = ButtonRow(self, tr("Close"), besides=(self.measure, self.copy), hint=tr(_HINT))
        self.close_button, self._hint = row.leave, row.hint
        in_column((self.text, 1), row, on=self, margins=(16, 16, 16, 16), spacing=8)
        machine.changed.connect(self._follow)
        machine.obstacle_changed.connect(self._follow)
        self.finished.connect(self._stop)
        self._show()
        self._follow()

    def _follow(self) -> None:
        """Show a new look; of one that has measured decoding, the rates."""
        measuring, failure = self._machine.measuring_decoding, said(self._machine.failure)
        obstacle = self._machine.obstacle
        self.measure.setEnabled(not (measuring or obstacle))
        self.measure.setToolTip(obstacle or tr(_DECODING))
        self._hint.setText(failure or tr(_MEASURING if measuring else _HINT))
        restyle(self._hint, role="error" if failure else "hint")
        before, found = self._shown, self._machine.diagnosis
        if found is None or found is before:
            return
        self._show()
        if before is not None and found.decode_rates != before.decode_rates:
            self.text.find(tr("Decoding to float32"))

    def _show(self) -> None:
        found = self._machine.diagnosis
        if found is not None:
            self._shown = found
            bar = self.text.verticalScrollBar()
            place = bar.value()
            self.text.setMarkdown(details_text(found))
            bar.setValue(place)

    def _copy(self) -> None:
        if self._shown is not None:
            QApplication.clipboard().setText(details_text(self._shown))

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
