"""The settings of the window, each in force as soon as it is changed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QListWidget,
    QPushButton,
    QSpinBox,
    QWidget,
)
from shiboken6 import isValid

from modelmon.core.data_folder import stored_bytes
from modelmon.core.history.events import KEPT_BYTES
from modelmon.core.units import size_text, size_units, use_size_units
from modelmon.gui.language import LANGUAGES, said, tr
from modelmon.gui.session.run_words import cache_choices
from modelmon.gui.session.session import MAX_REPEATS
from modelmon.gui.session.settings import SAMPLE_RATES_HZ, Preferences
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import ButtonRow, Dialog, resize_on_screen, scrolled_form
from modelmon.gui.widgets.file_dialog import FileDialog
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, icon_button, label, plain, styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.errors import ModelmonError
    from modelmon.core.history.history import History
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.language import Language
    from modelmon.gui.session.session import Session
    from modelmon.gui.shell.main_window import MainWindow

_WIDTH_PX = 600
_GROUP_GAP_PX = 12
_ROW_PX = 32
_HEIGHT_PX = 72


class FolderList(QWidget):
    """`changed` carries all folders, in their order."""

    changed = Signal(tuple)

    def __init__(self, name: str) -> None:
        """`name` is what the list is called by a screen reader."""
        super().__init__()
        self.list = styled(QListWidget(), "list")
        self.list.setAccessibleName(name)
        self.list.setFixedHeight(_HEIGHT_PX)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add = icon_button("open", tr("Add a folder…"))
        self.remove = icon_button("remove", tr("Remove the selected folder"))
        texts = in_column(self.list, spacing=2)
        texts.addWidget(label(tr("Searched in addition to the usual model caches"), "hint"))
        buttons = in_column(self.add, self.remove, STRETCH)
        in_row((texts, 1), buttons, on=self)
        self.add.clicked.connect(self._ask)
        self.remove.clicked.connect(self._remove)
        self.list.itemSelectionChanged.connect(self._judge)
        self._judge()

    @property
    def folders(self) -> tuple[str, ...]:
        """What is listed."""
        return tuple(self.list.item(row).text() for row in range(self.list.count()))

    def show_folders(self, folders: tuple[str, ...]) -> None:
        """List these, without telling anybody."""
        if folders != self.folders:
            self.list.clear()
            for folder in folders:
                self.list.addItem(folder)
                self.list.item(self.list.count() - 1).setToolTip(plain(folder))
            self._judge()

    def add_folder(self, folder: str) -> None:
        """List one more; one that is listed already stays where it is."""
        path = str(Path(folder))
        if path not in self.folders:
            self.show_folders((*self.folders, path))
            self.changed.emit(self.folders)

    def _ask(self) -> None:
        dialog = FileDialog(self, tr("Add a folder"), str(Path.home()), "folder")
        dialog.chosen.connect(self.add_folder)
        dialog.open()

    def _remove(self) -> None:
        for item in self.list.selectedItems():
            self.list.takeItem(self.list.row(item))
        self.changed.emit(self.folders)
        self._judge()

    def _judge(self) -> None:
        chosen = bool(self.list.selectedItems())
        self.remove.setEnabled(chosen)
        self.remove.setToolTip(
            tr("Remove the selected folder") if chosen else tr("Select a folder first.")
        )


class HistoryRow(QWidget):
    """Looks once when it is made, on the history's own thread; it may be gone at the answer."""

    def __init__(self, access: HistoryAccess) -> None:
        super().__init__()
        self.place = ElidedLabel("value")
        self.amount = label("", "hint")
        self.open = QPushButton(tr("Open folder"))
        self.open.setAccessibleName(tr("Open history folder"))
        self.open.setEnabled(False)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.place, 0, 0)
        grid.addWidget(self.amount, 1, 0)
        grid.addWidget(self.open, 0, 1, 2, 1)
        access.ask(_look, self._show, self._on_failed)

    def _show(self, seen: tuple[Path, int | None]) -> None:
        if not isValid(self):
            return
        folder, nbytes = seen
        self.place.set_whole(str(folder))
        self.open.setEnabled(nbytes is not None)
        if nbytes is None:
            self.amount.setText(tr("Nothing saved yet."))
            self.open.setToolTip(tr("The folder is created by the first run."))
            return
        self.amount.setText(
            tr(
                "{size} used; oldest recordings are deleted above {limit}",
                size=size_text(nbytes),
                limit=size_text(KEPT_BYTES),
            )
        )
        url = QUrl.fromLocalFile(str(folder))
        self.open.clicked.connect(partial(QDesktopServices.openUrl, url))

    def _on_failed(self, error: ModelmonError) -> None:
        if not isValid(self):
            return
        self.amount.setText(said(error.text))
        self.open.setToolTip(said(error.text))


