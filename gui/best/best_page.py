"""What Find best recommends, in the slot: what to use, its figures, and what to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from modelmon.core.load.config import PROGRAM
from modelmon.gui.best.best_words import chips, gain_text, summary_text
from modelmon.gui.best.ranking import RANK_HELP, RANKED_BY, RankBy, figures_of, memory_name
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.slot_page import SlotPage
from modelmon.gui.widgets.styling import IconLabel, label, push_button, rule, styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.core.find_best.result import SearchResult
    from modelmon.core.load.config import LoadConfig
    from modelmon.gui.best.ranking import Figure

_FIGURE_PX, _ICON_BOX_PX, _BESIDE_LINE_PX = 112, 32, 12
# What goes first where there is no room; the ranking below has it too.
_ROOM_PX: dict[RankBy, int] = {"cold": 0, "warm": 760, "memory": 880}


class BestPage(SlotPage):
    """Shows a recommendation."""

    details_wanted = Signal()

    def __init__(self) -> None:
        badge = styled(QWidget(), "best")
        badge.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        badge.setFixedSize(_ICON_BOX_PX, _ICON_BOX_PX)
        in_column((IconLabel("best", "good", 18), 0, Qt.AlignmentFlag.AlignCenter), on=badge)
        self.figures: dict[RankBy, _FigureBox] = {
            of: _FigureBox(tr(RANKED_BY[of]), tr(RANK_HELP[of])) for of in RANKED_BY
        }
        self.export = push_button(tr("Export…"), "export", "primary", "ink_text")
        self.use = push_button(tr("Use as B"), "swap")
        self.details = push_button(tr("Details…"), "info")
        small = (self.use, self.details)
        super().__init__(badge, tuple(self.figures.values()), (self.export, *small), small)
        self.sentence, self.reason = self.texts.headline, self.texts.reason
        self.chip_row = self.texts.chip_row
        self.texts.fact_clicked.connect(self.details_wanted)
        self.details.clicked.connect(self.details_wanted)
        self._shown: object = None

    def show_result(
        self, result: SearchResult, used_by_a: LoadConfig | None, name_a: str = "", dated: str = ""
    ) -> None:
        """Show what it recommends, what it gains over what A uses, A's own figures, and when
        it was, where that was before.
        """
        if self._shown == (result, used_by_a, name_a, dated):
            return
        self._shown = result, used_by_a, name_a, dated
        found = result.recommendation
        mine = next((each for each in result.standings if each.config == used_by_a), None)
        gain = gain_text(result, used_by_a, name_a)
        reasons = [dated, gain, *(said(text) for text in (found.to_set, *found.reasons[:2]))]
        reason = sentences(*reasons)
        self.texts.set_texts(said(found.sentence), reason, "", chips(result))
        self.reason.set_more(summary_text(result))
        best = figures_of(result.standing(found.label), result.cache)
        others = figures_of(mine, result.cache) if mine is not None else {}
        same = mine is not None and mine.label == found.label
        self.figures["memory"].name.setText(memory_name(result.portion_bytes))
        for of, box in self.figures.items():
            box.show_figures(of, best, {} if same else others)
        is_program = found.config.library == PROGRAM
        self.use.setVisible(not is_program or bool(result.command))
        self.use.setToolTip(tr("Use {way} as B, to compare it with A", way=found.label))
        self.export.setToolTip(
            tr("Write the command of {strategy}", strategy=found.label)
            if is_program
            else tr("Write {strategy} as modelmon.toml", strategy=found.exported)
            if found.exported
            else tr("Write the ranking; the recommended strategy can't be stored")
        )
        self._fit()

    def _fit(self) -> None:
        width = self.width() / manager().scale
        for of, box in self.figures.items():
            box.setVisible(box.known and width >= _ROOM_PX[of])


class _FigureBox(QWidget):
    """A figure of the recommended strategy, with A's below it."""

    def __init__(self, name: str, about: str) -> None:
        super().__init__()
        self.setToolTip(about)
        self.known = False
        self.setMinimumWidth(round(_FIGURE_PX * manager().scale))
        line = rule(vertical=True)
        line.setFixedSize(1, 60)
        column = in_column(STRETCH, spacing=0)
        self.name = label(name, "hint")
        self.value = label("", "figure")
        self.of_a = QLabel()
        styled(self.of_a, "hint", arm="A")
        for each in (self.name, self.value, self.of_a):
            column.addWidget(each)
        column.addStretch(1)
        in_row(line, (column, 1), on=self, spacing=_BESIDE_LINE_PX)

    def show_figures(
        self, of: RankBy, best: Mapping[RankBy, Figure], a: Mapping[RankBy, Figure]
    ) -> None:
        """Show what is known; without a figure of the best there is nothing to show."""
        self.known = of in best
        self.value.setText(best[of].text(of) if self.known else "")
        self.of_a.setText(tr("A: {value}", value=a[of].text(of)) if of in a else "")
