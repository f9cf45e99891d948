"""The Runs tab: which runs there are and are wanted, and the commands for those selected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from modelmon.gui.background.commands import Presence
from modelmon.gui.language import tr
from modelmon.gui.runs.run_actions import (
    RUN_ACTIONS,
    make_run_actions,
    model_path,
    reasons_against,
)
from modelmon.gui.runs.run_library import MOST_ROWS
from modelmon.gui.runs.run_lines import MODEL, LineFilter
from modelmon.gui.runs.runs_tree import RunsTree
from modelmon.gui.widgets.dialog import scrolled_form
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import icon_button, label, restyle, styled

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent

    from modelmon.gui.runs.run_library import RunLibrary
    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.session import Run, Session

_GAP_PX = 8
_UNSCROLLED_PX = 700
_AROUND_WORDS_PX, _MOST_SEARCH_PX = 26, 260


class RunsPanel(QWidget):
    """Filter, tree and commands, which RunsTabController does; `dropped` carries the paths of
    recordings. The history is read when the tab is seen, not before.
    """

    dropped = Signal(list)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._library: RunLibrary | None = None
        self._deleted = 0
        self._presence = Presence(self)
        self._presence.changed.connect(self.refresh_actions)
        self.filter = RunsFilter()
        self.table = RunsTree()
        self.foot = label("", "hint")
        self.deleted = label("", "hint")
        self.actions_by_id = make_run_actions(self, self.table)
        self._menu = self._made_menu()
        self.buttons = {spec.id: self._button(spec.id) for spec in RUN_ACTIONS if spec.on_button}
        self.more = icon_button("more", tr("More actions for the selected runs"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._menu)
        self.maximise = icon_button("maximise", tr("Show the runs in the whole window"))
        self.maximise.setCheckable(True)
        self.back = QPushButton(tr("Back"))
        self.back.setProperty("compact", True)
        self.back.setToolTip(tr("Back to start page"))
        self.back.hide()
        self._lay_out()
        self.show_deleted(0)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.table.selection_changed.connect(self._on_selection)
        self.filter.changed.connect(self._apply_filter)
        session.activity_changed.connect(self.refresh_actions)
        session.model_changed.connect(self._on_model)
        self.setAcceptDrops(True)
        self._on_model()
        self._describe()

    def follow(self, library: RunLibrary) -> None:
        """Show what this library has."""
        self._library = library
        library.reloaded.connect(self._on_reloaded)
        library.changed.connect(self.table.runs.replace)
        library.changed.connect(lambda _: self.refresh_actions())
        self.filter.model.currentIndexChanged.connect(self._on_model)
        self.filter.model.currentIndexChanged.connect(lambda at: library.show_every_model(at == 1))
        self.table.runs.star_wanted.connect(
            lambda run_id, starred: library.star((run_id,), starred=starred)
        )
        self.table.runs.name_wanted.connect(library.rename)

    @property
    def selected(self) -> list[RunLine]:
        """The selected runs."""
        return self.table.selected

    @property
    def selected_run(self) -> Run | None:
        """The selected run, where it is one and of this window."""
        lines = self.selected
        return lines[0].run if len(lines) == 1 else None

    @property
    def reasons(self) -> dict[str, str]:
        """Commands that cannot be used now, and why."""
        deleted, gone = self._deleted, self._presence.gone
        return reasons_against(self._session, self.selected, deleted=deleted, gone=gone)

    @property
    def is_maximised(self) -> bool:
        """Whether it is seen, and cards and plots make room for it."""
        return self.maximise.isChecked() and self.isVisible()

    def show_deleted(self, count: int) -> None:
        """Say how many runs were deleted that can be brought back."""
        self._deleted = count
        text = tr("1 run deleted") if count == 1 else tr("{count} runs deleted", count=f"{count:,}")
        self.deleted.setText(text)
        self.buttons["undo"].setAccessibleName(
            tr("Undo: restore the deleted run")
            if count == 1
            else tr("Undo: restore {count} deleted runs", count=f"{count:,}")
        )
        for part in (self.deleted, self.buttons["undo"]):
            part.setVisible(count > 0)
        self.refresh_actions()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the history anew: other windows and terminals write to it as well."""
        super().showEvent(event)
        if self._library is not None:
            self._library.reload()
            self._on_reloaded()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take recordings while nothing is under way; other files go to the window."""
        if not self._session.busy and _recordings(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the recordings into the history."""
        event.acceptProposedAction()
        self.dropped.emit(_recordings(event.mimeData()))

    def select(self, run_ids: Collection[int]) -> None:
        """Select runs of the history, wherever they were measured."""
        self.filter.only_here.setChecked(False)
        self.table.select_runs(run_ids)

    def refresh_actions(self) -> None:
        """Enable what can be done with the selected runs; tool tips say why not."""
        against, selected = self.reasons, self.selected
        for spec in RUN_ACTIONS:
            action = self.actions_by_id[spec.id]
            action.setEnabled(spec.id not in against)
            action.setToolTip(against.get(spec.id, tr(spec.text)))
        starred = bool(selected) and all(line.starred for line in selected)
        self.actions_by_id["star"].setText(tr("Remove star") if starred else tr("Star"))

    def _lay_out(self) -> None:
        row = in_row(self.back, (self.filter, 1), self.maximise, spacing=_GAP_PX)
        foot = in_row((self.foot, 1), self.deleted, spacing=_GAP_PX)
        for name in ("undo", "resume", "compare", "changes"):
            foot.addWidget(self.buttons[name])
        foot.addWidget(self.more)
        inside = QWidget()
        inside.setMinimumWidth(_UNSCROLLED_PX)
        in_column(row, (self.table, 1), foot, on=inside, margins=(0, 4, 0, 0), spacing=4)
        area = scrolled_form(inside)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(area, on=self)

    def _made_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for spec in RUN_ACTIONS:
            if spec.starts_group:
                menu.addSeparator()
            menu.addAction(self.actions_by_id[spec.id])
        return menu

    def _button(self, name: str) -> QToolButton:
        button = styled(QToolButton(), "", compact=True)
        button.setDefaultAction(self.actions_by_id[name])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        return button

    def _on_selection(self) -> None:
        selected = self.selected
        if len(selected) == 1 and (path := model_path(selected[0])):
            self._presence.look([path])
        self.refresh_actions()

    def _open_menu(self, place: QPoint) -> None:
        if self.table.indexAt(place).isValid():
            self._menu.popup(self.table.viewport().mapToGlobal(place))

    def _on_reloaded(self) -> None:
        if self._library is None or not self.isVisible():
            return
        if self._library.stale:
            self._library.reload()
        lines = self._library.lines
        self.filter.offer(lines)
        self.table.runs.set_lines(lines)
        self._describe()

    def _apply_filter(self) -> None:
        self.table.runs.set_filter(self.filter.wanted)
        self._describe()

    def _describe(self) -> None:
        """Say what is listed, and why that is not more."""
        problem = self._library.problem if self._library is not None else ""
        self.foot.setText(problem or self._listed())
        restyle(self.foot, tone="bad" if problem else "")
        self.table.empty_text = self._why_empty(problem)
        self.table.viewport().update()
        self.refresh_actions()

    def _listed(self) -> str:
        runs = self.table.runs
        shown, known = len(runs.shown), len(runs.lines)
        if shown != known:
            parts = [tr("{shown} of {known} runs", shown=f"{shown:,}", known=f"{known:,}")]
        else:
            parts = [tr("1 run") if known == 1 else tr("{known} runs", known=f"{known:,}")]
        if known >= MOST_ROWS:
            parts.append(tr("for older ones, use modelmon history"))
        if hidden := runs.hidden_elsewhere:
            parts.append(
                tr("{number} from another machine or disk not shown", number=f"{hidden:,}")
            )
        return tr("; ").join(parts)

    def _why_empty(self, problem: str) -> str:
        runs = self.table.runs
        if problem:
            return tr("{problem} Runs are still measured.", problem=problem)
        if not runs.lines and self._session.inspection is not None:
            return tr("No runs of this model yet. Use Run A, Run B, or Compare A/B.")
        if not runs.lines:
            return tr("No runs yet. Open a model and run it, or drop a recording here.")
        if runs.hidden_elsewhere and not runs.shown:
            return tr(
                "{number} from another machine or disk not shown. To see them, clear “{box}”.",
                number=f"{runs.hidden_elsewhere:,}",
                box=self.filter.only_here.text(),
            )
        return tr("No runs match these filters")

    def _on_model(self) -> None:
        known = self._session.inspection is not None
        self.filter.show_model(known=known)
        every = self.filter.model.currentIndex() == 1
        self.table.setColumnHidden(MODEL, known and not every)


