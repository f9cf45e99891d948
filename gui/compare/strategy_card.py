"""The card of one arm: its strategy, its axes, and what came of it."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from modelmon.core.comparison.commands import command_line
from modelmon.core.errors import ConfigError
from modelmon.core.load.config import AXES, CUSTOM, NO_LIBRARY
from modelmon.gui.compare.outcome import Outcome, card_view
from modelmon.gui.compare.setting_chips import SettingChips
from modelmon.gui.compare.strategy_box import (
    Offer,
    StrategyBox,
    obstacle_of,
    obstacle_there,
    offered,
)
from modelmon.gui.language import mark, tr
from modelmon.gui.session.arm_settings import name_fault, not_agreed, other_arm
from modelmon.gui.session.watched_run import NOT_WATCHABLE, TIMED, sign_text
from modelmon.gui.widgets.controls import CommandBox
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, icon_button, keyless, label, plain, styled

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from PySide6.QtGui import QShowEvent

    from modelmon.core.model.tensors import Model
    from modelmon.gui.session.arm_settings import ArmProgram
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

HEIGHT_PX = 112
_OWN_CHOICE = mark("Your own choice of settings.")
_CHARACTERS = 11
_LONGEST_NAME = 40
_NAME_WIDTH_PX = 360
_LOCKED = mark("Settings can't change during a run.")


class StrategyCard(QFrame):
    """Shows one arm of the session and edits its configuration; `ask_for_program` asks for the
    command of a program in place of that.
    """

    def __init__(
        self, session: Session, arm: ArmLabel, ask_for_program: Callable[[], object]
    ) -> None:
        super().__init__()
        styled(self, "card", arm=arm)
        self.setAccessibleName(tr("Strategy {arm}", arm=arm))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._session, self._arm = session, arm
        self._ask_for_program = ask_for_program
        self._offers: dict[str, Offer] = {}
        self._offered_for: Model | None = None
        self.chips = SettingChips(arm, self._obstacle)
        self.chips.edited.connect(self._set_axis)
        self.outcome = Outcome()
        settings = in_row((self.chips, 1), (self._program_row(), 1))
        rows = (
            self._strategy_row(),
            settings,
            STRETCH,
            self.outcome,
            self.outcome.sentence,
            STRETCH,
        )
        in_column(*rows, on=self, margins=(12, 6, 12, 6), spacing=3)
        self.setFixedHeight(HEIGHT_PX)
        session.settings_changed.connect(self.show_settings)
        session.model_changed.connect(self._on_model)
        session.own_presets.changed.connect(self._offer_strategies)
        session.activity_changed.connect(self.refresh)
        session.runs_changed.connect(self._on_runs)
        session.record_changed.connect(self._on_runs)
        if session.inspection is not None:
            self._offer_strategies()
        else:
            self.show_settings()

    def show_settings(self) -> None:
        """Show the arm's configuration and what that means for its results."""
        program = self._session.arm_program(self._arm)
        self.chips.setVisible(program is None)
        self.program_row.setVisible(program is not None)
        self.preset.show_program(program.name if program is not None else "", self._no_program)
        if program is not None:
            opened = self._session.inspection
            files = opened.model.files if opened is not None else ()
            short = command_line(program.given.words, files)
            self.command.set_whole(program.command, short)
            self.sentence.set_whole(self._about_program(program))
            self.refresh()
            return
        config = self._session.config(self._arm)
        name = self._session.strategy_name(self._arm)
        self.preset.show_name(name)
        offer = self._offers.get(name)
        self.sentence.set_whole(offer.sentence if offer else tr(_OWN_CHOICE))
        library = self._offers.get(config.library)
        version = library.version if library else ""
        self.chips.show_config(name, config, self._session.strategy(other_arm(self._arm)), version)
        self.refresh()

    def refresh(self) -> None:
        """Show the figures of now; called for each frame while a run is under way."""
        locked = tr(_LOCKED) if self._session.busy else ""
        self.preset.setEnabled(not locked)
        self.preset.setToolTip(locked or plain(self.preset.currentText()))
        self.menu_button.setEnabled(not locked)
        self.chips.lock(locked)
        self.edit.setEnabled(not locked)
        self.edit.setToolTip(locked)
        self.outcome.show_view(card_view(self._session, self._arm))
        has_result = not self.outcome.result.isHidden()
        for part in (self.outcome, self.outcome.sentence_above):
            part.setVisible(has_result)
        for part in (self.outcome.sentence, self.sentence):
            part.setVisible(not has_result)

    def _on_runs(self) -> None:
        """While runs follow each other, they are shown with the frames."""
        if not self._session.busy:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """What is offered is looked for when it can be seen: the window starts without a card."""
        super().showEvent(event)
        if not self._offers:
            self._offer_strategies()

    def card_menu(self) -> QMenu:
        """Everything that can be done with this arm's settings."""
        session, other = self._session, other_arm(self._arm)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        if session.arm_program(self._arm) is None:
            menu.addAction(tr("All settings…"), self._edit_all)
        else:
            menu.addAction(tr("Edit program…"), self._ask_for_program)
        menu.addSeparator()
        menu.addAction(tr("Copy to {label}", label=other), lambda: session.copy_to_other(self._arm))
        menu.addAction(tr("Swap A and B"), session.swap)
        menu.addAction(tr("Reset {arm}", arm=self._arm), lambda: session.reset(self._arm))
        menu.addSeparator()
        save = menu.addAction(tr("Save as preset…"), self.ask_for_name)
        name = session.strategy_name(self._arm)
        if session.arm_program(self._arm) is not None:
            save.setEnabled(False)
            save.setToolTip(tr("Commands aren't kept as presets."))
        elif name != CUSTOM:
            save.setEnabled(False)
            save.setToolTip(tr("It already has a name: {name}.", name=name))
        delete = menu.addMenu(tr("Delete preset"))
        delete.setEnabled(bool(session.own_presets.configs))
        if not session.own_presets.configs:
            delete.menuAction().setToolTip(tr("No presets of your own yet."))
        for own in session.own_presets.configs:
            delete.addAction(keyless(own), partial(session.own_presets.remove, own))
        return menu

    def ask_for_name(self) -> PresetDialog:
        """Ask what this arm's settings are to be called, and keep them under that name."""
        session = self._session
        dialog = PresetDialog(set(session.own_presets.configs), self)
        config = session.config(self._arm)
        dialog.named.connect(lambda name: session.own_presets.save(name, config))
        dialog.open()
        return dialog

    @property
    def _no_program(self) -> str:
        """Why no program can be used."""
        if self._session.inspection is None:
            return tr("Open a model first.")
        return tr(NOT_WATCHABLE) if sys.platform != "linux" else ""

    def _about_program(self, program: ArmProgram) -> str:
        """When it is ready, and what is compared."""
        if not program.agreed:
            return not_agreed(self._arm)
        timed, sign = tr(TIMED[self._session.timed]), sign_text(program.ready)
        return tr("{timed} ({sign})", timed=timed, sign=sign)

    def _edit_all(self) -> None:
        self.chips.edit(self.menu_button, tr("all settings"), AXES)

    def _strategy_row(self) -> QHBoxLayout:
        badge = styled(QLabel(self._arm), "badge", arm=self._arm)
        badge.setFixedSize(20, 20)
        self.preset = StrategyBox(self._arm)
        self.preset.setMinimumContentsLength(_CHARACTERS)
        self.preset.chosen.connect(lambda name: self._session.set_preset(self._arm, name))
        self.preset.program_wanted.connect(self._ask_for_program)
        self.sentence = ElidedLabel("label", smaller="hint", lines=2)
        self.menu_button = icon_button("more", tr("More settings for {arm}", arm=self._arm))
        self.menu_button.clicked.connect(self._open_menu)
        row = in_row(badge, self.preset, (self.sentence, 1), spacing=8)
        row.addWidget(self.outcome.sentence_above, 1)
        row.addWidget(self.menu_button, 0, Qt.AlignmentFlag.AlignRight)
        return row

    def _program_row(self) -> QWidget:
        self.program_row = QWidget()
        self.command = CommandBox()
        self.edit, ask = styled(QToolButton(), "chip"), self._ask_for_program
        self.edit.setText(tr("Edit…"))
        self.edit.setAccessibleName(tr("Edit the program of {arm}", arm=self._arm))
        self.edit.clicked.connect(lambda _=False: ask())
        in_row((self.command, 1), self.edit, on=self.program_row, spacing=8)
        return self.program_row

    def _on_model(self) -> None:
        """The card may have been shown for it already, and to look for libraries takes time."""
        open_now = self._session.inspection
        if self._offers and open_now is not None and open_now.model is self._offered_for:
            self.show_settings()
        else:
            self._offer_strategies()

    def _offer_strategies(self) -> None:
        """List what there is for this model."""
        session, open_now = self._session, self._session.inspection
        model, storage = (open_now.model, open_now.storage) if open_now else (None, None)
        self._offered_for = model
        groups = offered(model, session.own_presets.configs, storage)
        self._offers = {offer.name: offer for group in groups for offer in group}
        self.preset.set_groups(groups)
        self.show_settings()

    def _obstacle(self, axis: str, value: object) -> str:
        """Why an axis cannot take a value: as the arms stand, as libraries are installed, for what
        the model is, or where it lies.
        """
        if axis == "library" and value != NO_LIBRARY:
            offer = self._offers.get(str(value))
            missing = tr("No library named {name} is installed.", name=value)
            return offer.obstacle if offer else missing
        open_now = self._session.inspection
        obstacle = self._session.arms.obstacle(self._arm, axis, value)
        if obstacle or open_now is None:
            return obstacle
        of_model = obstacle_of(open_now.model, axis, value)
        return of_model or obstacle_there(open_now.storage, axis, value)

    def _set_axis(self, axis: str, text: str) -> None:
        try:
            self._session.set_axis(self._arm, axis, text)
        except ConfigError as error:
            self._session.log(error.text, "error")

    def _open_menu(self) -> None:
        menu = self.card_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))


