"""The bar under the menus: open, the model, cache and repeats, and what can be run."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from modelmon.core.cluster.on_ray import missing
from modelmon.core.units import size_text
from modelmon.gui.cluster.cluster_words import place_text
from modelmon.gui.language import mark, tr
from modelmon.gui.session import run_words
from modelmon.gui.session.session import LABELS, MAX_REPEATS
from modelmon.gui.widgets.icons import set_icon
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.segments import Segments
from modelmon.gui.widgets.styling import keyless, label, plain, push_button, rule, styled

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from modelmon.gui.session.session import Session

HEIGHT_PX = 47  # and a rule of 1 px below
_CONTROL_PX = 32
_CACHE_HELP = {
    "cold": mark("Evict the file from the page cache before each run"),
    "warm": mark("Read the file into the page cache before each run"),
    "as-is": mark("Leave the page cache unchanged"),
}
_REPEATS_HELP = mark("Most runs per strategy; stops at 5 or later once clear")
_OPEN_SPACE = "   "
"""For the arrow of its menu."""
_RUNNING = mark("Wait until the current task is done.")
_NAME_PX, _SHORT_NAME_PX = 220, 110
_NAME_BESIDE_DETAIL_PX = 150
"""The least width of a long name that has size and blocks beside it."""


class Toolbar(QWidget):
    """Shows and changes what a comparison depends on; its commands are the window's actions."""

    def __init__(self, session: Session, actions: dict[str, QAction], recents: QMenu) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT_PX)
        self.setAccessibleName(tr("Toolbar"))
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self._session = session
        self._model = ("", "", "")
        self.open = _open_button(actions, recents)
        self.chip = _model_chip(recents)
        self.cache = Segments(tr("Cache"), run_words.cache_choices())
        self.repeats = QSpinBox()
        self.repeats.setRange(1, MAX_REPEATS)
        self.repeats.setAccessibleName(tr("Repeats"))
        self.repeats.setAlignment(Qt.AlignmentFlag.AlignCenter)
        roles = {
            "run_a": "",
            "run_b": "",
            "compare": "primary",
            "best": "",
            "watch": "",
            "cluster": "",
            "stop": "stop",
            "export": "",
        }
        self.buttons = {
            name: ActionButton(actions[name], name.partition("_")[0], role)
            for name, role in roles.items()
        }
        # Few have a cluster: without Ray it is in the menu, with the reason.
        self.offers_cluster = not missing()
        self._labels = (label(tr("Cache"), "label"), label(tr("Repeats"), "label"))
        self._fill()
        self.cache.chosen.connect(self._choose_cache)
        self.repeats.valueChanged.connect(session.set_repeats)
        session.settings_changed.connect(self.refresh)
        session.activity_changed.connect(self.refresh)
        session.model_changed.connect(self.refresh)
        session.clusters.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the session's settings and model."""
        session = self._session
        self.cache.set_value(session.cache)
        self.repeats.blockSignals(True)
        self.repeats.setValue(session.repeats)
        self.repeats.blockSignals(False)
        for field in (self.cache, self.repeats, self.open, self.chip):
            field.setEnabled(not session.busy)
        for value, text in _CACHE_HELP.items():
            self.cache.button(value).setToolTip(tr(_RUNNING if session.busy else text))
        self.cache.button("cold").setEnabled(not session.in_memory)
        if session.in_memory and not session.busy:
            self.cache.button("cold").setToolTip(tr(run_words.IN_MEMORY))
        self.repeats.setToolTip(tr(_RUNNING if session.busy else _REPEATS_HELP))
        self.open.setToolTip(tr(_RUNNING) if session.busy else tr("Open a model or a recording"))
        # All else is as wide as before.
        if (model := model_text(session)) != self._model:
            self._model = model
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what there is no room for: of the model's name first, words after it."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        cache_label, repeats_label = self._labels
        for level in range(8):
            for name in ("stop", "export"):
                self.buttons[name].show_text(level < 3)
            # What it offers says what it is.
            cache_label.setVisible(level < 2)
            repeats_label.setVisible(level < 4)
            self.buttons["cluster"].setVisible(self.offers_cluster and level < 6)
            self.buttons["cluster"].show_text(level < 1)
            for name in ("best", "watch"):
                self.buttons[name].show_text(level < 5)
            for name, arm in (("run_a", "A"), ("run_b", "B")):
                self.buttons[name].say(arm if level > 5 else "")
            self.buttons["compare"].say("A/B" if level > 6 else "")
            self.open.setText(_OPEN_SPACE if level > 5 else f" {tr('Open')}{_OPEN_SPACE}")
            detailed = level == 0
            self._show_model(_NAME_PX, detailed=detailed)
            room = self._room()
            if room < 0:
                least = _NAME_BESIDE_DETAIL_PX if detailed else _SHORT_NAME_PX
                self._show_model(max(least, self._name_px() + room), detailed=detailed)
                room = self._room()
            if room >= 0:
                break
        # Showing a part lays all out at once: what was only tried must not be seen.
        self._row.activate()

    def _name_px(self) -> int:
        return min(_NAME_PX, self.chip.fontMetrics().horizontalAdvance(self._model[0]))

    def _room(self) -> int:
        self._row.invalidate()
        return self.width() - self._row.minimumSize().width()

    def _fill(self) -> None:
        cache_label, repeats_label = self._labels
        run_a, run_b, compare, best, watch, cluster, stop, export = self.buttons.values()
        controls = (self.open, self.chip, self.cache, self.repeats, *self.buttons.values())
        for control in controls:
            control.setMaximumHeight(_CONTROL_PX)
        for button in (self.open, self.chip, *self.buttons.values()):
            button.setProperty("snug", True)
            # A click must not move the keyboard to a button that it is about to disable.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.repeats.setMaximumWidth(72)
        self._row = in_row(on=self, margins=(12, 0, 12, 0), spacing=8)
        for widget in (self.open, self.chip, rule(vertical=True), cache_label, self.cache):
            self._row.addWidget(widget)
        self._row.addWidget(repeats_label)
        self._row.addWidget(self.repeats)
        self._row.addStretch(1)
        line = rule(vertical=True)
        for widget in (run_a, run_b, compare, best, watch, cluster, stop, line, export):
            self._row.addWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def _show_model(self, width_px: int, *, detailed: bool) -> None:
        name, detail, path = self._model
        middle = Qt.TextElideMode.ElideMiddle
        shown = keyless(self.chip.fontMetrics().elidedText(name, middle, width_px))
        self.chip.setText(f" {shown}   {detail}" if detail and detailed else f" {shown}")
        self.chip.setToolTip(plain(f"{path}\n{detail}".strip()) or tr("Recent models"))
        self.chip.setAccessibleName(tr("Model: {model}", model=f"{name} {detail}".strip()))

    def _choose_cache(self, value: str) -> None:
        self._session.set_cache(next(cache for cache in run_words.CACHES if cache == value))


