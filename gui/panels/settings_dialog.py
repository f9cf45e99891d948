"""The settings of the window, each in force as soon as it is changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QPushButton,
    QSpinBox,
    QWidget,
)

from modelmon.gui.look.language import LANGUAGES, tr
from modelmon.gui.look.layout import in_column, in_row
from modelmon.gui.look.screen_room import resize_on_screen
from modelmon.gui.look.styling import label, styled
from modelmon.gui.measuring.narration import cache_choices
from modelmon.gui.panels.button_row import ButtonRow
from modelmon.gui.panels.folder_list import FolderList
from modelmon.gui.panels.runs.history_row import HistoryRow
from modelmon.gui.panels.scrolled import scrolled_form
from modelmon.gui.panels.segments import Segments
from modelmon.gui.session import MAX_REPEATS
from modelmon.gui.settings.settings import SAMPLE_RATES_HZ, Preferences

if TYPE_CHECKING:
    from modelmon.gui.history.access import HistoryAccess
    from modelmon.gui.session import Session

_WIDTH_PX = 600
_GROUP_GAP_PX = 12
_ROW_PX = 32


class SettingsDialog(QDialog):
    """`changed` carries the Preferences after each change; Cancel puts back those before."""

    changed = Signal(Preferences)

    def __init__(
        self, preferences: Preferences, history: HistoryAccess, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Settings"))
        self.setMinimumWidth(_WIDTH_PX)
        self.preferences = self._before = preferences
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

    def _lock(self) -> None:
        reason = tr("Wait until the current task is done.") if self._session.busy else ""
        for field in (self.cache, self.repeats, self.sample_hz):
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
        _add(form, tr("Language"), self.language, tr("Takes effect after restart"))
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
        self.sample_hz.setCurrentIndex(self.sample_hz.findData(here.sample_hz))
        self.repeats.setValue(here.repeats)
        self.model_folders.show_folders(here.model_folders)
        self.notify.setChecked(here.notify)


def _add_heading(form: QFormLayout, text: str) -> None:
    heading = label(text, "heading")
    if form.rowCount():
        heading.setContentsMargins(0, _GROUP_GAP_PX, 0, 0)
    form.addRow(heading)


def _add(form: QFormLayout, name: str, field: QWidget, hint: str = "") -> None:
    if name:
        field.setAccessibleName(name)
    row: QWidget = field
    if hint:
        row = QWidget()
        in_row(field, label(hint, "hint"), on=row, spacing=12)
        field.setAccessibleDescription(hint)
    beside_name = label(name, "label")
    if name:
        beside_name.setMinimumHeight(_ROW_PX)
    form.addRow(beside_name, row)