class PresetDialog(Dialog):
    """`named` carries the chosen name; one that cannot be used is refused with the reason."""

    named = Signal(str)

    def __init__(self, taken: AbstractSet[str], parent: QWidget) -> None:
        """`taken` are the names of own presets, which would be replaced."""
        super().__init__(tr("Save as preset"), parent, least_width_px=_NAME_WIDTH_PX)
        self._taken = taken
        column = in_column(label(tr("Name"), "label"), on=self, margins=(24, 16, 24, 16), spacing=8)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Preset name"))
        self.name.setMaxLength(_LONGEST_NAME)
        column.addWidget(self.name)
        self.hint = label("", "hint")
        column.addWidget(self.hint)
        self.save = styled(QPushButton(tr("Save")), "primary")
        self.save.setDefault(True)
        self.save.clicked.connect(self.accept)
        column.addLayout(ButtonRow(self, tr("Cancel"), (self.save,)))
        self.name.textChanged.connect(self._judge)
        self._judge("")

    def accept(self) -> None:
        """Hand the name on."""
        self.named.emit(self.name.text().strip())
        super().accept()

    def _judge(self, text: str) -> None:
        name = text.strip()
        fault = name_fault(name)
        self.save.setEnabled(not fault)
        self.save.setToolTip(fault)
        replaced = tr("Replaces your preset of the same name") if name in self._taken else ""
        self.hint.setText(fault or replaced)