class RunsFilter(QWidget):
    """The row over the runs: which of them are wanted; `changed` follows every choice."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find in runs"))
        self.search.setAccessibleName(tr("Find in runs"))
        self.search.setProperty("compact", True)
        self.search.setMaximumWidth(_MOST_SEARCH_PX)
        self.search.ensurePolished()
        words_px = self.search.fontMetrics().horizontalAdvance(self.search.placeholderText())
        self.search.setMinimumWidth(words_px + _AROUND_WORDS_PX)
        self.model = _box(tr("Model"), (tr("This model"), tr("All models")))
        self.strategy = _box(tr("Strategy"), (tr("All strategies"),))
        self.start = _box(tr("Start state"), (tr("Any start state"),))
        self.only_here = QCheckBox()
        self.only_here.setChecked(True)
        self.starred = styled(QToolButton(), "chip")
        self.starred.setText("★")
        self.starred.setCheckable(True)
        self.starred.setToolTip(tr("Only starred runs"))
        self.starred.setAccessibleName(tr("Only starred runs"))
        row = in_row((self.search, 1), on=self, spacing=_GAP_PX)
        for widget in (self.starred, self.model, self.strategy, self.start, self.only_here):
            row.addWidget(widget)
        row.addStretch(1)
        self.search.textChanged.connect(self.changed)
        for box in (self.strategy, self.start):
            box.currentIndexChanged.connect(self.changed)
        for check in (self.only_here, self.starred):
            check.toggled.connect(self.changed)

    @property
    def wanted(self) -> LineFilter:
        """What is chosen now."""
        return LineFilter(
            text=self.search.text(),
            strategy=_chosen(self.strategy),
            start=_chosen(self.start),
            only_here=self.only_here.isChecked(),
            starred=self.starred.isChecked(),
        )

    def show_model(self, *, known: bool) -> None:
        """Whether a model is open, to which the choice between models and disks belongs."""
        self.model.setVisible(known)
        self.only_here.setText(tr("Only this disk") if known else tr("Only this machine"))

    def offer(self, lines: Collection[RunLine]) -> None:
        """Offer the strategies and starts that there are; what is chosen stays."""
        _fill(self.strategy, {line.strategy for line in lines})
        _fill(self.start, {line.start for line in lines})


def _recordings(mime: QMimeData) -> list[Path]:
    """The paths of dropped recordings; empty where another file is among them."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return paths if paths and all(path.suffix == ".jsonl" for path in paths) else []


def _box(name: str, texts: tuple[str, ...]) -> QComboBox:
    box = styled(QComboBox(), "", compact=True)
    box.setAccessibleName(name)
    box.addItems(texts)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return box


def _chosen(box: QComboBox) -> str:
    return box.currentText() if box.currentIndex() > 0 else ""


def _fill(box: QComboBox, texts: set[str]) -> None:
    chosen = _chosen(box)
    offered = sorted((texts | {chosen}) - {""})
    if offered == [box.itemText(at) for at in range(1, box.count())]:
        return
    box.blockSignals(True)
    while box.count() > 1:
        box.removeItem(1)
    box.addItems(offered)
    box.setCurrentIndex(offered.index(chosen) + 1 if chosen else 0)
    box.blockSignals(False)
