"""Asks what Find best shall find and how long it may take, and shows what that costs."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from modelmon.core.comparison.commands import FEWEST, command_words, of_variants
from modelmon.core.errors import ConfigError
from modelmon.core.find_best.plan import ProgramPlan
from modelmon.core.messages import joined
from modelmon.gui.best.best_words import (
    BUDGETS_S,
    OBJECTIVES,
    command_rows,
    plan_lines,
    tune_lines,
)
from modelmon.gui.best.find_best_controller import WantedSearch
from modelmon.gui.language import said, tr
from modelmon.gui.session.run_words import IN_MEMORY
from modelmon.gui.session.watched_run import MOST_LIMIT_S
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import (
    ButtonRow,
    CommandList,
    Dialog,
    Form,
    resize_on_screen,
    scrolled_form,
)
from modelmon.gui.widgets.file_dialog import FileDialog
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import label, push_button, restyle
from modelmon.gui.widgets.theme import mono_font

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QShowEvent

    from modelmon.core.comparison.commands import Setting
    from modelmon.core.find_best.plan import BestPlan
    from modelmon.core.programs.known_program import ListedProgram
    from modelmon.gui.best.find_best_controller import FindBestController

_WIDTH_PX, _SIDE_PX = 720, 24
_COST_PX, _TUNE_COST_PX = 96, 64
_COMMANDS_PX = 232
_LIST_PX = 624
_BOX_COLUMNS = 4
_BORDERS_PX = 2
"""Of the area that scrolls."""


class FindBestDialog(Dialog):
    """Starts the plan that was agreed to: commands of a program were shown in full."""

    def __init__(self, best: FindBestController, parent: QWidget | None = None) -> None:
        super().__init__(tr("Find best"), parent, least_width_px=_WIDTH_PX)
        self._best = best
        self._plan: BestPlan | ProgramPlan | None = None
        self._whole: ProgramPlan | None = None
        """With all settings of the program, whichever are ticked."""
        self._programs: dict[str, ListedProgram] = {}
        self._wanted = best.wanted
        self._changed = False
        self._focuses_start = True
        """Whether Start takes the focus once there is a plan: it loses it while there is none."""
        self._make_fields(best.wanted)
        self._fill()
        self._typed = self._now_typed
        self._connect()
        best.programs.look_for_programs()
        self._show_fields()
        self._ask()

    def _make_fields(self, wanted: WantedSearch) -> None:
        self.program = QComboBox()
        self.program.setAccessibleName(tr("For"))
        self.program.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.program.addItem(tr("modelmon's loader"), "")
        # Why a program can't be chosen stands beside its name.
        self.program.view().setMinimumWidth(_LIST_PX)
        self.looking = label(tr("Looking for programs that load this model…"), "hint", wrap=True)
        self.place = _typed_field(tr("Path of the program or its Python"), wanted.place)
        self.place.setToolTip(tr("Path of the program or its Python, if not on PATH"))
        self.browse = QPushButton(tr("Browse…"))
        self.objective = Segments(tr("Goal"), [(value, tr(name)) for value, name, _ in OBJECTIVES])
        self.objective.set_value(self._best.possible(wanted.objective))
        if self._best.session.in_memory:
            self.objective.button("cold").setEnabled(False)
            self.objective.button("cold").setToolTip(tr(IN_MEMORY))
        self.meaning = label("", "label", wrap=True)
        budgets = [(str(each), tr(name)) for each, name in BUDGETS_S.items()]
        self.budget = Segments(tr("Time limit"), budgets)
        nearest = min(BUDGETS_S, key=lambda each: abs(each * 1e9 - wanted.budget_ns))
        self.budget.set_value(str(nearest))
        self.limit = QSpinBox()
        self.limit.setRange(1, MOST_LIMIT_S)
        self.limit.setValue(wanted.limit_s)
        self.limit.setPrefix(tr("End a run after "))
        self.limit.setSuffix(tr(" s"))
        self.limit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.limit.setAccessibleName(tr("Time limit of a run"))
        self.libraries = QCheckBox(tr("Include libraries"))
        self.libraries.setChecked(wanted.libraries)
        self.libraries.setToolTip(
            tr("Installed libraries that can load this model. They can't be exported.")
        )
        self.settings = SettingBoxes()
        self.options = _typed_field(tr("Options"), shlex.join(wanted.more))
        self.options.setPlaceholderText(tr("More options for the program, if it needs any"))
        self.cost = label("", "value", wrap=True)
        self.cost.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.commands = CommandList()
        self.commands.setFixedHeight(_COMMANDS_PX)
        self.start = push_button(tr("Find best"), "best", "primary", "ink_text")
        self.start.setDefault(True)

    def _fill(self) -> None:
        content = QWidget()
        form = self._form = Form()
        places = in_row(
            (self.program, 2), (self.looking, 3), (self.place, 3), self.browse, spacing=12
        )
        form.add(tr("For"), places)
        goal = QWidget()
        in_column(self.objective, self.meaning, on=goal, spacing=8)
        form.add(tr("Find"), goal)
        limits = in_row(self.budget, self.limit, STRETCH, spacing=12)
        form.add(tr("Time limit"), limits)
        form.addRow("", self.libraries)
        form.add(tr("Settings"), self.settings)
        form.add(tr("Options"), self.options)
        in_column(form, self.cost, self.commands, on=content, spacing=12)
        self._content, self._area = content, scrolled_form(content)
        outer = in_column(on=self, margins=(_SIDE_PX, 16, _SIDE_PX, 16), spacing=12)
        outer.addWidget(self._area, 1)
        hint = tr("Stop any time and keep the best so far")
        outer.addLayout(ButtonRow(self, tr("Cancel"), (self.start,), hint=hint))

    def _connect(self) -> None:
        best, programs = self._best, self._best.programs
        self.program.activated.connect(self._choose_program)
        for field in (self.limit, self.options, self.place):
            field.editingFinished.connect(self._on_typed)
        self.browse.clicked.connect(self._browse)
        self.settings.changed.connect(self._choose_settings)
        self.objective.chosen.connect(self._change)
        self.budget.chosen.connect(self._change)
        self.libraries.toggled.connect(self._change)
        self.start.clicked.connect(self._agree)
        best.planned.connect(self._on_plan)
        best.plan_failed.connect(self._on_no_plan)
        programs.programs_found.connect(self._show_programs)
        programs.no_programs.connect(self.looking.setText)
        self.finished.connect(best.give_up_plan)
        self.finished.connect(programs.stop)

    def showEvent(self, event: QShowEvent) -> None:
        """Fit it to its parts once they are styled."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """As high as the form, as far as the screen is."""
        self.ensurePolished()
        # Layouts keep what they measured before their parts were styled.
        for part in self.findChildren(QWidget):
            part.updateGeometry()
        width_px = max(self.width(), _WIDTH_PX)
        if (content := self._content.layout()) is not None:
            content.activate()
        around_px = self.sizeHint().height() - self._area.sizeHint().height()
        form_px = self._content.heightForWidth(width_px - 2 * _SIDE_PX)
        resize_on_screen(self, width_px, form_px + around_px + _BORDERS_PX)

    @property
    def chosen_program(self) -> str:
        """The program whose settings are wanted; empty for modelmon's loader."""
        return str(self.program.currentData())

    def _show_programs(self, programs: tuple[ListedProgram, ...]) -> None:
        """Those that can load the model here first; of the others why not. One that may be
        elsewhere can be chosen all the same, to say where.
        """
        self._programs = {each.name: each for each in programs}
        items = QStandardItemModel(self)
        items.appendRow(_item(self.program.itemText(0), ""))
        for each in sorted(programs, key=lambda each: bool(each.obstacle)):
            if each.obstacle:
                obstacle = said(each.obstacle)
                items.appendRow(_item(each.title, each.name, obstacle, movable=each.movable))
            else:
                items.appendRow(_item(f"{each.title} {each.version}".strip(), each.name))
        self.program.setModel(items)
        ready = [each.name for each in programs if not each.obstacle]
        none = tr("No program that modelmon knows can load this model here.")
        self.looking.setText("" if ready else none)
        offered = [*self._programs] if self.place.text() else ready
        if not self._changed and self._wanted.program in offered:
            self.program.setCurrentIndex(self.program.findData(self._wanted.program))
            self._show_fields()
            self._ask()

    def _choose_program(self) -> None:
        chosen = self.chosen_program
        if chosen and chosen != self._wanted.program:
            # Of another program it is another place.
            self.options.clear()
            self.place.clear()
            self.settings.show_settings(())
            self._wanted = replace(self._wanted, program=chosen, settings=frozenset())
        self._show_fields()
        self._change()

    def _show_fields(self) -> None:
        """Show the fields of a program, or of modelmon's loader."""
        tunes = bool(self.chosen_program)
        memory = self.objective.button("memory")
        memory.setEnabled(not tunes)
        memory.setToolTip(tr("Programs are tested for start time only") if tunes else "")
        if tunes and memory.isChecked():
            self.objective.set_value(self._best.possible("cold"))
        for field in (self.settings, self.options):
            self._form.setRowVisible(field, tunes)
        self._form.setRowVisible(self.libraries, not tunes)
        self.limit.setVisible(tunes)
        self.commands.setVisible(tunes)
        found = self._programs.get(self.chosen_program)
        movable = found is not None and found.movable
        self.place.setVisible(movable)
        self.looking.setVisible(not movable)
        # A dialog would show the folders here.
        self.browse.setVisible(movable and not self._best.programs.server)
        if found is not None and movable:
            # Where nothing was found, its place is what is missing.
            missing = tr("Path of the program, or of the Python that has it")
            self.place.setPlaceholderText(missing if found.obstacle else found.path)

    @property
    def _now_typed(self) -> tuple[object, ...]:
        return self.limit.value(), self.options.text(), self.place.text()

    def _on_typed(self) -> None:
        # Leaving a field is no change.
        if self._now_typed != self._typed:
            self._change()

    def _browse(self) -> None:
        title = tr("Choose the program, or the Python that has it")
        place = self.place.text()
        dialog = FileDialog(self, title, str(Path(place).parent if place else Path.home()))
        dialog.chosen.connect(self.place.setText)
        dialog.chosen.connect(self._on_typed)
        dialog.open()

    def _change(self) -> None:
        self._changed = True
        # Who chooses with the keys stays where they are; Return starts from there, too.
        self._focuses_start = self.start.hasFocus()
        self._ask()

    def _ask(self) -> None:
        """Ask for a plan of what is chosen now."""
        self._plan = self._whole = None
        self.start.setEnabled(False)
        self.commands.clear()
        program, self._typed = self.chosen_program, self._now_typed
        self.cost.setMinimumHeight(_TUNE_COST_PX if program else _COST_PX)
        objective, _, meaning = next(each for each in OBJECTIVES if each[0] == self.objective.value)
        self.meaning.setText(tr(meaning))
        self._say(
            tr("Checking which settings the program supports. No model is loaded.")
            if program
            else tr(
                "Estimating the time from earlier runs, or by reading a small part of the file."
            )
        )
        try:
            more = command_words(self.options.text())
        except ConfigError as error:
            self._best.give_up_plan()
            self._on_no_plan(error.message, error.remedy)
            return
        self._best.plan(
            WantedSearch(
                objective,
                int(self.budget.value) * 10**9,
                self.libraries.isChecked(),
                program,
                self.place.text().strip(),
                more,
                self.limit.value(),
            )
        )

    def _on_plan(self, plan: BestPlan | ProgramPlan) -> None:
        if isinstance(plan, ProgramPlan):
            self._whole = plan
            self.settings.show_settings(plan.settings, self._wanted.settings)
            self._choose_settings()
            return
        if not plan.arms:
            self._on_no_plan(
                tr("No strategy for this model works here."),
                tr("See Details under Likely bottlenecks."),
            )
            return
        self._say("\n".join(plan_lines(plan)))
        left_out = "\n".join(f"{each.strategy}: {said(each.why)}" for each in plan.excluded)
        self.cost.setToolTip(left_out)
        self._offer(plan)

    def _choose_settings(self) -> None:
        """Go on with those that are ticked."""
        if self._whole is None:
            return
        chosen = of_variants(self._whole.settings, self.settings.ticked)
        plan = msgspec.structs.replace(self._whole, settings=chosen)
        self.commands.show_commands(command_rows(plan))
        if len(chosen) < FEWEST:
            self._plan = None
            self.start.setEnabled(False)
            self._on_no_plan(tr("Choose a setting to test."), "")
            return
        self._say("\n".join(tune_lines(plan)))
        self._offer(plan)

    def _offer(self, plan: BestPlan | ProgramPlan) -> None:
        """It can be started."""
        self._plan = plan
        self.start.setEnabled(True)
        if self._focuses_start:
            self.start.setFocus()

    def _on_no_plan(self, message: str, remedy: str) -> None:
        self._say(said(joined(filter(None, (message, remedy)))), bad=True)

    def _say(self, text: str, *, bad: bool = False) -> None:
        self.cost.setText(text)
        self.cost.setToolTip("")
        restyle(self.cost, role="error" if bad else "value")
        self._fit()

    def _agree(self) -> None:
        if self._plan is not None:
            self.accept()
            self._best.start(self._plan)


