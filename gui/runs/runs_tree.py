"""The tree of runs, those of one comparison below each other: sorted by its headings, starred by a
click, named in place. Its first column stays when the others are scrolled.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QTreeView
from shiboken6 import isValid

from modelmon.gui.language import tr
from modelmon.gui.plots.pens import overlay_icon
from modelmon.gui.runs.run_lines import (
    COLUMNS,
    NAME,
    OVERLAY,
    PART,
    RUN,
    STAR,
    WHEN,
    WHERE,
    LineFilter,
    RunLine,
    RunSet,
    sets_of,
)
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.tables import (
    ROW_PX,
    Padded,
    dress_header,
    heading_data,
    keep_narrow,
    markdown_table,
    side_of,
)
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from modelmon.gui.runs.run_lines import Key

Index = QModelIndex | QPersistentModelIndex

_INDENT_PX = 18
_FIRST_PX = 270
_LAST = len(COLUMNS) - 1
# The tree asks for them and for children of every row: thousands may be listed.
_SET_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_RUN_FLAGS = _SET_FLAGS | Qt.ItemFlag.ItemNeverHasChildren


class RunsModel(QAbstractItemModel):
    """Wanted runs; those of one comparison or Find best are below a row of their own.

    `star_wanted` and `name_wanted` ask for changes of the history, `overlay_wanted` for a run in
    the plots or out of them.
    """

    star_wanted = Signal(int, bool)
    name_wanted = Signal(int, str)
    overlay_wanted = Signal(object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: Sequence[RunLine] = ()
        """All runs, shown or not."""
        self.shown: list[RunLine] = []
        self.hidden_elsewhere = 0
        """Runs that are wanted and not shown, because they are of another place."""
        self.has_parts = False
        """Whether any that is shown loaded a part of its model."""
        self._wanted: list[RunLine] = []
        self._rows: list[RunLine | RunSet] = []
        self._filter = LineFilter()
        self._styles: Mapping[Key, int] = {}
        self._column, self._descending = WHEN, True

    def set_lines(self, lines: Iterable[RunLine]) -> None:
        """Show these runs."""
        self.lines = list(lines)
        self._choose()

    def set_filter(self, wanted: LineFilter) -> None:
        """Show these of them."""
        if wanted != self._filter:
            self._filter = wanted
            self._choose()

    def replace(self, changed: Iterable[RunLine]) -> None:
        """Show what has become of some runs, where they are."""
        new = {line.key: line for line in changed}
        self.lines = [new.get(line.key, line) for line in self.lines]
        self.shown = [new.get(line.key, line) for line in self.shown]
        for at, row in enumerate(self._rows):
            if isinstance(row, RunLine):
                self._rows[at] = new.get(row.key, row)
            else:
                self._rows[at] = RunSet(tuple(new.get(line.key, line) for line in row.lines))
        self._say_changed(set(new))

    def set_overlaid(self, styles: Mapping[Key, int]) -> None:
        """Check the runs that are in the plots; `styles` are those of their lines."""
        before, self._styles = self._styles, dict(styles)
        keys = before.keys() | styles.keys()
        self._say_changed({key for key in keys if before.get(key) != styles.get(key)})

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; what is not known is last either way. A proxy would ask for each pair
        of thousands of runs.
        """
        wanted = column, order == Qt.SortOrder.DescendingOrder
        # Qt's own sortByColumn asks twice.
        if wanted != (self._column, self._descending):
            self._column, self._descending = wanted
            self._arrange()

    def row_at(self, index: Index) -> RunLine | RunSet:
        """The run, or the runs of a comparison, in a row."""
        at = int(index.internalId())
        if at == 0:
            return self._rows[index.row()]
        among = self._rows[at - 1]
        assert isinstance(among, RunSet)
        return among.lines[index.row()]

    def every_index(self) -> Iterator[QModelIndex]:
        """The first cell of each row, from the top."""
        for at in range(len(self._rows)):
            above = self.index(at, 0)
            yield above
            yield from (self.index(row, 0, above) for row in range(self.rowCount(above)))

    def indices_of(self, keys: Collection[Key]) -> list[QModelIndex]:
        """Where those of these that are shown are, from the top."""
        found = []
        for at, row in enumerate(self._rows if keys else ()):
            if row.key in keys:
                found.append(self.createIndex(at, 0, 0))
            if isinstance(row, RunSet):
                below = (below for below, line in enumerate(row.lines) if line.key in keys)
                found += [self.createIndex(each, 0, at + 1) for each in below]
        return found

    def _choose(self) -> None:
        wanted = self._filter.choose(self.lines)
        here = [line for line in wanted if not line.elsewhere]
        self.hidden_elsewhere = len(wanted) - len(here) if self._filter.only_here else 0
        self._wanted = here if self._filter.only_here else wanted
        self.has_parts = any(COLUMNS[PART].key(line) for line in self._wanted)
        self._arrange()

    def _arrange(self) -> None:
        self.beginResetModel()
        key = COLUMNS[self._column].key
        keyed = [(key(line), line) for line in self._wanted]
        known = [(value, line) for value, line in keyed if value is not None]
        known.sort(key=lambda pair: pair[0], reverse=self._descending)
        self.shown = [line for _, line in known]
        self.shown += [line for value, line in keyed if value is None]
        self._rows = sets_of(self.shown)
        self.endResetModel()

    def _say_changed(self, keys: set[Key]) -> None:
        for index in self.every_index() if keys else ():
            if self.row_at(index).key in keys:
                self.dataChanged.emit(index, index.siblingAtColumn(_LAST))

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        """The index of a row; one below another has that one's number plus one as its id."""
        inside = parent.isValid()
        count = self.rowCount(parent) if inside else len(self._rows)
        if not (0 <= column <= _LAST and 0 <= row < count):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if inside else 0)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # Qt overloads it
        """The row of the comparison that a run is of."""
        at = int(index.internalId()) if index.isValid() else 0
        return self.createIndex(at - 1, 0, 0) if at else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Number of rows, or of the runs of a comparison."""
        if not parent.isValid():
            return len(self._rows)
        row = None if parent.column() or parent.internalId() else self._rows[parent.row()]
        return len(row.lines) if isinstance(row, RunSet) else 0

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: N802 (Qt's)
        """Whether a row can be unfolded; Qt's own way asks twice as much for each run."""
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Number of columns."""
        del parent
        return len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Names of runs in the history can be edited."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        row = self.row_at(index)
        if not isinstance(row, RunLine):
            return _SET_FLAGS
        if index.column() == NAME and row.row is not None:
            return _RUN_FLAGS | Qt.ItemFlag.ItemIsEditable
        if index.column() == OVERLAY and row.has_events:
            return _RUN_FLAGS | Qt.ItemFlag.ItemIsUserCheckable
        return _RUN_FLAGS

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for another name, or for the run in the plots."""
        line = self.row_at(index)
        if not isinstance(line, RunLine):
            return False
        if role == Qt.ItemDataRole.CheckStateRole:
            self.overlay_wanted.emit(line, Qt.CheckState(value) == Qt.CheckState.Checked)
            return True
        if role != Qt.ItemDataRole.EditRole or line.row is None:
            return False
        if str(value).strip() != line.name:
            self.name_wanted.emit(line.row.id, str(value).strip())
        return True

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Titles, and what they mean as tool tips."""
        return heading_data(COLUMNS[section], orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, alignment and colours."""
        if not index.isValid():
            return None
        row, column = self.row_at(index), index.column()
        if column == OVERLAY and isinstance(row, RunLine):
            return self._overlay_data(row, role)
        answer = _ANSWERS.get(role)
        return answer(row, column) if answer else None

    def _overlay_data(self, line: RunLine, role: int) -> object:
        style, roles = self._styles.get(line.key), Qt.ItemDataRole
        if not line.has_events:
            gone = tr("This run's recording was deleted.")
            return gone if role == roles.ToolTipRole else None
        if role == roles.CheckStateRole:
            return Qt.CheckState.Unchecked if style is None else Qt.CheckState.Checked
        if role == roles.DecorationRole and style is not None:
            return overlay_icon(style, manager().theme)
        if role == roles.ToolTipRole:
            return tr("Show the run next to A and B in the plots")
        if role == roles.AccessibleTextRole:
            return tr("Not in the plots") if style is None else tr("In the plots")
        return None