def _look(history: History) -> tuple[Path, int | None]:
    return history.folder, stored_bytes(history.folder)


class SettingsDialog(Dialog):
    """`changed` carries the Preferences after each change; Cancel puts back those before."""

    changed = Signal(Preferences)
    restart_wanted = Signal()

    def __init__(
        self,
        preferences: Preferences,
        shown_language: Language,
        history: HistoryAccess,
        parent: QWidget | None = None,
    ) -> None:
        """`shown_language` is that of the window since it was started."""
        super().__init__(tr("Settings"), parent, least_width_px=_WIDTH_PX)
        self.preferences = self._before = preferences
        self._shown_language = shown_language
        self._make_fields()
        self.history = HistoryRow(history)
        self._sheet = QWidget()
        form = self._form()
        form.setContentsMargins(0, 0, 0, 0)
        self._sheet.setLayout(form)
        self._area = scrolled_form(self._sheet)
        column = in_column((self._area, 1), on=self, margins=(24, 16, 24, 16), spacing=8)
        column.addSpacing(_GROUP_GAP_PX)
        column.addLayout(self._buttons())
        self._show()
        self._fit()

    def follow(self, session: Session) -> None:
        """What a run depends on stays as it is while the session is busy."""
        self._session = session
        # A method, not a closure: its connection ends with the dialog.
        session.activity_changed.connect(self._lock)
        self._lock()

    def use(self, preferences: Preferences) -> None:
        """Show these and put them into force."""
        if preferences != self.preferences:
            self.preferences = preferences
            self._show()
            self.changed.emit(preferences)

    def reject(self) -> None:
        """Put everything back as it was."""
        self.use(self._before)
        super().reject()

    def _restart(self) -> None:
        self.accept()
        self.restart_wanted.emit()

    def _lock(self) -> None:
        reason = tr("Wait until the current task is done.") if self._session.busy else ""
        for field in (self.cache, self.repeats, self.sample_hz, self.restart):
            field.setEnabled(not reason)
            field.setToolTip(reason)

    def _make_fields(self) -> None:
        self.mode = Segments(
            tr("Appearance"),
            (("system", tr("System")), ("light", tr("Light")), ("dark", tr("Dark"))),
        )
        self.units = Segments(
            tr("Units"), (("decimal", tr("GB (1000 MB)")), ("binary", tr("GiB (1024 MiB)")))
        )
        self.cache = Segments(
            tr("Page cache"),
            cache_choices(),
        )
        self.language = QComboBox()
        for value, name in LANGUAGES.items():
            self.language.addItem(tr("System") if value == "system" else name, value)
        self.restart = QPushButton(tr("Restart now"))
        self.restart.clicked.connect(self._restart)
        self.repeats = QSpinBox()
        self.repeats.setRange(1, MAX_REPEATS)
        self.repeats.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sample_hz = QComboBox()
        for rate in SAMPLE_RATES_HZ:
            self.sample_hz.addItem(tr("{rate} per second", rate=f"{rate:g}"), rate)
        self.model_folders = FolderList(tr("More model folders"))
        self.notify = QCheckBox(tr("Notify me when a long task ends in the background"))
        for name, choice in (("mode", self.mode), ("units", self.units), ("cache", self.cache)):
            choice.chosen.connect(lambda value, name=name: self._set(name, value))
        for name, box in (("language", self.language), ("sample_hz", self.sample_hz)):
            box.activated.connect(lambda at, name=name, box=box: self._set(name, box.itemData(at)))
        self.repeats.valueChanged.connect(lambda value: self._set("repeats", value))
        self.model_folders.changed.connect(lambda value: self._set("model_folders", value))
        self.notify.toggled.connect(lambda value: self._set("notify", value))

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(8)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        _add_heading(form, tr("Window"))
        _add(form, tr("Appearance"), self.mode)
        _add(form, tr("Language"), self.language, tr("Takes effect after restart"), self.restart)
        _add(form, tr("Units"), self.units)
        _add(form, "", self.notify)
        _add_heading(form, tr("Measuring"))
        _add(form, tr("Page cache"), self.cache)
        _add(form, tr("Repeats"), self.repeats)
        _add(form, tr("Samples"), self.sample_hz, tr("Machine and load figures during the run"))
        _add_heading(form, tr("Folders"))
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        _add(form, tr("More models"), self.model_folders)
        _add(form, tr("History"), self.history)
        return form

    def _fit(self) -> None:
        """As large as the form, as far as the screen is."""
        self.ensurePolished()
        sheet_px = self._sheet.sizeHint()
        bar_px = self._area.verticalScrollBar().sizeHint().width()
        frame_px = 2 * self._area.frameWidth()
        self._area.setMinimumWidth(sheet_px.width() + bar_px + frame_px)
        around_px = self.sizeHint().height() - self._area.sizeHint().height()
        resize_on_screen(self, _WIDTH_PX, sheet_px.height() + frame_px + around_px)

    def _buttons(self) -> ButtonRow:
        self.defaults = QPushButton(tr("Restore defaults"))
        self.defaults.setToolTip(tr("Reset all settings; folders are kept"))
        self.defaults.clicked.connect(self._use_defaults)
        self.ok = styled(QPushButton(tr("OK")), "primary")
        self.ok.setDefault(True)
        self.ok.clicked.connect(self.accept)
        return ButtonRow(self, tr("Cancel"), (self.ok,), (self.defaults,))

    def _use_defaults(self) -> None:
        here, usual = self.preferences, Preferences.usual()
        kept = replace(usual, model_folders=here.model_folders)
        if not self.cache.isEnabled():
            kept = replace(kept, cache=here.cache, repeats=here.repeats, sample_hz=here.sample_hz)
        self.use(kept)

    def _set(self, name: str, value: Any) -> None:
        self.use(replace(self.preferences, **{name: value}))

    def _show(self) -> None:
        here = self.preferences
        self.mode.set_value(here.mode)
        self.units.set_value(here.units)
        self.cache.set_value(here.cache)
        self.language.setCurrentIndex(self.language.findData(here.language))
        self.restart.setVisible(here.language != self._shown_language)
        self.sample_hz.setCurrentIndex(self.sample_hz.findData(here.sample_hz))
        self.repeats.setValue(here.repeats)
        self.model_folders.show_folders(here.model_folders)
        self.notify.setChecked(here.notify)


