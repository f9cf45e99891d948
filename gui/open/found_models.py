"""Models that other programs have downloaded: looked for in a process of its own while nothing is
open, shown as a table to filter; a click opens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLineEdit,
    QStyleOptionViewItem,
)

from modelmon.core.doctor.diagnosis import FitAnswer, fit_answer
from modelmon.core.explain.glossary import MODEL
from modelmon.core.messages import from_wire
from modelmon.core.model.found_models import OWN, SOURCES, FoundModel, SearchedPlace
from modelmon.core.terminal_safe import one_line
from modelmon.core.units import size_text
from modelmon.gui.background.commands import Command
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.machine import disk_kind
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, icon_button, label, plain, styled
from modelmon.gui.widgets.tables import Padded, Table, TextTable
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent, QStandardItem

    from modelmon.core.machine.storage import Storage
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings

Index = QModelIndex | QPersistentModelIndex

SORT_ROLE = Qt.ItemDataRole.UserRole
PATH_ROLE = Qt.ItemDataRole.UserRole + 1
PROBLEM_ROLE = Qt.ItemDataRole.UserRole + 2

_FITS: dict[FitAnswer, tuple[str, str]] = {
    "fits": (mark("Fits"), "good"),
    "tight": (mark("Tight"), "warn"),
    "does-not-fit": (mark("Doesn't fit"), "bad"),
}
_AFTER_PLACE = "/\\: \uff1a"  # the last is what Chinese writes for a colon
_FILTER_PX, _ROOM_FOR_COUNT_PX = 140, 520
_ANSWERS = {
    "read": mark("{source}: {folder}, {models} found"),
    "absent": mark("{source}: {folder} doesn't exist"),
    "refused": mark("{source}: {folder} can't be read"),
    "no-answer": mark("{source}: {folder} doesn't respond"),
}
_GATHER_MS = 100
"""Models that come in quick succession are shown together."""


NAME, SOURCE, FORMAT, SIZE, BLOCKS, ON, FITS = range(7)
COLUMNS = (
    *(mark("Name"), mark("Source"), mark("Format"), mark("Size"), mark("Blocks"), mark("On")),
    mark("Memory"),
)
# Columns that go first where there is no room, with the width from which on each is shown.
_ROOM_PX = ((ON, 900), (FORMAT, 760), (BLOCKS, 560), (SOURCE, 480))


class FoundTable(TextTable):
    """Grows while models are found; `usable_bytes` is the memory that a load can have now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, (COLUMNS[SIZE], COLUMNS[BLOCKS]), parent, MODEL)
        self._models: list[FoundModel] = []
        self._usable_bytes = 0

    def show_models(self, models: Sequence[FoundModel], usable_bytes: int) -> None:
        """Show these; where they begin with those that are shown, only the new are added."""
        known = len(self._models)
        if usable_bytes != self._usable_bytes or list(models[:known]) != self._models:
            self.removeRows(0, self.rowCount())
            known = 0
        self._models, self._usable_bytes = list(models), usable_bytes
        told = tr("Whether it fits in {size}", size=size_text(usable_bytes))
        self.horizontalHeaderItem(FITS).setToolTip(told)
        for model in models[known:]:
            self.appendRow(self._items(model))

    def _items(self, model: FoundModel) -> list[QStandardItem]:
        fit, fit_colour = self._fit(model)
        storage, nbytes, blocks = model.storage, model.size_bytes, model.blocks
        texts = (
            _name(model),
            tr("Own folder") if model.source == OWN else model.source,
            ", ".join(filter(None, (model.format, model.main_dtype))),
            size_text(nbytes) if nbytes is not None else "",
            f"{blocks:,}" if blocks is not None else "",
            _disk(storage) if storage is not None else "",
            fit,
        )
        about = plain("\n".join(filter(None, (model.path, said(model.problem)))))
        # Always of one type: Qt does not compare small integers with large ones.
        figures = {SIZE: float(nbytes or 0), BLOCKS: float(blocks or 0), FITS: float(nbytes or 0)}
        items = []
        for column, text in enumerate(texts):
            quiet = model.problem or column not in (NAME, SIZE)
            colour = fit_colour if column == FITS else "text_2" if quiet else "text"
            item = self.item_of(one_line(text), column, colour)
            item.setToolTip(about)
            item.setData(figures.get(column, text.lower()), SORT_ROLE)
            item.setData(model.path, PATH_ROLE)
            item.setData(model.problem, PROBLEM_ROLE)
            items.append(item)
        return items

    def _fit(self, model: FoundModel) -> tuple[str, str]:
        """Whether it fits, and the colour of that; nothing of what cannot be opened."""
        if model.problem or model.size_bytes is None:
            return tr("Unreadable"), "bad"
        text, colour = _FITS[fit_answer(model.size_bytes, self._usable_bytes)]
        return tr(text), colour


