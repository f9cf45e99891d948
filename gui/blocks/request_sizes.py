"""How large the requests were: a bar for each power of two that occurs, A above B."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from modelmon.core.units import request_text
from modelmon.gui.blocks.figures_column import FiguresText
from modelmon.gui.language import tr
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.gui.blocks.requests import Requests
    from modelmon.gui.session.notices import ArmLabel

_WIDTH_PX = 216
_BAR_PX = 64


class RequestSizes(FiguresText):
    """Numbers of requests by size, the largest first."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[ArmLabel, dict[int, int]] = {}
        self.setFixedWidth(round(_WIDTH_PX * manager().scale))
        self.setAccessibleName(tr("Request sizes"))
        self.setToolTip(tr("Numbers of requests by size, rounded down to a power of two"))

    def show_requests(self, requests: Mapping[ArmLabel, Requests]) -> None:
        """Show the requests of these arms."""
        self.counts = {
            label: each.size_counts for label, each in requests.items() if each.merged <= 1
        }
        left_out = ", ".join(label for label in requests if label not in self.counts)
        note = tr("{arms}: recorded in groups, not one by one", arms=left_out) if left_out else ""
        sizes = sorted({size for counts in self.counts.values() for size in counts}, reverse=True)
        most = max((max(counts.values()) for counts in self.counts.values() if counts), default=1)
        rows = "".join(
            self._row(request_text(2**size), label, count, most)
            for size in sizes
            for label, counts in self.counts.items()
            if (count := counts.get(size, 0))
        )
        grey = f"style='color:{manager().theme.text_2.name()}'"
        self.show_html(
            f"<p {grey}>{escape(tr('Requests by size'))}</p>"
            f"<table cellspacing=1 cellpadding=0>{rows}</table><p {grey}>{escape(note)}</p>"
        )

    def _row(self, size: str, label: ArmLabel, count: int, most: int) -> str:
        colour = manager().theme.arm(label).name()
        width_px = max(round(count / most * _BAR_PX * manager().scale), 1)
        drawn = f"<table cellspacing=0 cellpadding=0><tr><td width={width_px} bgcolor='{colour}'>"
        bar = f"{drawn}&nbsp;</td></tr></table>"
        return (
            f"<tr><td align=right style='white-space:nowrap'>{size}&nbsp;</td>"
            f"<td style='color:{colour}'>{manager().arm_text(label)}&nbsp;</td><td>{bar}</td>"
            f"<td style='white-space:nowrap'>&nbsp;{count:,}</td></tr>"
        )
