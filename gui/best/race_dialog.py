"""Asks whose ways to load are raced, for what and for how long, and shows what that takes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Qt, Signal
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
from modelmon.core.find_best.plan import LIBRARIES, ProgramPlan
from modelmon.core.messages import joined
from modelmon.gui.best.race_words import (
    BUDGETS_S,
    OBJECTIVES,
    command_rows,
    plan_lines,
    tune_lines,
)
from modelmon.gui.best.setting_boxes import SettingBoxes
from modelmon.gui.language import said, tr
from modelmon.gui.session import run_words
from modelmon.gui.watch.program_fields import MOST_LIMIT_S
from modelmon.gui.widgets.agreement_dialog import CommandList
from modelmon.gui.widgets.dialog import ButtonRow, Dialog, scrolled_form
from modelmon.gui.widgets.file_dialog import FileDialog
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.screen_room import resize_on_screen
from modelmon.gui.widgets.segments import Segments
from modelmon.gui.widgets.styling import label, push_button, restyle
from modelmon.gui.widgets.theme import mono_font

if TYPE_CHECKING:
    from modelmon.core.find_best.plan import BestPlan
    from modelmon.core.find_best.result import Objective
    from modelmon.gui.best.find_best_controller import FindBestController
    from modelmon.gui.session.found_programs import FoundProgram, ProgramFinder

_WIDTH_PX, _SIDE_PX = 720, 24
_COST_PX, _TUNE_COST_PX = 96, 64
_COMMANDS_PX = 232
_LIST_PX = 624


class RaceDialog(Dialog):
    """`start_wanted` is the plan that was agreed to: a BestPlan, or a ProgramPlan with commands
    that were shown in full.
    """

    start_wanted = Signal(object)

    def __init__(
        self, racing: FindBestController, programs: ProgramFinder, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Find best"), parent, least_width_px=_WIDTH_PX)
        self._find_best_controller, self._finder = racing, programs
        self._plan: BestPlan | ProgramPlan | None = None
        self._whole: ProgramPlan | None = None
        """With all settings of the program, whichever are ticked."""
        self._programs: dict[str, FoundProgram] = {}
        self._make_program_fields()
        self.objective = Segments(tr("Goal"), [(value, tr(name)) for value, name, _ in OBJECTIVES])
        self.objective.set_value(racing.objective)
        if racing.in_memory:
            self.objective.button("cold").setEnabled(False)
            self.objective.button("cold").setToolTip(tr(run_words.IN_MEMORY))
        budgets = [(str(each), tr(name)) for each, name in BUDGETS_S.items()]
        self.budget = Segments(tr("Time limit"), budgets)
        nearest = min(BUDGETS_S, key=lambda each: abs(each * 1e9 - racing.budget_ns))
        self.budget.set_value(str(nearest))
        self.libraries = QCheckBox(tr("Include libraries"))
        self.libraries.setChecked(LIBRARIES in racing.include)
        self.libraries.setToolTip(
            tr("Installed libraries that can load this model. They can't be exported.")
        )
        self.meaning = label("", "label", wrap=True)
        self.cost = label("", "value", wrap=True)
        self.cost.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.commands = CommandList()
        self.commands.setFixedHeight(_COMMANDS_PX)
        self.commands.hide()
        self.start = push_button(tr("Find best"), "best", "primary", "ink_text")
        self.start.setDefault(True)
        self._fill()
        self._changed = False
        self._focuses_start = True
        """Whether Start takes the focus once there is a plan: it loses it while there is none."""
        self._asked = self._typed
        self._wanted_engine = racing.engine
        self._connect()
        programs.look_for_programs()
        self._ask()

    def _make_program_fields(self) -> None:
        """Which program, and what is asked of one only."""
        racing = self._find_best_controller
        self.program = QComboBox()
        self.program.setAccessibleName(tr("For"))
        self.program.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.program.addItem(tr("modelmon's loader"), "")
        # Why a program can't be chosen stands beside its name.
        self.program.view().setMinimumWidth(_LIST_PX)
        self.looking = label(tr("Looking for programs that load this model…"), "hint", wrap=True)
        self.limit = QSpinBox()
        self.limit.setRange(1, MOST_LIMIT_S)
        self.limit.setValue(racing.limit_s)
        self.limit.setPrefix(tr("End a run after "))
        self.limit.setSuffix(tr(" s"))
        self.limit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.limit.setAccessibleName(tr("Time limit of a run"))
        self.options = QLineEdit(shlex.join(racing.more))
        self.options.setFont(mono_font())
        self.options.setAccessibleName(tr("Options"))
        self.options.setPlaceholderText(tr("More options for the program, if it needs any"))
        self.place = QLineEdit(racing.place)
        self.place.setFont(mono_font())
        self.place.setAccessibleName(tr("Path of the program or its Python"))
        self.place.setToolTip(tr("Path of the program or its Python, if not on PATH"))
        self.browse = QPushButton(tr("Browse…"))
        self.settings = SettingBoxes()
        self._program_fields = (
            *(self.place, self.browse, self.limit, self.settings, self.options),
            *(label(tr("Settings"), "title"), label(tr("Options"), "title")),
        )
        for each in self._program_fields:
            each.hide()

    def _connect(self) -> None:
        racing = self._find_best_controller
        self.program.activated.connect(self._on_program)
        for field in (self.limit, self.options, self.place):
            field.editingFinished.connect(self._on_typed)
        self.browse.clicked.connect(self._browse)
        self.settings.changed.connect(self._choose_settings)
        self.objective.chosen.connect(self._change)
        self.budget.chosen.connect(self._change)
        self.libraries.toggled.connect(self._change)
        self.start.clicked.connect(self._agree)
        racing.planned.connect(self._on_plan)
        racing.plan_failed.connect(self._on_no_plan)
        self._finder.programs_found.connect(self._show_programs)
        self._finder.no_programs.connect(self.looking.setText)
        self.finished.connect(racing.give_up_plan)
        self.finished.connect(self._finder.stop)

    def _fill(self) -> None:
        outer = in_column(on=self, margins=(_SIDE_PX, 16, _SIDE_PX, 16), spacing=12)
        self._form = QWidget()
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        left = Qt.AlignmentFlag.AlignLeft
        program = in_row(
            (self.program, 2), (self.looking, 3), (self.place, 3), self.browse, spacing=12
        )
        limits = in_row(self.budget, self.limit, STRETCH, spacing=12)
        grid.addWidget(label(tr("For"), "title"), 0, 0)
        grid.addLayout(program, 0, 1)
        grid.addWidget(label(tr("Find"), "title"), 1, 0)
        grid.addWidget(self.objective, 1, 1, left)
        grid.addWidget(self.meaning, 2, 1)
        grid.addWidget(label(tr("Time limit"), "title"), 3, 0)
        grid.addLayout(limits, 3, 1)
        grid.addWidget(self.libraries, 4, 1, left)
        *_, settings_name, options_name = self._program_fields
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(settings_name, 5, 0, top)
        grid.addWidget(self.settings, 5, 1)
        grid.addWidget(options_name, 6, 0)
        grid.addWidget(self.options, 6, 1)
        in_column(grid, self.cost, self.commands, on=self._form, spacing=12)
        hint = tr("Stop any time and keep the best so far")
        self._area = scrolled_form(self._form)
        outer.addWidget(self._area, 1)
        outer.addLayout(ButtonRow(self, tr("Cancel"), (self.start,), hint=hint))

    def _fit(self) -> None:
        """As high as the form, as far as the screen is."""
        self.ensurePolished()
        width_px = max(self.width(), _WIDTH_PX)
        if (layout := self._form.layout()) is not None:
            layout.activate()
        around_px = self.sizeHint().height() - self._area.sizeHint().height()
        form_px = self._form.heightForWidth(width_px - 2 * _SIDE_PX)
        resize_on_screen(self, width_px, form_px + around_px)

    @property
    def engine(self) -> str:
        """The program whose settings are wanted; empty for modelmon's loader."""
        return str(self.program.currentData())

    def _show_programs(self, programs: tuple[FoundProgram, ...]) -> None:
        """Those that can load the model here first; of the others why not. One that may be
        elsewhere can be chosen all the same, to say where.
        """
        self._programs = {each.name: each for each in programs}
        items = QStandardItemModel(self)
        items.appendRow(_item(self.program.itemText(0), ""))
        ready = [each for each in programs if not each.obstacle]
        for each in ready:
            items.appendRow(_item(f"{each.title} {each.version}".strip(), each.name))
        for each in programs:
            if each.obstacle:
                obstacle = said(each.obstacle)
                items.appendRow(_item(each.title, each.name, obstacle, movable=each.movable))
        self.program.setModel(items)
        none = tr("No program that modelmon knows can load this model here.")
        self.looking.setText("" if ready else none)
        placed = self._programs if self.place.text() else [each.name for each in ready]
        if not self._changed and self._wanted_engine in placed:
            self.program.setCurrentIndex(self.program.findData(self._wanted_engine))
            self._on_program()

    def _on_program(self) -> None:
        tunes = bool(self.engine)
        if tunes and self.engine != self._wanted_engine:
            self.options.clear()
            self.place.clear()
            self.settings.show_settings(())
            self._wanted_engine = self.engine
        memory = self.objective.button("memory")
        memory.setEnabled(not tunes)
        memory.setToolTip(tr("Programs are tested for their start only") if tunes else "")
        if tunes and memory.isChecked():
            self.objective.set_value(self._find_best_controller.usual_objective)
        self.libraries.setVisible(not tunes)
        for each in self._program_fields:
            each.setVisible(tunes)
        found = self._programs.get(self.engine)
        movable = found is not None and found.movable
        self.place.setVisible(movable)
        # A dialog would show the folders here.
        self.browse.setVisible(movable and not self._finder.server)
        if found is not None and movable:
            # Where nothing was found, its place is what is missing.
            missing = tr("Path of the program, or of the Python that has it")
            self.place.setPlaceholderText(missing if found.obstacle else found.path)
        self.looking.setVisible(not movable)
        self._change()

    def _on_typed(self) -> None:
        # Leaving a field is no change.
        if self._typed != self._asked:
            self._change()

    @property
    def _typed(self) -> tuple[object, ...]:
        return self.limit.value(), self.options.text(), self.place.text()

    def _browse(self) -> None:
        title = tr("Choose the program, or the Python that has it")
        dialog = FileDialog(self, title, str(Path(self.place.text() or Path.home()).parent))
        dialog.chosen.connect(self.place.setText)
        dialog.chosen.connect(self._on_typed)
        dialog.open()

    def _change(self) -> None:
        self._changed = True
        # Who chooses with the keys stays where they are; Return starts from there, too.
        self._focuses_start = self.start.hasFocus()
        self._ask()

    def _ask(self) -> None:
        self._plan = self._whole = None
        self.start.setEnabled(False)
        self.commands.clear()
        self.commands.setVisible(bool(self.engine))
        self.cost.setMinimumHeight(_TUNE_COST_PX if self.engine else _COST_PX)
        chosen = next(each for each in OBJECTIVES if each[0] == self.objective.value)
        self.meaning.setText(tr(chosen[2]))
        racing, budget_ns = self._find_best_controller, int(self.budget.value) * 10**9
        self._asked = self._typed
        if self.engine:
            self._say(tr("Asking the program what it can. No model is loaded for that."))
            self._ask_program(chosen[0], budget_ns)
        else:
            self._say(
                tr("Estimating the time from earlier runs, or by reading a small part of the file.")
            )
            racing.plan(chosen[0], budget_ns, (LIBRARIES,) if self.libraries.isChecked() else ())
        self._fit()

    def _ask_program(self, objective: Objective, budget_ns: int) -> None:
        racing = self._find_best_controller
        try:
            more = command_words(self.options.text())
        except ConfigError as error:
            racing.give_up_plan()
            self._on_no_plan(error.message, error.remedy)
            return
        limit_s, place = self.limit.value(), self.place.text().strip()
        racing.plan_tuning(self.engine, objective, budget_ns, limit_s, more, place)

    def _on_plan(self, plan: BestPlan | ProgramPlan) -> None:
        if isinstance(plan, ProgramPlan):
            self._whole = plan
            self.settings.show_settings(plan.settings)
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
        plan = self._plan
        if plan is not None:
            self.accept()
            self.start_wanted.emit(plan)


def _item(text: str, name: str, obstacle: str = "", *, movable: bool = False) -> QStandardItem:
    item = QStandardItem(f"{text}: {obstacle}" if obstacle else text)
    item.setData(name, Qt.ItemDataRole.UserRole)
    item.setEnabled(movable or not obstacle)
    item.setToolTip(obstacle)
    return item
