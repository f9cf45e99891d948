"""The models on this machine as a table: what each is, where it lies, whether it fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from modelmon.core.doctor.diagnosis import FitAnswer, fit_answer
from modelmon.core.model.found_models import OWN
from modelmon.core.terminal_safe import one_line
from modelmon.core.units import size_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.machine import disk_kind
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor

    from modelmon.core.model.found_models import FoundModel

Index = QModelIndex | QPersistentModelIndex

SORT_ROLE = Qt.ItemDataRole.UserRole
PATH_ROLE = Qt.ItemDataRole.UserRole + 1
PROBLEM_ROLE = Qt.ItemDataRole.UserRole + 2

_FITS: dict[FitAnswer, tuple[str, str]] = {
    "fits": (mark("Fits"), "good"),
    "tight": (mark("Tight"), "warn"),
    "does-not-fit": (mark("Doesn't fit"), "bad"),
}
_UNREADABLE = mark("Unreadable")
_OWN = mark("Own folder")
_AFTER_PLACE = "/\\: \uff1a"  # the last is what Chinese writes for a colon


@dataclass(frozen=True, slots=True)
class FoundColumn:
    """A column: its heading, its text for a model, and what to sort by where that is no text."""

    heading: str
    text: Callable[[FoundModel], str]
    key: Callable[[FoundModel], float] | None = None


def _format(model: FoundModel) -> str:
    return ", ".join(filter(None, (model.format, model.main_dtype)))


def _size(model: FoundModel) -> str:
    return size_text(model.size_bytes) if model.size_bytes is not None else ""


def _on(model: FoundModel) -> str:
    if model.storage is None:
        return ""
    storage = model.storage
    disk = storage.device or storage.mount_point
    return tr("{disk}, {kind}", disk=disk, kind=disk_kind(storage))


def _blocks(model: FoundModel) -> str:
    return f"{model.blocks:,}" if model.blocks is not None else ""


def _source(model: FoundModel) -> str:
    return tr(_OWN) if model.source == OWN else model.source


def _name(model: FoundModel) -> str:
    if not model.problem:
        return model.name
    # The sentence begins with the file, whose place the tool tip tells.
    problem = said(model.problem).removeprefix(model.path).lstrip(_AFTER_PLACE)
    return tr("{name}: {problem}", name=model.name, problem=problem)


NAME, SOURCE, FORMAT, SIZE, BLOCKS, ON, FITS = range(7)
COLUMNS = (
    FoundColumn(mark("Name"), _name),
    FoundColumn(mark("Source"), _source),
    FoundColumn(mark("Format"), _format),
    FoundColumn(mark("Size"), _size, lambda model: model.size_bytes or 0),
    FoundColumn(mark("Blocks"), _blocks, lambda model: model.blocks or 0),
    FoundColumn(mark("On"), _on),
    FoundColumn(mark("Memory"), lambda _: "", lambda model: model.size_bytes or 0),
)


class FoundTable(QAbstractTableModel):
    """Grows while models are found; `usable_bytes` is the memory that a load can have now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._models: list[FoundModel] = []
        self._usable_bytes = 0

    def show_models(self, models: Sequence[FoundModel], usable_bytes: int) -> None:
        """Show these; where they begin with those that are shown, only the new are added."""
        known = len(self._models)
        if usable_bytes == self._usable_bytes and list(models[:known]) == self._models:
            if len(models) > known:
                self.beginInsertRows(QModelIndex(), known, len(models) - 1)
                self._models = list(models)
                self.endInsertRows()
            return
        self.beginResetModel()
        self._models, self._usable_bytes = list(models), usable_bytes
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Number of models."""
        return 0 if parent.isValid() else len(self._models)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Headings."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(COLUMNS[section].heading)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        if section == FITS and role == Qt.ItemDataRole.ToolTipRole:
            return tr("Whether it fits in {size}", size=size_text(self._usable_bytes))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, sides and colours; for sorting, figures."""
        if not index.isValid():
            return None
        model, column = self._models[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._fit(model)[0] if index.column() == FITS else one_line(column.text(model))
        if role == SORT_ROLE:
            # Always of one type: Qt does not compare small integers with large ones.
            return float(column.key(model)) if column.key else column.text(model).lower()
        answers: dict[int, object] = {
            PATH_ROLE: model.path,
            PROBLEM_ROLE: model.problem,
            Qt.ItemDataRole.ToolTipRole: plain(
                "\n".join(filter(None, (model.path, said(model.problem))))
            ),
            Qt.ItemDataRole.TextAlignmentRole: _side(index.column()),
            Qt.ItemDataRole.ForegroundRole: self._colour(model, index.column()),
        }
        return answers.get(role)

    def _fit(self, model: FoundModel) -> tuple[str, str]:
        """Whether it fits, and the colour of that; nothing of what cannot be opened."""
        if model.problem or model.size_bytes is None:
            return tr(_UNREADABLE), "bad"
        text, colour = _FITS[fit_answer(model.size_bytes, self._usable_bytes)]
        return tr(text), colour

    def _colour(self, model: FoundModel, column: int) -> QColor:
        theme = manager().theme
        if column == FITS:
            colour: QColor = getattr(theme, self._fit(model)[1])
            return colour
        return theme.text_2 if model.problem or column not in (NAME, SIZE) else theme.text


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in (SIZE, BLOCKS) else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