def _name(model: FoundModel) -> str:
    if not model.problem:
        return model.name
    # The sentence begins with the file, whose place the tool tip tells.
    problem = said(model.problem).removeprefix(model.path).lstrip(_AFTER_PLACE)
    return tr("{name}: {problem}", name=model.name, problem=problem)


def _disk(storage: Storage) -> str:
    disk = storage.device or storage.mount_point
    return tr("{disk}, {kind}", disk=disk, kind=disk_kind(storage))


class FoundList(QFrame):
    """A heading with a filter over a table, and below it where was searched."""

    chosen = Signal(str)

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
        self.folders = icon_button("machine", tr("Add folders to search"))
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

    def _table(self) -> Table:
        view = Table(self._proxy, tr("Models on this machine"))
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setItemDelegateForColumn(NAME, _NameCell(view))
        view.setSortingEnabled(True)
        view.sortByColumn(SIZE, Qt.SortOrder.DescendingOrder)
        header = view.horizontalHeader()
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
            "Searched: {sources}. No models there. Add folders in Settings.",
            sources=sources,
        )
    return ""


def _place_text(place: SearchedPlace) -> str:
    return tr(_ANSWERS[place.answer], source=place.source, folder=place.folder, models=place.models)


class _Line(msgspec.Struct):
    """One line of `modelmon models --json`."""

    model: FoundModel | None = None
    searched: list[SearchedPlace] | None = None


_decode = msgspec.json.Decoder(_Line, dec_hook=from_wire).decode


class FoundModelsController(Controller):
    """Brings `models` as they are found; `searched` is known when the look is over.

    A look ends as soon as anything else starts, since it reads from the disks that are measured
    next, and goes on when that is over and still nothing is open.
    """

    looks_around = True
    changed = Signal()

    def __init__(
        self,
        session: Session,
        settings: Settings,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(session, make_command, parent)
        self.models: list[FoundModel] = []
        self.searched: list[SearchedPlace] = []
        self.failure = ""
        self._settings = settings
        self._due = False
        self._gathering = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._gathering.timeout.connect(self.changed)
        session.activity_changed.connect(self._on_activity)

    @property
    def looking(self) -> bool:
        """Whether more may come."""
        return self._asking.under_way

    def look(self) -> None:
        """Look anew, as soon as nothing is under way and if nothing is open."""
        self._due = True
        self._look_if_idle()

    def stop(self) -> None:
        """Give up the look under way; return at once."""
        if self._asking.stop() is not None:
            self.changed.emit()

    def _look_if_idle(self) -> None:
        if not self._due or self._session.busy or not self._session.empty:
            return
        self.stop()
        self._due = False
        self.models, self.searched, self.failure = [], [], ""
        arguments = models_arguments(self._settings.model_folders)
        self._asking.follow(arguments, _decode, self._on_line, self._end, self._on_failed)
        self.changed.emit()

    def _on_activity(self) -> None:
        if self._session.busy:
            self._due = self._due or self.looking
            self.stop()
        else:
            self._look_if_idle()

    def _on_line(self, found: _Line) -> None:
        if found.model is not None:
            self.models.append(found.model)
        if found.searched is not None:
            self.searched = found.searched
            # The process may wait for a mount that hangs; all that it can tell has come.
            self._asking.forget()
            self._end()
        elif not self._gathering.isActive():
            self._gathering.start()

    def _on_failed(self, message: str, remedy: str) -> None:
        failure = f"{message} {remedy}".strip()
        self._session.log(failure, "warning")
        self._end(failure)

    def _end(self, failure: str = "") -> None:
        self.failure = failure
        self.changed.emit()


def models_arguments(folders: tuple[str, ...]) -> list[str]:
    """List the models in the usual caches and in these folders: answers with a line for each."""
    return ["models", "--json", "--", *folders]
