"""Models that other programs have downloaded: a table to filter, a click opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLineEdit,
    QStyleOptionViewItem,
    QTableView,
)

from modelmon.core.model.found_models import SOURCES
from modelmon.core.units import size_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.open.found_table import (
    BLOCKS,
    FORMAT,
    NAME,
    ON,
    PATH_ROLE,
    PROBLEM_ROLE,
    SIZE,
    SORT_ROLE,
    SOURCE,
    FoundTable,
)
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, icon_button, label, plain, styled
from modelmon.gui.widgets.tables import Padded, dress, offer_markdown
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from modelmon.core.model.found_models import FoundModel, SearchedPlace

# Columns that go first where there is no room, with the width from which on each is shown.
_ROOM_PX = ((ON, 900), (FORMAT, 760), (BLOCKS, 560), (SOURCE, 480))
_FILTER_PX, _ROOM_FOR_COUNT_PX = 140, 520
_ANSWERS = {
    "read": mark("{source}: {folder}, {models} found"),
    "absent": mark("{source}: {folder} doesn't exist"),
    "refused": mark("{source}: {folder} can't be read"),
    "no-answer": mark("{source}: {folder} doesn't respond"),
}


class FoundList(QFrame):
    """A heading with a filter over a table, and below it where was searched."""

    chosen = Signal(str)
    look_wanted = Signal()
    folders_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        styled(self, "panel")
        self.models = FoundTable(self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.models)
        self._proxy.setSortRole(SORT_ROLE)
        self._proxy.setFilterKeyColumn(-1)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter"))
        self.filter.setAccessibleName(tr("Filter the models that were found"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(round(_FILTER_PX * manager().scale))
        self.filter.textChanged.connect(self._proxy.setFilterFixedString)
        self.again = icon_button("refresh", tr("Refresh"))
        self.again.clicked.connect(self.look_wanted)
        self.folders = icon_button("machine", tr("Add folders to search"))
        self.folders.clicked.connect(self.folders_wanted)
        self._count = ElidedLabel("label")
        self.view = self._table()
        self.state = label("", "label", wrap=True)
        self.state.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.foot = ElidedLabel("label")
        below = in_column((self.state, 1), self.foot, margins=(15, 8, 15, 12))
        head = in_row(margins=(15, 8, 15, 8), spacing=8)
        head.addWidget(label(tr("Found on this machine"), "title"))
        head.addWidget(self._count, 1)
        head.addWidget(self.filter)
        head.addWidget(self.folders)
        head.addWidget(self.again)
        inset = in_row(self.view, margins=(4, 0, 4, 0))
        self._column = column = in_column(head, inset, on=self, margins=(1, 0, 1, 1), spacing=0)
        column.addLayout(below)
        self.show_found([], [], usable_bytes=0, looking=False)

    def show_found(
        self,
        models: Sequence[FoundModel],
        searched: Sequence[SearchedPlace],
        *,
        usable_bytes: int,
        looking: bool,
        failure: str = "",
    ) -> None:
        """Show what was found so far; `usable_bytes` is the memory that a load can have."""
        self.models.show_models(models, usable_bytes)
        self.view.setVisible(bool(models))
        self.filter.setVisible(bool(models))
        self.again.setEnabled(not looking)
        total = size_text(sum(model.size_bytes or 0 for model in models))
        one, more = (
            tr("1 model, {size}", size=total),
            tr("{count} models, {size}", size=total, count=len(models)),
        )
        self._count.set_whole("" if not models else one if len(models) == 1 else more)
        text = said(failure) or _state_text(models, searched, looking=looking)
        self.state.setText(text)
        self.foot.set_whole(text)
        self.foot.set_more("\n".join(_place_text(place) for place in searched))
        self.state.setToolTip(plain("\n".join(_place_text(place) for place in searched)))
        # The table takes the room, or where there is none the sentence.
        self._column.setStretch(1, 1 if models else 0)
        self._column.setStretch(2, 0 if models else 1)
        self.state.setVisible(not models)
        self.foot.setVisible(bool(models))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the columns that there is no room for, the least important first."""
        super().resizeEvent(event)
        self._count.setVisible(self.width() >= _ROOM_FOR_COUNT_PX * manager().scale)
        for column, room_px in _ROOM_PX:
            self.view.setColumnHidden(column, self.width() < room_px * manager().scale)

    def _table(self) -> QTableView:
        view = QTableView()
        view.setModel(self._proxy)
        dress(view, tr("Models on this machine"))
        offer_markdown(view)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setItemDelegateForColumn(NAME, _NameCell(view))
        view.setSortingEnabled(True)
        view.sortByColumn(SIZE, Qt.SortOrder.DescendingOrder)
        header = view.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        view.clicked.connect(self._choose)
        view.activated.connect(self._choose)
        return view

    def _choose(self, index: QModelIndex) -> None:
        path = index.data(PATH_ROLE)
        if isinstance(path, str):
            self.chosen.emit(path)


class _NameCell(Padded):
    """Variants of one model differ at the end of their names; a sentence is read from its start."""

    def initStyleOption(  # noqa: N802 (Qt's name)
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Where a text that is too long is shortened."""
        super().initStyleOption(option, index)
        elide = Qt.TextElideMode
        option.textElideMode = elide.ElideRight if index.data(PROBLEM_ROLE) else elide.ElideMiddle


def _state_text(
    models: Sequence[FoundModel], searched: Sequence[SearchedPlace], *, looking: bool
) -> str:
    *first, last = SOURCES
    sources = tr("{names} and {last}", names=tr(", ").join(first), last=last)
    if looking:
        return tr("Searching {sources} for models…", sources=sources)
    silent = [place.folder for place in searched if place.answer in ("refused", "no-answer")]
    if silent:
        return tr(
            "Not searched: {folders}. Can't be read, or doesn't respond.",
            folders=tr(", ").join(silent),
        )
    if models:
        return tr("Searched: {sources}. Add folders in Settings.", sources=sources)
    if searched:
        return tr(
            "No models found in {sources}. Add folders in Settings.",
            sources=sources,
        )
    return ""


def _place_text(place: SearchedPlace) -> str:
    return tr(_ANSWERS[place.answer], source=place.source, folder=place.folder, models=place.models)