def _text(row: RunLine | RunSet, column: int) -> str:
    one = COLUMNS[column]
    return one.of_set(row) if isinstance(row, RunSet) else one.text(row)


def _spoken(row: RunLine | RunSet, column: int) -> str:
    if column == STAR and isinstance(row, RunLine):
        return tr("Starred") if row.starred else tr("Not starred")
    return _text(row, column)


def _colour(row: RunLine | RunSet, column: int) -> object:
    theme = manager().theme
    if column == WHERE and isinstance(row, RunLine) and row.elsewhere:
        return theme.warn
    return theme.text if isinstance(row, RunSet) or row.counts else theme.text_2


def _letters(row: RunLine | RunSet, column: int) -> object:
    return font(12, 600) if column == RUN and isinstance(row, RunSet) else None


# Asked for each cell that is drawn or measured: made once.
_ANSWERS: dict[int, Callable[[RunLine | RunSet, int], object]] = {
    Qt.ItemDataRole.DisplayRole: _text,
    Qt.ItemDataRole.ToolTipRole: lambda row, column: plain(_text(row, column)),
    Qt.ItemDataRole.EditRole: lambda row, _: row.name if isinstance(row, RunLine) else "",
    Qt.ItemDataRole.TextAlignmentRole: lambda _, column: side_of(COLUMNS[column]),
    Qt.ItemDataRole.ForegroundRole: _colour,
    Qt.ItemDataRole.FontRole: _letters,
    Qt.ItemDataRole.AccessibleTextRole: _spoken,
}