class ActionButton(QToolButton):
    """An action as a button with a role and an icon colour of its own."""

    def __init__(self, action: QAction, icon_name: str, role: str = "") -> None:
        super().__init__()
        if role:
            styled(self, role)
        self._action = action
        self.say("")
        self.setAccessibleName(action.text().rstrip("…"))
        self.show_text(shown=True)
        set_icon(self, icon_name, {"primary": "ink_text", "stop": "bad"}.get(role, "text"))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def say(self, short: str) -> None:
        """Say this in place of the action's name; empty says that again."""
        self.setText(f" {short or self._action.text()}")

    def show_text(self, shown: bool) -> None:
        """Show icon and text, or the icon alone."""
        style = Qt.ToolButtonStyle
        self.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if shown else style.ToolButtonIconOnly
        )

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(self._action.toolTip())


def model_text(session: Session) -> tuple[str, str, str]:
    """Name, size and place of what is shown: a model, or a recording of one."""
    if session.inspection is not None:
        model = session.inspection.model
        size, blocks = size_text(model.nbytes), f"{len(model.blocks):,}"
        detail = tr("{size} · {blocks} blocks", size=size, blocks=blocks)
        return model.name, detail, session.inspection.reference
    if session.empty and session.clusters.known:
        path = session.clusters.path
        return PurePath(path).name or tr("Cluster"), place_text(session.clusters), path
    if session.comparison is not None:
        return session.comparison.model.name, tr("saved comparison"), session.comparison.path
    shown = [session.record(label) for label in LABELS]
    for record in (*(run.record for run in reversed(session.runs)), *shown):
        if record is not None and record.planned is not None:
            planned = record.planned
            detail = tr("{size} · recording", size=size_text(planned.model_bytes))
            return planned.model_name, detail, ""
    return tr("No model"), "", ""


def _open_button(actions: dict[str, QAction], recents: QMenu) -> QPushButton:
    button = push_button(f"{tr('Open')}{_OPEN_SPACE}", "open")
    menu = QMenu(button)
    menu.addActions([actions[name] for name in ("open_file", "open_folder", "open_on_server")])
    menu.addMenu(recents)
    menu.addSeparator()
    menu.addAction(actions["open_recording"])
    button.setMenu(menu)
    return button


def _model_chip(recents: QMenu) -> QToolButton:
    chip = styled(QToolButton(), "model")
    set_icon(chip, "model")
    chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    chip.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    chip.setMenu(recents)
    return chip
