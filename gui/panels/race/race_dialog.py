"""Asks what a race shall find and how long it may take, and shows what that costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from modelmon.core.experiment.race.candidates import LIBRARIES
from modelmon.core.experiment.race.plan import RacePlan
from modelmon.core.messages import joined
from modelmon.gui.find_best.race_words import BUDGETS_S, OBJECTIVES, plan_lines
from modelmon.gui.look.language import said, tr
from modelmon.gui.look.styling import label, push_button, restyle
from modelmon.gui.measuring import narration
from modelmon.gui.panels.segments import Segments

if TYPE_CHECKING:
    from modelmon.gui.find_best.find_best_controller import FindBestController

_WIDTH_PX = 720
_COST_PX = 96
_BOLD_PX = 28


class RaceDialog(QDialog):
    """`start_wanted` carries the plan that was agreed to."""

    start_wanted = Signal(RacePlan)

    def __init__(self, racing: FindBestController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Find best"))
        self.setMinimumWidth(_WIDTH_PX)
        self._find_best_controller = racing
        self._plan: RacePlan | None = None
        self.objective = Segments(tr("Goal"), [(value, tr(name)) for value, name, _ in OBJECTIVES])
        self.objective.set_value(racing.objective)
        if racing.in_memory:
            self.objective.button("cold").setEnabled(False)
            self.objective.button("cold").setToolTip(tr(narration.IN_MEMORY))
        budgets = [(str(each), tr(name)) for each, name in BUDGETS_S.items()]
        self.budget = Segments(tr("Time limit"), budgets)
        nearest = min(BUDGETS_S, key=lambda each: abs(each * 1e9 - racing.budget_ns))
        self.budget.set_value(str(nearest))
        for field in (self.objective, self.budget):
            for button in field.findChildren(QToolButton):
                # The chosen one is bold, for which its size hint has no room.
                button.setMinimumWidth(button.sizeHint().width() + _BOLD_PX)
        self.libraries = QCheckBox(tr("Include libraries"))
        self.libraries.setChecked(LIBRARIES in racing.include)
        self.libraries.setToolTip(
            tr("Installed libraries that can load this model. They can't be exported.")
        )
        self.meaning = label("", "label", wrap=True)
        self.cost = label("", "value", wrap=True)
        self.cost.setMinimumHeight(_COST_PX)
        self.cost.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.start = push_button(tr("Find best"), "best", "primary", "ink_text")
        self.start.setDefault(True)
        self._fill()
        self._changed = False
        self.objective.chosen.connect(self._change)
        self.budget.chosen.connect(self._change)
        self.libraries.toggled.connect(self._change)
        self.start.clicked.connect(self._agree)
        racing.planned.connect(self._on_plan)
        racing.plan_failed.connect(self._on_no_plan)
        self.finished.connect(racing.give_up_plan)
        self._ask()

    def _fill(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.addWidget(label(tr("Find"), "title"), 0, 0)
        grid.addWidget(self.objective, 0, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self.meaning, 1, 1)
        grid.addWidget(label(tr("Time limit"), "title"), 2, 0)
        grid.addWidget(self.budget, 2, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self.libraries, 3, 1, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(grid)
        column.addWidget(self.cost)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(tr("Stop any time and keep the best so far"), "hint"), 1)
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        row.addWidget(cancel)
        row.addWidget(self.start)
        column.addLayout(row)

    def _change(self) -> None:
        self._changed = True
        self._ask()

    def _ask(self) -> None:
        self._plan = None
        self.start.setEnabled(False)
        chosen = next(each for each in OBJECTIVES if each[0] == self.objective.value)
        self.meaning.setText(tr(chosen[2]))
        self._say(
            tr("Estimating the time from earlier runs, or by reading a small part of the file.")
        )
        include = (LIBRARIES,) if self.libraries.isChecked() else ()
        self._find_best_controller.plan(chosen[0], int(self.budget.value) * 10**9, include)

    def _on_plan(self, plan: RacePlan) -> None:
        if not plan.candidates:
            self._on_no_plan(
                tr("No strategy for this model works here."), tr("Run modelmon doctor for details.")
            )
            return
        self._plan = plan
        self._say("\n".join(plan_lines(plan)))
        left_out = "\n".join(f"{each.strategy}: {said(each.why)}" for each in plan.excluded)
        self.cost.setToolTip(left_out)
        self.start.setEnabled(True)
        if not self._changed:
            # Who chooses with the keys goes on where they are; Return starts from there, too.
            self.start.setFocus()

    def _on_no_plan(self, message: str, remedy: str) -> None:
        self._say(said(joined(filter(None, (message, remedy)))), bad=True)

    def _say(self, text: str, *, bad: bool = False) -> None:
        self.cost.setText(text)
        self.cost.setToolTip("")
        restyle(self.cost, role="error" if bad else "value")

    def _agree(self) -> None:
        plan = self._plan
        if plan is not None:
            self.accept()
            self.start_wanted.emit(plan)
