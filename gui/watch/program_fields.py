"""The fields that say how a program is started and when it is ready, of every dialog that asks."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from modelmon.core.comparison.commands import check_watchable, command_words
from modelmon.core.messages import joined
from modelmon.core.terminal_safe import without_controls
from modelmon.core.watch.command import parse_readiness, recorded_words
from modelmon.gui.language import said, tr
from modelmon.gui.session.arm_settings import ArmProgram
from modelmon.gui.session.watched_run import LIMIT_S, MOST_LIMIT_S, READY_WHEN
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import keyless, label, restyle, styled
from modelmon.gui.widgets.theme import mono_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QDialog

    from modelmon.core.errors import ConfigError
    from modelmon.gui.session.found_programs import FoundProgram, ProgramFinder
    from modelmon.gui.session.session import Session

_HINT_PX = 36
_LEAST_LINES, _MOST_LINES, _PADDING_PX = 2, 12, 4
_NEED_VALUE = ("output", "http", "first-token", "asked")


class ProgramFields(QObject):
    """The widgets, for a dialog to lay out; `changed` comes with each edit, which `hint` speaks of.

    What they hold is checked here and started by nobody.
    """

    changed = Signal()

    def __init__(self, session: Session, programs: ProgramFinder, parent: QDialog) -> None:
        """`programs` knows which are here."""
        super().__init__(parent)
        self._session = session
        self.presets = styled(QPushButton(f"{tr('Presets')}   "), "", compact=True)
        self.presets.setAccessibleName(tr("Presets"))
        self.presets.setMenu(QMenu(self.presets))
        self.presets.menu().setToolTipsVisible(True)
        self._no_presets(tr("Looking for programs that can load this model"))
        programs.programs_found.connect(self._show_presets)
        programs.no_programs.connect(self._no_presets)
        parent.finished.connect(programs.stop)
        programs.look_for_programs()
        self.command = CommandEdit()
        self.command.setPlaceholderText(_example(session))
        self.sign = QComboBox()
        self.sign.setAccessibleName(tr("Loaded when"))
        for sign, name, _ in READY_WHEN:
            self.sign.addItem(tr(name), sign)
        self.value = QLineEdit()
        self.limit = QSpinBox()
        self.limit.setRange(1, MOST_LIMIT_S)
        self.limit.setValue(LIMIT_S)
        self.limit.setSuffix(tr(" s"))
        self.limit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.limit.setAccessibleName(tr("Time limit"))
        self.hint = label("", "hint", wrap=True)
        self.hint.setMinimumHeight(_HINT_PX)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.command.textChanged.connect(self.changed)
        self.sign.currentIndexChanged.connect(self._on_sign)
        self.value.textChanged.connect(self.changed)
        self._show_value()

    def command_page(self) -> QWidget:
        """The command, and what becomes of it."""
        page = QWidget()
        about = tr("Run as typed, without a shell. It's ended with all its processes when loaded.")
        row = in_row((label(about, "hint", wrap=True), 1), self.presets)
        in_column(self.command, row, STRETCH, on=page, spacing=4)
        return page

    def ready_row(self) -> QHBoxLayout:
        """The sign, and what it needs beside it."""
        return in_row((self.sign, 3), (self.value, 2), spacing=8)

    def fill_in(self, command: str, ready: str, limit_s: int = LIMIT_S) -> None:
        """Put a recorded command into the fields: it's started only by the person who reads it."""
        self.command.setPlainText(without_controls(command))
        sign, _, rest = ready.partition(":")
        self.sign.setCurrentIndex(max(0, self.sign.findData(sign)))
        self.value.setText(rest)
        self.limit.setValue(limit_s)

    @property
    def ready(self) -> str:
        """The chosen sign, as watch/command.py reads it."""
        sign, value = str(self.sign.currentData()), self.value.text().strip()
        return f"{sign}:{value}" if value and self._asked_value else sign

    @property
    def is_ready_known(self) -> bool:
        """Whether the sign is complete; raises ConfigError where it says nothing."""
        if self.ready in _NEED_VALUE:
            return False
        parse_readiness(self.ready)
        return True

    def program(self) -> ArmProgram | None:
        """What was typed; None while a part is missing. Raises ConfigError for a wrong one."""
        words = command_words(self.command.text())
        if words:
            inspection = self._session.inspection
            check_watchable(words, inspection.server if inspection is not None else "")
        if not self.is_ready_known or not words:
            return None
        return ArmProgram(shlex.join(words), self.ready, self.limit.value())

    def advice(self) -> str:
        """What to do next, or to keep in mind of the command."""
        inspection = self._session.inspection
        named = " ".join(recorded_words(self.command.text()))
        if not named:
            return tr("Type the command that loads the model.")
        if inspection is None or any(file.name in named for file in inspection.model.files):
            return ""
        return tr("The command doesn't name the model's file. Check that it loads it.")

    def say(self, text: str) -> None:
        """Show an advice."""
        self.hint.setText(text)
        restyle(self.hint, role="hint")

    def complain(self, error: ConfigError) -> None:
        """Show what is wrong."""
        self.hint.setText(said(joined(filter(None, (error.message, error.remedy)))))
        restyle(self.hint, role="error")

    def _no_presets(self, why: str) -> None:
        self.presets.setEnabled(False)
        self.presets.setToolTip(why)

    def _show_presets(self, programs: Sequence[FoundProgram]) -> None:
        """Offer the commands of the programs that are here; of others why there is none."""
        menu = self.presets.menu()
        menu.clear()
        absent = []
        for program in programs:
            if program.obstacle:
                absent.append(program)
                continue
            variants = menu.addMenu(keyless(f"{program.title}  {program.version}"))
            for each in program.variants:
                text = tr("{name}: {meaning}", name=each.name, meaning=each.meaning)
                fill = partial(self.fill_in, each.command, each.ready)
                variants.addAction(keyless(text), fill)
        menu.addSeparator()
        for program in absent:
            action = menu.addAction(keyless(program.title))
            action.setEnabled(False)
            action.setToolTip(said(program.obstacle))
        self.presets.setEnabled(True)
        self.presets.setToolTip(tr("Commands of programs that modelmon knows"))

    @property
    def _asked_value(self) -> str:
        return READY_WHEN[self.sign.currentIndex()][2]

    def _on_sign(self) -> None:
        self._show_value()
        self.changed.emit()

    def _show_value(self) -> None:
        what = tr(self._asked_value) if self._asked_value else ""
        self.value.setVisible(bool(what))
        self.value.setPlaceholderText(what)
        self.value.setAccessibleName(what)


class CommandEdit(QPlainTextEdit):
    """A command in as many lines as it takes: nothing of one that is agreed to is out of sight."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "list")
        self.setFont(mono_font())
        self.setAccessibleName(tr("Command"))
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.textChanged.connect(self._fit)
        self._fit()

    def text(self) -> str:
        """The command in one line, also where it was pasted as several."""
        return " ".join(self.toPlainText().replace("\\\n", " ").splitlines())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the lines that it has in this width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        lines = max(_LEAST_LINES, min(round(self.document().size().height()), _MOST_LINES))
        beside = 2 * (self.frameWidth() + round(self.document().documentMargin())) + _PADDING_PX
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + beside)


def _example(session: Session) -> str:
    """A command that can load the model that is open."""
    model = session.inspection.model if session.inspection is not None else None
    if model is None or model.format == "gguf":
        return shlex.join(["llama-server", "-m", str(model.files[0]) if model else "MODEL"])
    return shlex.join(["vllm", "serve", str(model.folder)])
