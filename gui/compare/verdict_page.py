"""The slot's verdict: what to do and why, every run of it, and the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel

from modelmon.core.comparison.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.gui.compare.verdict_details import VerdictDetails, chips
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.plots.run_strip import WIDTH_PX, RunStrip, rows_of_comparison, title_of
from modelmon.gui.session.run_words import model_share_text
from modelmon.gui.widgets.slot_page import BUTTONS_PX, SlotPage
from modelmon.gui.widgets.styling import push_button, restyle, styled
from modelmon.gui.widgets.theme import manager, set_icon

if TYPE_CHECKING:
    from modelmon.core.comparison.result import Comparison
    from modelmon.gui.session.notices import ArmLabel

_BADGE_PX = 32
_ROOM_FOR_STRIP_PX = 880
"""In less it is in the details alone, for the sentences need theirs."""


class VerdictPage(SlotPage):
    """Shows a Comparison's verdict; its figures stand behind Details."""

    def __init__(self) -> None:
        self._comparison: Comparison | None = None
        self._shown: object = None
        self.badge = styled(QLabel(), "badge")
        self.badge.setFixedSize(_BADGE_PX, _BADGE_PX)
        self.strip = RunStrip()
        self.export = push_button(tr("Export…"), "export", "primary", "ink_text")
        self.again = push_button(tr("Compare again"), "compare")
        self.details = push_button(tr("Details…"), "info")
        buttons = (self.export, self.again, self.details)
        super().__init__(self.badge, (self.strip,), buttons, small=(self.again, self.details))
        self.sentence, self.reason = self.texts.headline, self.texts.reason
        self.chip_row = self.texts.chip_row
        self.texts.fact_clicked.connect(self._show_details)
        self.details.clicked.connect(lambda: self._show_details(""))

    def show_comparison(
        self, comparison: Comparison, changed: bool, dated: str = ""
    ) -> ArmLabel | None:
        """Show a verdict; `changed` says that the cards show other settings by now, `dated` when
        it was found, where that was before.

        Returns the arm whose color the slot takes on.
        """
        verdict = comparison.verdict
        arm: ArmLabel | None = verdict.winner if verdict.winner in ("A", "B") else None
        if (comparison, changed, dated) == self._shown:
            return arm
        self._comparison, self._shown = comparison, (comparison, changed, dated)
        self.badge.setText(arm or ("=" if verdict.winner == "no-difference" else "?"))
        restyle(self.badge, arm=arm or "")
        facts = chips(comparison, changed=changed)
        part = model_share_text(comparison.runs_a[0])
        loaded = tr("Loaded {part}.", part=part) if part else ""
        reason = sentences(dated, loaded, said(verdict.reason))
        self.texts.set_texts(said(verdict.sentence), reason, "", facts)
        self.strip.show_rows(rows_of_comparison(comparison), title_of(comparison))
        decided = verdict.winner != "undecided"
        self.export.setVisible(decided)
        # The one that is left to do is the first.
        restyle(self.again, role="" if decided else "primary", compact=decided)
        set_icon(self.again, "compare", "text" if decided else "ink_text")
        few = verdict.pairs < MIN_PAIRS_FOR_INTERVAL and not comparison.lost_its_model
        pairs = tr("Run {count} pairs", count=MIN_PAIRS_FOR_INTERVAL)
        self.again.setText(f" {pairs if few else tr('Compare again')}")
        self._fit()
        return arm

    def _fit(self) -> None:
        scale = manager().scale
        roomy = self.width() >= _ROOM_FOR_STRIP_PX * scale
        self.strip.setVisible(roomy)
        # The sentences have the rest: about half of what the two share.
        shared = (self.width() - BUTTONS_PX * scale) * 0.45
        self.strip.setFixedWidth(round(min(WIDTH_PX * scale, shared)))

    def _show_details(self, about: str) -> None:
        if self._comparison is not None:
            dialog = VerdictDetails(self._comparison, self.window())
            dialog.select(about)
            dialog.open()
