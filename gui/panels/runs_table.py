"""The runs of this window in a table that can be sorted; a run can be shown and saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from modelmon.gui.models.runs import RUN_ROLE, SORT_ROLE, RunsModel
from modelmon.gui.session import Run
from modelmon.gui.theme import manager

Index = QModelIndex | QPersistentModelIndex

if TYPE_CHECKING:
    from modelmon.gui.session import Session

_ROW_PX = 28
_LEFT_PX, _RIGHT_PX = 8, 18


class RunsTable(QTableView):
    """Follows the session's runs; choosing one shows it in the plots."""

    save_wanted = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._runs = RunsModel(self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self._runs)
        self._sorted.setSortRole(SORT_ROLE)
        self.setModel(self._sorted)
        self.setAccessibleName("Runs")
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setItemDelegate(_Padded(self))
        # The arrow of the sorted column has its place right of the text.
        self.horizontalHeader().setStyleSheet(
            f"QHeaderView::section {{ padding: 4px {_RIGHT_PX}px 4px {_LEFT_PX}px; }}"
        )
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(round(_ROW_PX * manager().scale))
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.selectionModel().selectionChanged.connect(self._on_selected)
        session.runs_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the runs that the session has now."""
        self._runs.set_runs(self._session.runs)

    @property
    def selected(self) -> Run | None:
        """The selected run."""
        rows = self.selectionModel().selectedRows()
        return self._run_at(rows[0]) if rows else None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """An empty table says what will be in it."""
        super().paintEvent(event)
        if self._runs.rowCount():
            return
        painter = QPainter(self.viewport())
        painter.setPen(manager().theme.text_2)
        text = "Each run of this window gets a row here. Choose one to see it in the plots."
        painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def _run_at(self, index: QModelIndex) -> Run | None:
        run = index.data(RUN_ROLE)
        return run if isinstance(run, Run) else None

    def _on_selected(self, selected: QItemSelection) -> None:
        run = self._run_at(selected.indexes()[0]) if selected.indexes() else None
        if run is not None and not self._session.busy:
            self._session.show_record(run.label, run.record)

    def _open_menu(self, place: QPoint) -> None:
        run = self._run_at(self.indexAt(place))
        if run is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        save = menu.addAction("Save recording…", lambda: self.save_wanted.emit(run))
        save.setEnabled(run.recording is not None)
        menu.popup(self.viewport().mapToGlobal(place))


class _Padded(QStyledItemDelegate):
    """Keeps figures and words of neighbouring columns apart."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 (Qt's)
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + _LEFT_PX + _RIGHT_PX, hint.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, manager().theme.focus_soft)
        inset = QStyleOptionViewItem(option)
        inset.rect = option.rect.adjusted(_LEFT_PX, 0, -_RIGHT_PX, 0)
        super().paint(painter, inset, index)
