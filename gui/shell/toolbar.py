"""The bar under the menus: open, the model, cache and repeats, and what can be run."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolBar,
    QToolButton,
    QWidget,
)

from modelmon.core.cluster.on_ray import missing
from modelmon.core.units import size_text
from modelmon.gui.cluster.cluster_words import place_text
from modelmon.gui.language import mark, tr
from modelmon.gui.session import run_words
from modelmon.gui.session.session import LABELS, MAX_REPEATS
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.styling import keyless, label, plain, push_button, styled
from modelmon.gui.widgets.theme import set_icon

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
_RUNNING = mark("Wait until the current task is done.")
_FORMS = ((True, True, 220), (True, False, 220), (True, False, 130), (False, False, 130))
"""Whether icons and fields have words, whether the model's size is told; the room of its name, px:
the first that fits.
"""
_BUTTONS = {
    "run_a": "",
    "run_b": "",
    "compare": "primary",
    "best": "",
    "watch": "",
    "cluster": "",
    "stop": "stop",
    "export": "",
}
"""Commands in the bar, with the roles of their buttons; what has no room is behind its arrow."""


class Toolbar(QToolBar):
    """Shows and changes what a comparison depends on; its commands are the window's actions."""

    def __init__(self, session: Session, actions: dict[str, QAction], recents: QMenu) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT_PX)
        self.setAccessibleName(tr("Toolbar"))
        self._session = session
        self._model = ("", "", "")
        self.open = _open_button(actions, recents)
        self.chip = _model_chip(recents)
        self.cache = Segments(tr("Cache"), run_words.cache_choices())
        self.repeats = QSpinBox()
        self.repeats.setRange(1, MAX_REPEATS)
        self.repeats.setAccessibleName(tr("Repeats"))
        self.repeats.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.repeats.setFixedWidth(60)
        # Few have a cluster: without Ray it is in the menu, with the reason.
        names = [name for name in _BUTTONS if name != "cluster" or not missing()]
        self.buttons = {name: _command_button(actions[name], name) for name in names}
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
        # Nothing is exported while something can be stopped.
        for name in ("stop", "export"):
            self._in_bar[name].setVisible((name == "stop") == session.busy)
        self._model = model_text(session)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A wide one says more of the model and of the fields."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Say all, or without what the model has in it, or little, so that each command is seen."""
        row = self.layout()
        assert row is not None
        for is_wide, has_detail, name_px in _FORMS:
            self._shorten(name_px, is_wide=is_wide, has_detail=has_detail)
            row.invalidate()  # buttons that had no room don't do that
            if row.sizeHint().width() <= self.width():
                break

    def _shorten(self, name_px: int, *, is_wide: bool, has_detail: bool) -> None:
        for words in self._words:
            words.setVisible(is_wide)
        # A word without its icon says all; an icon without its word does not.
        styles = Qt.ToolButtonStyle
        style = styles.ToolButtonTextBesideIcon if is_wide else styles.ToolButtonTextOnly
        for button in self.buttons.values():
            button.setText(f"{' ' if is_wide else ''}{button.text().strip()}")
            button.setToolButtonStyle(style)
        name, detail, path = self._model
        middle, metrics = Qt.TextElideMode.ElideMiddle, self.chip.fontMetrics()
        shown = keyless(metrics.elidedText(name, middle, name_px))
        self.chip.setText(f" {shown}   {detail}" if detail and has_detail else f" {shown}")
        self.chip.setToolTip(plain(f"{path}\n{detail}".strip()) or tr("Recent models"))
        self.chip.setAccessibleName(tr("Model: {model}", model=f"{name} {detail}".strip()))

    def _fill(self) -> None:
        for control in (self.open, self.chip, self.cache, self.repeats, *self.buttons.values()):
            control.setMaximumHeight(_CONTROL_PX)
        for button in (self.open, self.chip, *self.buttons.values()):
            button.setProperty("snug", True)
            # A click must not move the keyboard to a button that it is about to disable.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._words: list[QAction] = []
        row: tuple[QWidget | str, ...] = (
            *(self.open, self.chip, tr("Cache"), self.cache, tr("Repeats"), self.repeats, room),
        )
        for part in row:
            if isinstance(part, str):
                self._words.append(self.addWidget(label(part, "label")))
            else:
                self.addWidget(part)
        # Qt's own icon is as dark as ours are light.
        for extension in self.findChildren(QToolButton, "qt_toolbar_ext_button"):
            extension.setToolTip(tr("More"))
            set_icon(extension, "more")
        self._in_bar = {name: self.addWidget(button) for name, button in self.buttons.items()}

    def _choose_cache(self, value: str) -> None:
        self._session.set_cache(next(cache for cache in run_words.CACHES if cache == value))


def _command_button(action: QAction, name: str) -> QToolButton:
    """An action as a button with a role and an icon colour of its own."""
    role = _BUTTONS[name]
    button = styled(QToolButton(), role) if role else QToolButton()
    button.setText(f" {action.text()}")
    button.setAccessibleName(action.text().rstrip("…"))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    colour = {"primary": "ink_text", "stop": "bad"}.get(role, "text")
    set_icon(button, name.partition("_")[0], colour)
    button.clicked.connect(action.trigger)

    def follow() -> None:
        button.setEnabled(action.isEnabled())
        button.setToolTip(action.toolTip())

    action.changed.connect(follow)
    follow()
    return button


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
    button = push_button(f"{tr('Open')}   ", "open")
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
