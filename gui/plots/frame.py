"""What all plots share: a header, an empty state, pictures and a menu."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QStackedLayout, QVBoxLayout, QWidget

from modelmon.gui.icons import icon, set_icon
from modelmon.gui.plots.header import PlotHeader
from modelmon.gui.plots.pictures import PictureError, save_png, save_svg
from modelmon.gui.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent

    from modelmon.gui.plots.legend import LegendEntry
    from modelmon.gui.theme import Theme


class PlotFrame(QWidget):
    """A plot's frame. `maximise_toggled` asks the window for room; `notice` tells it what
    happened (a picture was saved, or could not be).
    """

    maximise_toggled = Signal(bool)
    notice = Signal(str)

    def __init__(self, name: str, empty_text: str, *, framed: bool = True) -> None:
        """Framed plots write their name above themselves; others leave it to a tab."""
        super().__init__()
        self.header = PlotHeader(name if framed else "")
        self.entries: dict[str, LegendEntry] = {}
        self._name = name
        self._maximised = False
        self.empty_label = QLabel(empty_text)
        self.empty_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty_label.setWordWrap(True)
        self.empty_label.setProperty("role", "label")
        self.content = QWidget()
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty_label)
        self._stack.addWidget(self.content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*((12, 2, 8, 4) if framed else (0, 2, 0, 0)))
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addLayout(self._stack, 1)
        if framed:
            self.setProperty("role", "panel")
            self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(name)
        self.header.reset.clicked.connect(self.reset_view)
        self.header.save.clicked.connect(self.ask_where_to_save)
        self.header.maximise.clicked.connect(self._toggle_maximised)
        self.show_empty(empty=True)
        manager().changed.connect(self._on_theme_changed)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw yet."""
        return self._stack.currentWidget() is self.empty_label

    def show_empty(self, *, empty: bool) -> None:
        """Say what will appear here, or show the plot."""
        self._stack.setCurrentWidget(self.empty_label if empty else self.content)
        for button in (self.header.reset, self.header.save):
            button.setEnabled(not empty)

    def reset_view(self) -> None:
        """Show everything again."""

    def apply_theme(self, theme: Theme) -> None:
        """Redraw in the theme's colours."""
        for entry in self.entries.values():
            entry.apply_theme(theme)

    def add_entry(self, key: str, entry: LegendEntry) -> None:
        """Put an entry into the legend."""
        self.entries[key] = entry
        self.header.add_entry(entry, optional=entry.is_optional)

    def set_maximised(self, *, maximised: bool) -> None:
        """Tell the plot that it was given the whole room, or lost it."""
        self._maximised = maximised
        text = "Restore" if maximised else "Maximise"
        self.header.maximise.setToolTip(text)
        self.header.maximise.setAccessibleName(text)
        set_icon(self.header.maximise, "restore" if maximised else "maximise")

    def save_png(self, path: Path) -> None:
        """Write the plot as it looks now, at twice the resolution. Raises PictureError."""
        save_png(self, path)

    def ask_where_to_save(self) -> None:
        """Ask for a file name and save the picture there."""
        dialog = QFileDialog(self, "Save picture", f"{self._name.lower()}.png")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["PNG (*.png)", "SVG (*.svg)"])
        dialog.setDefaultSuffix("png")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filterSelected.connect(
            lambda chosen: dialog.setDefaultSuffix("svg" if "svg" in chosen else "png")
        )
        dialog.fileSelected.connect(self._save_as)
        dialog.open()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Room for a legible plot."""
        return QSize(480, 256)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """The least room in which it still says something."""
        return QSize(244, 140)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """What the header offers, for plots too narrow to show all of it."""
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def make_menu(self) -> QMenu:
        """The menu of the plot: its buttons and its legend."""
        menu = QMenu(self)
        reset = menu.addAction(icon("reset"), "Show the whole axis again", self.reset_view)
        save = menu.addAction(icon("save"), "Save as picture…", self.ask_where_to_save)
        for action in (reset, save):
            action.setEnabled(not self.is_empty)
        name = "restore" if self._maximised else "maximise"
        menu.addAction(icon(name), name.capitalize(), self._toggle_maximised)
        menu.addSeparator()
        for entry in self.entries.values():
            toggle = menu.addAction(f"Show {entry.text()}", entry.toggle)
            toggle.setCheckable(True)
            toggle.setChecked(entry.isChecked())
            toggle.setEnabled(entry.isEnabled())
        return menu

    def _save_as(self, name: str) -> None:
        path = Path(name)
        try:
            if path.suffix.lower() == ".svg":
                save_svg(self, path)
            else:
                self.save_png(path)
        except PictureError as error:
            self.notice.emit(str(error))
        else:
            self.notice.emit(f"Saved {path}.")

    def _toggle_maximised(self) -> None:
        self.set_maximised(maximised=not self._maximised)
        self.maximise_toggled.emit(self._maximised)

    def _on_theme_changed(self) -> None:
        self.apply_theme(manager().theme)
