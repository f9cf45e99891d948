"""What a card offers: presets, own presets, libraries to measure, a program; and its list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem

from modelmon.core.load.config import CUSTOM, PRESETS
from modelmon.core.load.libraries import registry
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.strategies import strategy, strategy_obstacle
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.arm_settings import OWN_SENTENCE
from modelmon.gui.widgets.tables import draw_ground, draw_line
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model
    from modelmon.gui.session.notices import ArmLabel

_IN_MEMORY = ("tmpfs", "ramfs")
_ROWS = 32
_ABOUT_CUSTOM = mark("Shown when the settings match no other strategy")
_A_PROGRAM = mark("A program…")
_ABOUT_PROGRAM = mark("Another program that loads this model: its command, or a preset")
BESIDE_ROLE = Qt.ItemDataRole.UserRole + 1
"""What stands beside the name."""
_ROW_PX, _LINE_PX = 24, 9
_LEFT_PX, _GAP_PX = 10, 16
_MOST_BESIDE_PX = 440


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
    return tuple(
        Offer(found.name, said(found.when_it_wins), said(found.obstacle), found.version)
        for found in registry.available(model)
    )


class StrategyBox(QComboBox):
    """Groups with a line between them; `chosen` carries a name, `program_wanted` none yet.

    What cannot be used here is in the list too, and says why not.
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
        self._program = QStandardItem(tr(_A_PROGRAM))
        self._drawing = StrategyDelegate(self)
        self.setItemDelegate(self._drawing)
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
                items.appendRow(_separator())
            for offer in group:
                items.appendRow(_item(offer))
        items.appendRow(_separator())
        self._program = QStandardItem(tr(_A_PROGRAM))
        self._program.setToolTip(tr(_ABOUT_PROGRAM))
        self._program.setData(tr(_ABOUT_PROGRAM), BESIDE_ROLE)
        items.appendRow(self._program)
        items.appendRow(_separator())
        custom = QStandardItem(CUSTOM)
        custom.setEnabled(False)
        custom.setToolTip(tr(_ABOUT_CUSTOM))
        custom.setData(tr(_ABOUT_CUSTOM), BESIDE_ROLE)
        items.appendRow(custom)
        self.setModel(items)
        self.view().setMinimumWidth(self._drawing.width_px)
        self.show_name(here)

    def show_program(self, name: str, obstacle: str = "") -> None:
        """Show that a program is in force; without a name that one can be, or why it can't."""
        self._program.setText(name or tr(_A_PROGRAM))
        self._program.setEnabled(not obstacle)
        self._program.setToolTip(obstacle or tr(_ABOUT_PROGRAM))
        self._program.setData(obstacle or tr(_ABOUT_PROGRAM), BESIDE_ROLE)
        if name:
            self.setCurrentIndex(self._program.row())

    def show_name(self, name: str) -> None:
        """Show the strategy that is in force."""
        at = self.findText(name)
        self.setCurrentIndex(at if at >= 0 else self.findText(CUSTOM))

    def _on_activated(self, at: int) -> None:
        if at == self._program.row():
            self.program_wanted.emit()
        elif self.itemText(at) != CUSTOM:
            self.chosen.emit(self.itemText(at))


def _item(offer: Offer) -> QStandardItem:
    item = QStandardItem(offer.name)
    item.setEnabled(not offer.obstacle)
    about = offer.sentence
    if offer.version:
        about = "\n".join((about, tr("Version {version}", version=offer.version)))
    item.setToolTip(offer.obstacle or about)
    item.setData(offer.obstacle or offer.sentence, BESIDE_ROLE)
    item.setData(offer.obstacle or about, Qt.ItemDataRole.AccessibleDescriptionRole)
    return item


def _separator() -> QStandardItem:
    item = QStandardItem()
    # What QComboBox.insertSeparator writes, and the view's delegate draws as a line.
    item.setData("separator", Qt.ItemDataRole.AccessibleDescriptionRole)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item


class StrategyDelegate(QStyledItemDelegate):
    """Draws a name, and beside it when it wins or why it cannot be used.

    A text that is too long is shortened, its tool tip is not.
    """

    def __init__(self, box: QComboBox) -> None:
        super().__init__(box)
        self._box = box

    @property
    def names_px(self) -> int:
        """The width of the widest name."""
        model, metrics = self._box.model(), self._box.fontMetrics()
        rows = (model.index(row, 0) for row in range(model.rowCount()))
        return max((metrics.horizontalAdvance(str(at.data() or "")) for at in rows), default=0)

    @property
    def width_px(self) -> int:
        """The width in which all names and most of the texts beside them have room."""
        return _LEFT_PX + self.names_px + _GAP_PX + _MOST_BESIDE_PX

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One line of text, or of a separator."""
        del option
        return QSize(self.width_px, _ROW_PX if index.data() else _LINE_PX)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw an entry, or the line between two groups."""
        theme, place = manager().theme, QRect(option.rect)
        if not index.data():
            painter.fillRect(
                place.adjusted(8, _LINE_PX // 2, -8, _LINE_PX // 2 + 1 - _LINE_PX), theme.border
            )
            return
        draw_ground(self, painter, option, index)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        of_name = theme.text if enabled else theme.text_2
        beside = place.adjusted(_LEFT_PX + self.names_px + _GAP_PX, 0, -8, 0)
        painter.save()
        for text, px, where, colour in (
            (index.data(), 13, place.adjusted(_LEFT_PX, 0, 0, 0), of_name),
            (index.data(BESIDE_ROLE) or "", 12, beside, theme.text_2),
        ):
            draw_line(painter, where, str(text), colour, px=px)
        painter.restore()
