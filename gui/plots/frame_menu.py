"""The menu of a plot: all that its header offers where there is room, and more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from modelmon.gui.language import tr
from modelmon.gui.look.icons import icon
from modelmon.gui.plots.saving import copy_csv

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from modelmon.gui.plots.frame import PlotFrame


def plot_menu(plot: PlotFrame) -> QMenu:
    """View, saving, size, and one entry for each series of the legend."""
    menu = QMenu(plot)
    needs_data = [menu.addAction(icon("save"), tr("Save plot…"), plot.ask_where_to_save)]
    if plot.can_zoom:
        reset = menu.addAction(icon("reset"), tr("Show the whole axis again"), plot.reset_view)
        menu.insertAction(needs_data[0], reset)
        needs_data.append(reset)
    if plot.has_table:
        copy = menu.addAction(icon("copy"), tr("Copy as CSV"), lambda: copy_csv(plot))
        _show_key(copy, QKeySequence(QKeySequence.StandardKey.Copy))
        needs_data.append(copy)
    for action in needs_data:
        action.setEnabled(not plot.is_empty)
    _add_size(menu, plot)
    menu.addSeparator()
    for entry in plot.entries.values():
        toggle = menu.addAction(tr("Show {series}", series=entry.text()), entry.toggle)
        toggle.setCheckable(True)
        toggle.setChecked(entry.isChecked())
        toggle.setEnabled(entry.isEnabled())
    return menu


def pop_up(plot: PlotFrame, at: QPoint) -> None:
    """Show the menu at a point of the screen."""
    menu = plot.make_menu()
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(at)


def _add_size(menu: QMenu, plot: PlotFrame) -> None:
    menu.addSeparator()
    text = tr("Restore") if plot.is_maximised else tr("Maximise")
    drawing = icon("restore" if plot.is_maximised else "maximise")
    _show_key(menu.addAction(drawing, text, plot.toggle_maximised), QKeySequence(Qt.Key.Key_Return))
    if plot.can_hide:
        menu.addAction(icon("close"), tr("Hide this plot"), plot.hide_wanted.emit)


def _show_key(action: QAction, key: QKeySequence) -> None:
    # The plot itself listens to the key: the menu is made anew each time.
    action.setShortcut(key)
    action.setShortcutVisibleInContextMenu(True)
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
