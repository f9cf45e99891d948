"""Everything that the doctor found, as a page to read and as text to copy."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from modelmon.core.diagnose.rows import doctor_groups
from modelmon.gui.look.language import mark, said, tr
from modelmon.gui.machine.machine_facts import SEVERITIES, finding_tip

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.gui.look.theme import Theme

_NOTHING = mark("No likely bottlenecks found")
_COLOURS = {"problem": "bad", "note": "warn", "ok": "good"}


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
    for title, rows in _groups(found):
        cells = "".join(
            f"<tr><td style='color:{quiet};white-space:pre'>{escape(name)}</td>"
            f"<td style='padding-left:16px'>{escape(text)}</td></tr>"
            for name, text in rows
        )
        parts.append(f"<h3>{escape(title)}</h3><table>{cells}</table>")
    return "".join(parts)


def _groups(found: Diagnosis) -> list[tuple[str, list[tuple[str, str]]]]:
    """The doctor's groups of rows in the window's language."""
    return [
        (said(title), [(said(name), said(text)) for name, text in rows])
        for title, rows in doctor_groups(found)
    ]