class SettingBoxes(QWidget):
    """Which load settings of a program are tested: all until somebody unticks one; `changed` comes
    with each click.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, QCheckBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(_BOX_COLUMNS, 1)

    @property
    def ticked(self) -> set[str]:
        """The names of the variants that are wanted."""
        return {name for name, box in self.boxes.items() if box.isChecked()}

    def show_settings(
        self, settings: Sequence[Setting], wanted: Collection[str] = frozenset()
    ) -> None:
        """Offer the variants of these, of which the first is what the program does by itself, with
        those that are `wanted` ticked, or all. What was ticked stays so where they are the same.
        """
        own = settings[0].variant.name if settings else ""
        variants = {each.variant.name: each.variant for each in settings}
        variants.pop(own, None)
        if variants.keys() == self.boxes.keys():
            return
        for box in self.boxes.values():
            box.hide()
            box.deleteLater()
        self.boxes = {}
        for at, (name, variant) in enumerate(variants.items()):
            box = self.boxes[name] = QCheckBox(name)
            box.setAccessibleName(tr("Test {setting}", setting=name))
            box.setToolTip(f"{variant.setting}\n{said(variant.meaning)}")
            box.setChecked(not wanted or name in wanted)
            box.toggled.connect(self.changed)
            self._grid.addWidget(box, at // _BOX_COLUMNS, at % _BOX_COLUMNS)


def _typed_field(name: str, text: str) -> QLineEdit:
    field = QLineEdit(text)
    field.setFont(mono_font())
    field.setAccessibleName(name)
    return field


def _item(text: str, name: str, obstacle: str = "", *, movable: bool = False) -> QStandardItem:
    item = QStandardItem(f"{text}: {obstacle}" if obstacle else text)
    item.setData(name, Qt.ItemDataRole.UserRole)
    item.setEnabled(movable or not obstacle)
    item.setToolTip(obstacle)
    return item
