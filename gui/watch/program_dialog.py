"""Asks which program an arm is, and what Compare compares of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from modelmon.core.errors import ConfigError
from modelmon.core.worker.result import Timed
from modelmon.gui.language import tr
from modelmon.gui.session.watched_run import TIMED
from modelmon.gui.watch.program_fields import ProgramFields
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.segments import Segments
from modelmon.gui.widgets.styling import label, push_button

if TYPE_CHECKING:
    from modelmon.gui.session.found_programs import ProgramFinder
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

_WIDTH_PX = 720


class ProgramDialog(Dialog):
    """Puts the program into the session when it is accepted, and starts nothing."""

    def __init__(
        self,
        session: Session,
        arm: ArmLabel,
        programs: ProgramFinder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Program as {arm}", arm=arm), parent, least_width_px=_WIDTH_PX)
        self._session, self._arm = session, arm
        self.fields = ProgramFields(session, programs, self)
        self.timed = Segments(
            tr("Compare"), [(value, tr(TIMED[value])) for value in get_args(Timed)]
        )
        self.timed.set_value(session.timed)
        self.use = push_button(tr("Use as {arm}", arm=arm), "check", "primary", "ink_text")
        self.use.setDefault(True)
        self._fill()
        if (program := session.arm_program(arm)) is not None:
            self.fields.fill_in(program.command, program.ready, program.limit_s)
        self.fields.changed.connect(self._check)
        self.use.clicked.connect(self.accept)
        self._check()

    def accept(self) -> None:
        """Use it: whoever does has read the command."""
        program = self.fields.program()
        if program is None:
            return
        self._session.set_program(self._arm, program)
        self._session.set_timed(next(each for each in get_args(Timed) if each == self.timed.value))
        super().accept()

    def _fill(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        left, top = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignTop
        timed = in_row(self.timed, spacing=12)
        timed.addWidget(label(tr("Applies to every program in A and B"), "hint"), 1)
        grid.addWidget(label(tr("Program"), "title"), 0, 0, top)
        grid.addWidget(self.fields.command_page(), 0, 1)
        grid.addWidget(label(tr("Loaded when"), "title"), 1, 0)
        grid.addLayout(self.fields.ready_row(), 1, 1)
        grid.addWidget(label(tr("Time limit"), "title"), 2, 0)
        grid.addWidget(self.fields.limit, 2, 1, left)
        grid.addWidget(label(tr("Compare"), "title"), 3, 0)
        grid.addLayout(timed, 3, 1)
        column = in_column(grid, self.fields.hint, on=self, margins=(24, 16, 24, 16), spacing=12)
        column.addLayout(ButtonRow(self, tr("Cancel"), (self.use,)))

    def _check(self) -> None:
        try:
            program = self.fields.program()
        except ConfigError as error:
            self.use.setEnabled(False)
            self.fields.complain(error)
            return
        self.use.setEnabled(program is not None)
        self.fields.say(self.fields.advice())
