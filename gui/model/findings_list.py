"""What will probably hurt a load: the doctor's findings, each with evidence and remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from modelmon.gui.language import said, tr
from modelmon.gui.model.machine_facts import SEVERITIES, finding_tip, hurts
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.section import Section
from modelmon.gui.widgets.styling import IconLabel, icon_button, label, plain, restyle, styled

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout

    from modelmon.core.doctor.diagnosis import Diagnosis, Finding

_ICONS = {"problem": ("warn", "bad"), "note": ("info", "warn")}
_MOST_SHOWN = 3


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
        bad = hurts(found) if found is not None else []
        text = said(failure)
        if not failure and found is None:
            text = (
                tr("Checking this machine…")
                if looking
                else tr("Checked when the current measurement is done.")
            )
        elif not failure and not bad:
            text = tr("No likely bottlenecks found")
        self.set_summary(str(len(bad)) if found is not None else "–", "warn" if bad else "plain")
        self.state.setText(text)
        self.state.setVisible(bool(text))
        restyle(self.state, role="error" if failure else "label")
        _clear(self._rows)
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
    text.setAccessibleName(f"{tr(SEVERITIES[finding.severity])}: {said(finding.text)}")
    line.addWidget(text, 1)
    row.setToolTip(plain(finding_tip(finding)))
    return row


def _clear(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.setParent(None)
            widget.deleteLater()