class _Tree(QTreeView):
    """What the tree and its first column have in common."""

    def __init__(self) -> None:
        super().__init__()
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT_PX)
        self.setAllColumnsShowFocus(True)
        self.setItemDelegate(_Cell(self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setExpandsOnDoubleClick(False)
        dress_header(self, self.header())


class RunsTree(_Tree):
    """Any number of runs can be selected; `show_wanted` asks for the current row.

    A selection outlives new rows, filters and sorting. So does what is unfolded.
    """

    show_wanted = Signal()
    selection_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.runs = RunsModel(self)
        self.setModel(self.runs)
        self.setAccessibleName(tr("Runs"))
        self.empty_text = ""
        self._unfolded: set[Key] = set()
        self._selected_keys: set[Key] = set()
        self._wanted_keys: set[Key] = set()
        for marks in (STAR, OVERLAY):
            keep_narrow(self, self.header(), marks)
        self.header().setSectionResizeMode(RUN, self.header().ResizeMode.Interactive)
        self.header().resizeSection(RUN, round(_FIRST_PX * manager().scale))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.SelectedClicked)
        self.setSortingEnabled(True)
        self.sortByColumn(WHEN, Qt.SortOrder.DescendingOrder)
        self.setColumnHidden(PART, True)
        self.clicked.connect(self._on_click)
        self.activated.connect(self._on_activated)
        self.expanded.connect(lambda index: self._unfolded.add(self.runs.row_at(index).key))
        self.collapsed.connect(lambda index: self._unfolded.discard(self.runs.row_at(index).key))
        self.runs.modelAboutToBeReset.connect(self._remember)
        self.runs.modelReset.connect(self._restore)
        self.selectionModel().selectionChanged.connect(self._on_selected)
        self.frozen = _FirstColumn(self)

    def be_last(self) -> None:
        """Views forget what is selected when the rows are new: select it anew after all of them."""
        self.runs.modelReset.disconnect(self._restore)
        self.runs.modelReset.connect(self._restore)
        self._remember()
        self._restore()

    @property
    def selected(self) -> list[RunLine]:
        """The selected runs, in the order of the table; those of a comparison with its row."""
        keys = self._keys_selected()
        return [
            line
            for line in self.runs.shown
            if line.key in keys or (line.set_key is not None and line.set_key in keys)
        ]

    @property
    def told_columns(self) -> list[int]:
        """The columns that are shown and say something in words."""
        silent = (STAR, OVERLAY)
        return [
            at for at in range(len(COLUMNS)) if at not in silent and not self.isColumnHidden(at)
        ]

    def markdown(self) -> str:
        """The selected runs as a table."""
        columns = [COLUMNS[at] for at in self.told_columns]
        cells = [[column.text(line) for column in columns] for line in self.selected]
        figures = [at for at, column in enumerate(columns) if column.right]
        return markdown_table([tr(column.title) for column in columns], cells, figures)

    def select_keys(self, keys: set[Key]) -> None:
        """Select these alone: now, or as soon as they come unless others are selected then."""
        self.clearSelection()
        self._selected_keys, self._wanted_keys = set(), keys
        self._restore()

    def select_runs(self, run_ids: Iterable[int]) -> None:
        """Select these runs of the history alone, now or as soon as they come."""
        self.select_keys({("history", run_id) for run_id in run_ids})

    def rename_current(self) -> None:
        """Let the name of the current run be written."""
        index = self.currentIndex().siblingAtColumn(NAME)
        if index.isValid() and self.runs.flags(index) & Qt.ItemFlag.ItemIsEditable:
            self.setCurrentIndex(index)
            self.edit(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The first column has the same height."""
        super().resizeEvent(event)
        self.frozen.follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        """An empty table says why it is, or what will be in it."""
        super().paintEvent(event)
        if self.runs.rowCount():
            return
        painter = QPainter(self.viewport())
        painter.setPen(manager().theme.text_2)
        place = QRect(self.viewport().rect()).adjusted(24, 0, -24, 0)
        wrapped = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(place, wrapped, self.empty_text)
        painter.end()

    def _on_click(self, index: QModelIndex) -> None:
        line = self.runs.row_at(index)
        if index.column() == STAR and isinstance(line, RunLine) and line.row is not None:
            self.runs.star_wanted.emit(line.row.id, not line.starred)

    def _on_activated(self, index: QModelIndex) -> None:
        if index.column() not in (STAR, OVERLAY):
            self.show_wanted.emit()

    def _on_selected(self) -> None:
        self._wanted_keys = set()
        self.selection_changed.emit()

    def _keys_selected(self) -> set[Key]:
        # Ranges, not indices: with thousands of rows those would take seconds.
        ranges = self.selectionModel().selection().toList()
        return {
            self.runs.row_at(self.runs.index(row, 0, each.parent())).key
            for each in ranges
            for row in range(each.top(), each.bottom() + 1)
        }

    def _remember(self) -> None:
        self._selected_keys = self._keys_selected()

    def _restore(self) -> None:
        """Select and unfold what was; times of parts have a column where there are any."""
        self.setColumnHidden(PART, not self.runs.has_parts)
        wanted = self._wanted_keys
        rows = self.runs.indices_of(wanted)
        awaited = set() if rows else wanted
        rows = rows or self.runs.indices_of(self._selected_keys)
        for index in self.runs.indices_of(self._unfolded):
            self.expand(index)
        for index in rows:
            self.expand(index.parent())
        chosen = QItemSelection()
        for first, last in _stretches(rows):
            chosen.select(first, last.siblingAtColumn(_LAST))
        flags = self.selectionModel().SelectionFlag
        self.selectionModel().select(chosen, flags.Select)
        if rows:
            # Until then the scroll bar reaches as far as the rows that were there before.
            self.updateGeometries()
            sideways = self.horizontalScrollBar().value()
            self.selectionModel().setCurrentIndex(rows[0], flags.NoUpdate)
            self.horizontalScrollBar().setValue(sideways)
        self._wanted_keys = awaited
        self.selection_changed.emit()


class _FirstColumn(_Tree):
    """Lies over the first column of a tree while that is scrolled aside; all else is the tree's."""

    def __init__(self, tree: RunsTree) -> None:
        super().__init__()
        self.setParent(tree)
        self._tree = tree
        self.setAccessibleName(tr("Runs"))
        self.setStyleSheet("QTreeView { border: none; }")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(tree.customContextMenuRequested)
        self.activated.connect(tree.activated)
        for one, other in ((self, tree), (tree, self)):
            one.expanded.connect(other.expand)
            one.collapsed.connect(other.collapse)
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
        tree.horizontalScrollBar().valueChanged.connect(self.follow)
        tree.header().geometriesChanged.connect(self.follow)
        tree.header().sectionResized.connect(self.follow)
        self.hide()

    def follow(self) -> None:
        """Be seen where the first column of the tree is not, in its size."""
        if not isValid(self._tree):
            return
        tree, area = self._tree, self._tree.viewport().geometry()
        scrolled = tree.horizontalScrollBar().value() > 0
        if scrolled and self.model() is None:
            self._take_model()
        top = tree.header().geometry().top()
        self.setGeometry(area.left(), top, tree.columnWidth(RUN), area.bottom() + 1 - top)
        self.header().setFixedHeight(tree.header().height())
        self.setVisible(scrolled)
        self.verticalScrollBar().setValue(tree.verticalScrollBar().value())

    def _take_model(self) -> None:
        """Not before it is seen: to lay out thousands of runs twice is felt."""
        self.setModel(self._tree.runs)
        self.setSelectionModel(self._tree.selectionModel())
        self.header().setStretchLastSection(True)
        for column in range(RUN + 1, len(COLUMNS)):
            self.setColumnHidden(column, True)
        for index in self._tree.runs.every_index():
            self.setExpanded(index, self._tree.isExpanded(index))
        self._tree.be_last()


class _Cell(Padded):
    """A row is as high as those of all tables."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as the text."""
        return QSize(super().sizeHint(option, index).width(), round(ROW_PX * manager().scale))


def _stretches(rows: Iterable[QModelIndex]) -> Iterator[tuple[QModelIndex, QModelIndex]]:
    """Neighbouring rows as first and last of each stretch."""
    for _, group in groupby(
        enumerate(rows), key=lambda pair: (pair[1].internalId(), pair[1].row() - pair[0])
    ):
        stretch = [row for _, row in group]
        yield stretch[0], stretch[-1]