def _add_heading(form: QFormLayout, text: str) -> None:
    heading = label(text, "heading")
    if form.rowCount():
        heading.setContentsMargins(0, _GROUP_GAP_PX, 0, 0)
    form.addRow(heading)


def _add(form: QFormLayout, name: str, field: QWidget, hint: str = "", *after: QWidget) -> None:
    if name:
        field.setAccessibleName(name)
    row: QWidget = field
    if hint:
        row = QWidget()
        in_row(field, label(hint, "hint"), *after, on=row, spacing=12)
        field.setAccessibleDescription(hint)
    beside_name = label(name, "label")
    if name:
        beside_name.setMinimumHeight(_ROW_PX)
    form.addRow(beside_name, row)


class PreferencesController(QObject):
    """Keeps a window, its settings and the dialog in step; `model_folders_changed` is for who
    looks for models.
    """

    model_folders_changed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settings = window.settings
        self._language = window.settings.language
        session = window.session
        session.chosen_cache = self._settings.cache
        session.set_repeats(self._settings.repeats)
        session.sample_hz = self._settings.sample_hz

    def ask(self) -> SettingsDialog:
        """Open the settings."""
        window, here = self._window, self._window.session
        in_force = replace(
            Preferences.stored(self._settings),
            # Another window may have stored its own.
            mode=manager().mode,
            units=size_units(),
            cache=here.chosen_cache,
            repeats=here.repeats,
            sample_hz=here.sample_hz,
        )
        dialog = SettingsDialog(in_force, self._language, window.history, window)
        dialog.changed.connect(self.use)
        dialog.restart_wanted.connect(window.restart)
        dialog.finished.connect(lambda _: self._settings.save())
        dialog.follow(window.session)
        dialog.open()
        return dialog

    def use(self, wanted: Preferences) -> None:
        """Store these and put them into force, except for the language of a window."""
        window, session = self._window, self._window.session
        before = Preferences.stored(self._settings)
        wanted.store(self._settings)
        manager().set_mode(wanted.mode)
        window.refresh_checks()
        session.sample_hz = wanted.sample_hz
        # Any change of them puts away what speaks of the runs as they were set.
        if not session.busy and wanted.cache != session.chosen_cache:
            session.set_cache(wanted.cache)
        if not session.busy and wanted.repeats != session.repeats:
            session.set_repeats(wanted.repeats)
        if wanted.units != size_units():
            use_size_units(wanted.units)
            self._tell_quantities_anew()
        if wanted.model_folders != before.model_folders:
            self.model_folders_changed.emit()

    def _tell_quantities_anew(self) -> None:
        window, session = self._window, self._window.session
        session.settings_changed.emit()
        session.runs_changed.emit()
        session.races.changed.emit()
        if window.is_furnished:
            window.workspace.renew()
        window.side.renew()
        # The doctor's sentences are written by another process.
        window.machine.look()
        for view in window.findChildren(QAbstractItemView):
            view.viewport().update()
