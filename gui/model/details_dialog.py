"""Everything that was seen of the machine and the path, to read and to copy."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QTextBrowser,
    QWidget,
)

from modelmon.core.doctor.sections import CACHE_BAR, sections
from modelmon.gui.language import mark, said, tr
from modelmon.gui.model.machine_facts import SEVERITIES, finding_tip
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import push_button, restyle
from modelmon.gui.widgets.theme import manager, mono_font

if TYPE_CHECKING:
    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.gui.session.machine import Machine
    from modelmon.gui.widgets.theme import Theme

_SIZE_PX = (760, 600)
_NOTHING = mark("No likely bottlenecks found")
_HINT = mark("Same as modelmon doctor in a terminal")
_DECODING = mark(
    "Measure how fast this machine turns stored values into float32; takes a few seconds"
)
_MEASURING = mark("Measuring decoding with all processors. The first time it takes up to a minute.")
_COLOURS = {"problem": "bad", "note": "warn", "ok": "good"}


class DetailsDialog(Dialog):
    """Follows the looks of the doctor, and has it measure decoding."""

    def __init__(self, machine: Machine, parent: QWidget) -> None:
        super().__init__(tr("Machine and storage"), parent, size_px=_SIZE_PX)
        self._machine = machine
        self._shown: Diagnosis | None = None
        self.text = QTextBrowser()
        self.text.setAccessibleName(tr("All findings"))
        self.copy = push_button(tr("Copy as text"), "copy")
        self.copy.clicked.connect(self._copy)
        self.measure = QPushButton(tr("Measure decoding"))
        self.measure.clicked.connect(machine.measure_decoding)
        row = ButtonRow(self, tr("Close"), besides=(self.measure, self.copy), hint=tr(_HINT))
        self.close_button, self._hint = row.leave, row.hint
        in_column((self.text, 1), row, on=self, margins=(16, 16, 16, 16), spacing=8)
        manager().changed.connect(self._show)
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
            self.text.scrollToAnchor(tr("Decoding to float32"))

    def _show(self) -> None:
        found = self._machine.diagnosis
        if found is not None:
            self._shown = found
            bar = self.text.verticalScrollBar()
            place = bar.value()
            self.text.setHtml(page(found, manager().theme))
            bar.setValue(place)

    def _copy(self) -> None:
        if self._shown is not None:
            QApplication.clipboard().setText(plain_text(self._shown))

    def _stop(self) -> None:
        """Who has closed the dialog awaits no rates, which take all processors."""
        if self._machine.measuring_decoding:
            self._machine.stop()


def plain_text(found: Diagnosis) -> str:
    """The whole as text, for a bug report or a mail."""
    lines = []
    for finding in found.findings:
        lines.append(f"{tr(SEVERITIES[finding.severity])}: {said(finding.text)}")
        lines += [f"    {line}" for line in finding_tip(finding).splitlines()]
    if not lines:
        lines.append(tr(_NOTHING))
    for title, rows in _groups(found):
        widest = max(len(name) for name, _ in rows)
        lines += ["", title, *(f"  {name:<{widest}}  {text}" for name, text in rows)]
    return "\n".join(lines) + "\n"


def page(found: Diagnosis, theme: Theme) -> str:
    """The whole as HTML in the theme's colours, findings first."""
    quiet = theme.text_2.name()
    heading = tr("Findings")
    parts = [f"<h3>{heading}</h3>"]
    for finding in found.findings:
        colour = getattr(theme, _COLOURS[finding.severity]).name()
        tip = escape(finding_tip(finding)).replace("\n", "<br>")
        parts.append(
            f"<p><b style='color:{colour}'>{tr(SEVERITIES[finding.severity])}</b>"
            f" {escape(said(finding.text))}"
            f"<br><span style='color:{quiet}'>{tip}</span></p>"
        )
    if not found.findings:
        parts.append(f"<p>{tr(_NOTHING)}</p>")
    families = ",".join(f'"{family}"' for family in mono_font().families())
    drawn = {said(CACHE_BAR): f"white-space:pre;font-family:{families}"}
    for title, rows in _groups(found):
        cells = "".join(
            f"<tr><td style='color:{quiet};white-space:pre'>{escape(name)}</td>"
            f"<td style='padding-left:16px;{drawn.get(name, '')}'>{escape(text)}</td></tr>"
            for name, text in rows
        )
        name = escape(title)
        parts.append(f"<h3><a name='{name}'>{name}</a></h3><table>{cells}</table>")
    return "".join(parts)


def _groups(found: Diagnosis) -> list[tuple[str, list[tuple[str, str]]]]:
    """The doctor's groups of rows in the window's language."""
    return [
        (said(title), [(said(name), said(text)) for name, text in rows])
        for title, rows in sections(found)
    ]
