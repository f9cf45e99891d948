"""What all plots share: a header, an empty state, a menu, pictures and tables."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QCursor, QKeySequence
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QMenu,
    QStackedLayout,
    QWhatsThis,
    QWidget,
)

from modelmon.core.errors import ModelmonError
from modelmon.gui.language import tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.explanations import PLOT
from modelmon.gui.plots.header import PlotHeader
from modelmon.gui.plots.saving import copy_csv, copy_markdown, copy_picture
from modelmon.gui.plots.time_range import TimeRange
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import restyle
from modelmon.gui.widgets.theme import icon, manager, set_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QShowEvent

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.header import LegendEntry
    from modelmon.gui.session.notices import ArmLabel

_INSIDE_FRAME = (12, 2, 8, 4)


class PlotFrame(QWidget):
    """A plot's frame. `maximise_toggled` asks the window for room, `hide_wanted` to be hidden,
    `save_wanted` for a place;
    `notice` tells it that something was saved, `failed` carries the ModelmonError for what
    could not be.
    """

    maximise_toggled = Signal(bool)
    hide_wanted = Signal()
    save_wanted = Signal()
    notice = Signal(str)
    failed = Signal(ModelmonError)
    can_zoom: ClassVar[bool] = True
    """Whether a part of the axis can be shown."""
    explained: ClassVar[Mapping[str, str]] = {}
    """What the plot shows, and what the entries of its legend are, by their keys."""

    def __init__(self, name: str, empty_text: str, *, framed: bool = True) -> None:
        """Framed plots write their name above themselves; others leave it to a tab."""
        super().__init__()
        self.header = PlotHeader(name if framed else "")
        self.entries: dict[str, LegendEntry] = {}
        self._name = name
        self.unit = ""
        self.is_maximised = False
        self.can_hide = framed
        self.empty_text = self._usual_empty_text = empty_text
        self.empty_label = QLabel(empty_text)
        self.empty_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty_label.setWordWrap(True)
        self.empty_label.setProperty("role", "label")
        self.content = QWidget()
        layout = self._layout = in_column(
            self.header, on=self, margins=(_INSIDE_FRAME if framed else (0, 2, 0, 0)), spacing=0
        )
        self._stack = QStackedLayout()
        # Before its first page, which it shows at once: as a window of its own, without a parent.
        layout.addLayout(self._stack, 1)
        self._stack.addWidget(self.empty_label)
        self._stack.addWidget(self.content)
        if framed:
            self.setProperty("role", "panel")
            self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(name)
        self._explain()
        self.header.reset.clicked.connect(self.reset_view)
        self.header.save.clicked.connect(self.save_wanted)
        self.header.maximise.clicked.connect(self.toggle_maximised)
        self.header.more.clicked.connect(self._show_menu_below)
        self.header.set_entry_shown(self.header.reset, shown=self.can_zoom)
        self.show_empty(empty=True)
        manager().changed.connect(self.renew)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw yet."""
        return self._stack.currentWidget() is self.empty_label

    @property
    def has_header(self) -> bool:
        """Whether the header lies above the plot, not in the row of its tab."""
        return self.isAncestorOf(self.header)

    def show_empty(self, *, empty: bool, reason: str = "") -> None:
        """Say what will appear here, or for which reason nothing can; or show the plot."""
        self.empty_label.setText(reason or self.empty_text)
        self._stack.setCurrentWidget(self.empty_label if empty else self.content)
        for button in (self.header.reset, self.header.save):
            button.setEnabled(not empty)
        self.set_unit(self.unit)

    def set_unit(self, text: str) -> None:
        """Say above the plot what its left axis shows."""
        self.unit = text
        self.header.set_unit("" if self.is_empty else text)

    def set_upright(self, *, upright: bool) -> None:
        """Have the header beside the plot, inside somebody else's frame, or above it in its own."""
        direction = QBoxLayout.Direction
        self._layout.setDirection(direction.LeftToRight if upright else direction.TopToBottom)
        self._layout.setContentsMargins(*((12, 0, 8, 0) if upright else _INSIDE_FRAME))
        self.header.set_upright(upright=upright)
        restyle(self, role=None if upright else "panel")

    def set_empty_text(self, text: str) -> None:
        """Say this where there is nothing to draw; empty says again what will appear."""
        before, self.empty_text = self.empty_text, text or self._usual_empty_text
        if self.empty_label.text() == before:
            self.empty_label.setText(self.empty_text)

    def fill(self, widget: QWidget) -> None:
        """Give `widget` all the room below the header."""
        in_column(widget, on=self.content)
        if isinstance(widget, Chart):
            widget.setAccessibleName(self._name)

    def reset_view(self) -> None:
        """Show everything again."""
        for chart in self.findChildren(Chart):
            chart.zoom_to(*chart.whole_x_range)

    def renew(self) -> None:
        """Draw all anew, in the theme's colours."""

    def add_entry(self, key: str, entry: LegendEntry) -> None:
        """Put an entry into the legend."""
        self.entries[key] = entry
        if key in self.explained:
            entry.explain(tr(self.explained[key]))
            self._explain()
        self.header.add_entry(entry, optional=entry.is_optional)

    def set_maximised(self, *, maximised: bool) -> None:
        """Tell the plot that it was given the whole room, or lost it."""
        self.is_maximised = maximised
        text = tr("Restore") if maximised else tr("Maximize")
        self.header.maximise.setToolTip(text)
        self.header.maximise.setAccessibleName(text)
        set_icon(self.header.maximise, "restore" if maximised else "maximise")

    @property
    def name(self) -> str:
        """What the plot shows, in a word."""
        return self._name

    @property
    def has_table(self) -> bool:
        """Whether `csv_text` has something to tell."""
        return False

    def csv_text(self) -> str:
        """The figures behind the plot: a heading, then a row for each moment."""
        raise NotImplementedError

    def toggle_maximised(self) -> None:
        """Ask for all the room, or give it back."""
        self.set_maximised(maximised=not self.is_maximised)
        self.maximise_toggled.emit(self.is_maximised)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What the header offers, for plots too narrow to show all of it."""
        self._pop_up(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the figures, or take and give back the room."""
        if event.matches(QKeySequence.StandardKey.Copy):
            copy_csv(self)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle_maximised()
        else:
            super().keyPressEvent(event)

    def make_menu(self) -> QMenu:
        """The menu of the plot: view, saving, size, and one entry for each series."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        needs_data = []
        if self.can_zoom:
            needs_data.append(menu.addAction(icon("reset"), tr("Reset zoom"), self.reset_view))
        needs_data += [
            menu.addAction(icon("save"), tr("Save plot…"), self.save_wanted.emit),
            menu.addAction(icon("copy"), tr("Copy as picture"), lambda: copy_picture(self)),
        ]
        if self.has_table:
            copy = menu.addAction(icon("copy"), tr("Copy as CSV"), lambda: copy_csv(self))
            _show_key(copy, QKeySequence(QKeySequence.StandardKey.Copy))
            markdown = menu.addAction(tr("Copy as Markdown"), lambda: copy_markdown(self))
            needs_data += (copy, markdown)
        for action in needs_data:
            action.setEnabled(not self.is_empty)
        menu.addAction(
            icon("info"),
            tr("What am I looking at?"),
            lambda: QWhatsThis.showText(QCursor.pos(), self.whatsThis(), self),
        )
        menu.addSeparator()
        sized = "restore" if self.is_maximised else "maximise"
        text = tr("Restore") if self.is_maximised else tr("Maximize")
        size = menu.addAction(icon(sized), text, self.toggle_maximised)
        _show_key(size, QKeySequence(Qt.Key.Key_Return))
        if self.can_hide:
            menu.addAction(icon("close"), tr("Hide plot"), self.hide_wanted.emit)
        menu.addSeparator()
        for entry in self.entries.values():
            toggle = menu.addAction(tr("Show {series}", series=entry.text()), entry.toggle)
            toggle.setCheckable(True)
            toggle.setChecked(entry.isChecked())
            toggle.setEnabled(entry.isEnabled())
            toggle.setToolTip(entry.about)
        return menu

    def _explain(self) -> None:
        """Answer what is looked at: what the plot shows, then each series once."""
        about = {entry.about: entry.text() for entry in self.entries.values() if entry.about}
        lines = [f"<b>{escape(self._name)}</b><br>{escape(tr(self.explained.get(PLOT, '')))}"]
        lines += [f"<b>{escape(name)}</b>: {escape(text)}" for text, name in about.items()]
        self.setWhatsThis("".join(f"<p>{line}</p>" for line in lines))

    def _pop_up(self, at: QPoint) -> None:
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def _show_menu_below(self) -> None:
        button = self.header.more
        self._pop_up(button.mapToGlobal(button.rect().bottomLeft()))


class RunsPlot(PlotFrame):
    """A plot of the runs that A and B show. It is drawn only while it is seen, and only where its
    `state` is another one than it was drawn for.
    """

    def __init__(self, name: str, empty_text: str, *, framed: bool = False) -> None:
        super().__init__(name, empty_text, framed=framed)
        self.records: dict[ArmLabel, RunRecord | None] = dict.fromkeys(ARMS)
        self.visible_arms: frozenset[ArmLabel] = frozenset(ARMS)
        self.time_range = TimeRange(self)
        self.zoom_to: Callable[[float, float], None] | None = None
        self._drawn: dict[str, object] = {}

    def state(self) -> dict[str, object]:
        """What it is drawn for: of both arms by their labels, and the rest."""
        raise NotImplementedError

    def _draw(self, stale: Collection[str]) -> None:
        """Draw the state; `stale` says what of it is another one."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Draw what the records have gained; cheap when there is nothing."""
        if self.isVisible() and (state := self.state()) != self._drawn:
            before, self._drawn = self._drawn, state
            self._draw([key for key in state if key not in before or state[key] != before[key]])

    def set_record(self, label: ArmLabel, record: RunRecord | None) -> None:
        """Show `record` as arm `label` from now on; None empties the arm."""
        self.records[label] = record
        self.refresh()

    def renew(self) -> None:
        """Draw all anew, after something other than its state has changed, as the theme."""
        self._drawn = {}
        self.refresh()

    def make_menu(self) -> QMenu:
        """The selected range, too: plots that name it have no room beside a maximized tab."""
        menu = super().make_menu()
        if self.time_range.seconds is not None:
            menu.addSeparator()
            if self.zoom_to is not None:
                zoom = partial(self.zoom_to, *self.time_range.seconds)
                menu.addAction(tr("Zoom to the selected range"), zoom)
            menu.addAction(tr("Clear the selected range (Esc)"), self.time_range.clear)
        return menu

    def set_visible_arms(self, arms: Collection[ArmLabel]) -> None:
        """Show only these arms."""
        self.visible_arms = frozenset(arms)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while it was hidden."""
        super().showEvent(event)
        self.refresh()


def _show_key(action: QAction, key: QKeySequence) -> None:
    # The plot itself listens to the key: the menu is made anew each time.
    action.setShortcut(key)
    action.setShortcutVisibleInContextMenu(True)
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
