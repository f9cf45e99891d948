"""What a card offers: presets, own presets, libraries to measure, a program; and its list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import ref

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QTreeView

from modelmon.core.load.config import CUSTOM, PRESETS
from modelmon.core.load.libraries import registry
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.strategies import strategy, strategy_obstacle
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.arm_settings import OWN_SENTENCE
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model
    from modelmon.gui.session.notices import ArmLabel

_IN_MEMORY = ("tmpfs", "ramfs")
_ROWS = 32
_ABOUT_CUSTOM = mark("Shown when the settings match no other strategy")
_A_PROGRAM = mark("A program…")
_ABOUT_PROGRAM = mark("Another program that loads this model: its command, or a preset")
_ROW_PX, _BETWEEN_PX = 24, 9
_GAP_PX, _MOST_BESIDE_PX = 16, 440
_looked: list[tuple[ref[Model], tuple[Offer, ...]]] = []
"""What is installed for the model that was opened last: both cards ask."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One strategy; `obstacle` says why it cannot be used here, `version` is a library's."""

    name: str
    sentence: str
    obstacle: str = ""
    version: str = ""


def offered(
    model: Model | None, own: dict[str, LoadConfig], storage: Storage | None = None
) -> tuple[tuple[Offer, ...], ...]:
    """Presets, own presets and libraries, each group in its order; `storage` holds the model."""
    return (
        tuple(
            Offer(preset.name, said(preset.when_it_wins), _here(preset.config, storage))
            for preset in PRESETS.values()
        ),
        tuple(
            Offer(name, tr(OWN_SENTENCE), _here(config, storage)) for name, config in own.items()
        ),
        _libraries(model),
    )


def obstacle_of(model: Model | None, axis: str, value: object) -> str:
    """Why an axis cannot take a value for this model, where the names of its types tell."""
    if (axis, value) != ("deliver", "decoded") or model is None or model.format != "safetensors":
        # For the types of other files a decoder has to be imported, which says it when it runs.
        return ""
    from modelmon.core.load.decode import obstacle  # noqa: PLC0415  start sooner without it

    return said(obstacle({tensor.dtype for tensor in model.tensors}))


def obstacle_there(storage: Storage | None, axis: str, value: object) -> str:
    """Why an axis cannot take a value for what lies there, where its filesystem alone tells."""
    if (axis, value) != ("access", "direct") or storage is None:
        return ""
    if storage.filesystem not in _IN_MEMORY:
        return ""
    return tr(
        "The model is in memory ({filesystem}), so direct I/O isn't possible.",
        filesystem=storage.filesystem,
    )


def _here(config: LoadConfig, storage: Storage | None) -> str:
    """Why this system cannot load in this way."""
    found = conflict_of(config)
    return said(found.reason) if found else obstacle_there(storage, "access", config.access)


def _libraries(model: Model | None) -> tuple[Offer, ...]:
    if model is None:
        names = registry.names()
        return tuple(
            Offer(name, said(strategy(name).when_it_wins), said(strategy_obstacle(name, None)))
            for name in names
        )
    if not (_looked and _looked[-1][0]() is model):
        found = tuple(
            Offer(each.name, said(each.when_it_wins), said(each.obstacle), each.version)
            for each in registry.available(model)
        )
        _looked[:] = [(ref(model), found)]
    return _looked[-1][1]


class StrategyBox(QComboBox):
    """Groups with a gap between them; `chosen` carries a name, `program_wanted` none yet.

    Next to each name is when it wins. What cannot be used here is in the list too, and why not.
    """

    chosen = Signal(str)
    program_wanted = Signal()

    def __init__(self, arm: ArmLabel) -> None:
        super().__init__()
        self.setAccessibleName(tr("Strategy of {arm}", arm=arm))
        # The longest name is a library's; the box must leave room for the sentence beside it.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMaxVisibleItems(_ROWS)
        self._groups: tuple[tuple[Offer, ...], ...] = ()
        self._program = _row(tr(_A_PROGRAM), tr(_ABOUT_PROGRAM))
        self._list = QTreeView()
        self._list.setHeaderHidden(True)
        self._list.setRootIsDecorated(False)
        self.setView(self._list)
        manager().changed.connect(self._recolour)
        self.activated.connect(self._on_activated)

    def set_groups(self, groups: tuple[tuple[Offer, ...], ...]) -> None:
        """List these strategies; what is shown stays so."""
        if groups == self._groups:
            return
        self._groups = groups
        here = self.currentText()
        items = QStandardItemModel(self)
        for group in groups:
            if group and items.rowCount():
                items.appendRow(_gap())
            for offer in group:
                items.appendRow(_row_of(offer))
        self._program = _row(tr(_A_PROGRAM), tr(_ABOUT_PROGRAM))
        custom = _row(CUSTOM, tr(_ABOUT_CUSTOM), enabled=False)
        for row in (_gap(), self._program, _gap(), custom):
            items.appendRow(row)
        self.setModel(items)
        self._recolour()
        self._list.resizeColumnToContents(0)
        names_px = self._list.columnWidth(0) + _GAP_PX
        self._list.setColumnWidth(0, names_px)
        self._list.setMinimumWidth(names_px + _MOST_BESIDE_PX)
        self.show_name(here)

    def show_program(self, name: str, obstacle: str = "") -> None:
        """Show that a program is in force; without a name that one can be, or why it can't."""
        program, beside = self._program
        program.setText(name or tr(_A_PROGRAM))
        beside.setText(obstacle or tr(_ABOUT_PROGRAM))
        for item in self._program:
            item.setEnabled(not obstacle)
            item.setToolTip(obstacle or tr(_ABOUT_PROGRAM))
        if name:
            self.setCurrentIndex(program.row())

    def show_name(self, name: str) -> None:
        """Show the strategy that is in force."""
        at = self.findText(name)
        self.setCurrentIndex(at if at >= 0 else self.findText(CUSTOM))

    def _recolour(self) -> None:
        items = self.model()
        for row in range(items.rowCount()):
            beside, grey = items.index(row, 1), manager().theme.text_2
            items.setData(beside, grey, Qt.ItemDataRole.ForegroundRole)

    def _on_activated(self, at: int) -> None:
        if at == self._program[0].row():
            self.program_wanted.emit()
        elif self.itemText(at) not in {"", CUSTOM}:
            self.chosen.emit(self.itemText(at))


def _row_of(offer: Offer) -> list[QStandardItem]:
    about = offer.sentence
    if offer.version:
        about = "\n".join((about, tr("Version {version}", version=offer.version)))
    beside = offer.obstacle or offer.sentence
    return _row(offer.name, beside, offer.obstacle or about, enabled=not offer.obstacle)


def _row(name: str, beside: str, about: str = "", *, enabled: bool = True) -> list[QStandardItem]:
    row = [QStandardItem(name), QStandardItem(beside)]
    row[0].setData(about or beside, Qt.ItemDataRole.AccessibleDescriptionRole)
    for item in row:
        item.setEnabled(enabled)
        item.setToolTip(about or beside)
    row[1].setSizeHint(QSize(0, _ROW_PX))
    return row


def _gap() -> list[QStandardItem]:
    row = [QStandardItem(), QStandardItem()]
    for item in row:
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setSizeHint(QSize(0, _BETWEEN_PX))
    return row
