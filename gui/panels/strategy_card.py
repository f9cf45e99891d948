"""The card of one arm: its strategy, its axes, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import AXES
from modelmon.core.load.libraries import registry
from modelmon.core.load.strategies import (
    strategy,
    strategy_name,
    strategy_names,
    strategy_obstacle,
)
from modelmon.gui.card_view import card_view
from modelmon.gui.panels.axis_chips import AxisChips
from modelmon.gui.session import other_arm
from modelmon.gui.styling import ElidedLabel, icon_button, label, restyle, styled

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.card_view import CardView, Metric
    from modelmon.gui.session import Session
    from modelmon.gui.slot import ArmLabel

HEIGHT_PX = 128
_CUSTOM = "custom"
_OWN_CHOICE = "Your own choice of axes."
_GAP_PX = 14
_NO_ROOM_FOR_SENTENCE_PX = 400
_LOCKED = "The settings cannot change while a run is under way."


class StrategyCard(QFrame):
    """Shows one arm of the session and edits its configuration."""

    log_wanted = Signal()

    def __init__(self, session: Session, arm: ArmLabel) -> None:
        super().__init__()
        styled(self, "card", arm=arm)
        self.setAccessibleName(f"Strategy {arm}")
        self.setFixedHeight(HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._session, self._arm = session, arm
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        column.addLayout(self._strategy_row())
        self.chips = AxisChips(arm)
        self.chips.edited.connect(self._set_axis)
        column.addWidget(self.chips)
        self.outcome = _Outcome(arm)
        column.addWidget(self.outcome, 1)
        session.settings_changed.connect(self.show_settings)
        session.model_changed.connect(self._show_obstacles)
        session.activity_changed.connect(self.refresh)
        session.runs_changed.connect(self.refresh)
        self._show_obstacles()
        self.show_settings()

    def show_settings(self) -> None:
        """Show the arm's configuration and what that means for its results."""
        config = self._session.config(self._arm)
        name = strategy_name(config)
        self.preset.setCurrentIndex(max(0, self.preset.findText(name)))
        own = name == _CUSTOM
        self.sentence.set_whole(_OWN_CHOICE if own else strategy(name).when_it_wins)
        self.chips.show_config(config, self._session.config(other_arm(self._arm)))
        self.refresh()

    def refresh(self) -> None:
        """Show the figures of now; called for each frame while a run is under way."""
        locked = _LOCKED if self._session.busy else ""
        self.preset.setEnabled(not locked)
        self.preset.setToolTip(locked)
        self.menu_button.setEnabled(not locked)
        self.chips.lock(locked)
        self.outcome.show_view(card_view(self._session, self._arm))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """The sentence is the first to go where there is no room."""
        super().resizeEvent(event)
        self.sentence.setVisible(event.size().width() >= _NO_ROOM_FOR_SENTENCE_PX)

    def _strategy_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        badge = styled(QLabel(self._arm), "badge", arm=self._arm)
        badge.setFixedSize(20, 20)
        self.preset = _preset_box(self._arm)
        self.preset.activated.connect(self._choose_preset)
        self.sentence = ElidedLabel("label")
        self.menu_button = icon_button("more", f"More settings for {self._arm}")
        self.menu_button.clicked.connect(self._open_menu)
        row.addWidget(badge)
        row.addWidget(self.preset)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.menu_button, 0, Qt.AlignmentFlag.AlignRight)
        return row

    def _choose_preset(self, at: int) -> None:
        name = self.preset.itemText(at)
        if name != _CUSTOM:
            self._session.set_preset(self._arm, name)

    def _show_obstacles(self) -> None:
        """Libraries that cannot load this model here are there, and say why not."""
        preflight = self._session.preflight
        items = self.preset.model()
        assert isinstance(items, QStandardItemModel)
        for at in range(items.rowCount()):
            item = items.item(at)
            if item.text() in registry.names():
                model = preflight.model if preflight else None
                reason = strategy_obstacle(item.text(), model)
                item.setEnabled(not reason)
                item.setToolTip(reason or strategy(item.text()).when_it_wins)

    def _set_axis(self, axis: str, text: str) -> None:
        try:
            self._session.set_axis(self._arm, axis, text)
        except ConfigError as error:
            self._session.log(str(error), "error")

    def card_menu(self) -> QMenu:
        """Everything that can be done with this arm's settings."""
        other = other_arm(self._arm)
        menu = QMenu(self)
        menu.addAction(
            "All axes…", lambda: self.chips.edit(self.menu_button, "all axes", tuple(AXES))
        )
        menu.addSeparator()
        menu.addAction(f"Copy to {other}", lambda: self._session.copy_to_other(self._arm))
        menu.addAction("Swap A and B", self._session.swap)
        menu.addAction(f"Reset {self._arm}", lambda: self._session.reset(self._arm))
        return menu

    def _open_menu(self) -> None:
        menu = self.card_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))


class _Outcome(QWidget):
    """The third row: result, metrics and pill."""

    def __init__(self, arm: ArmLabel) -> None:
        super().__init__()
        self._arm = arm
        self._shown = 0
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP_PX)
        self.result = label("", "result")
        self.message = ElidedLabel("value")
        self.metrics = [_MetricLabel() for _ in range(4)]
        self.pill = styled(QLabel(), "pill")
        self.pill.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pill.setIndent(0)
        row.addWidget(self.result)
        for metric in self.metrics:
            row.addWidget(metric)
        row.addWidget(self.message, 100)
        row.addStretch(1)
        row.addWidget(self.pill, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_view(self, view: CardView) -> None:
        """Show the card's state."""
        self.result.setText(view.result)
        self.result.setVisible(bool(view.result))
        restyle(self.result, stale=view.stale)
        self.message.set_whole(view.message)
        self.message.setVisible(bool(view.message))
        restyle(self.message, role="error" if view.tone == "bad" else "label")
        for at, metric in enumerate(self.metrics):
            metric.show_metric(view.metrics[at] if at < len(view.metrics) else None, view.stale)
        self.pill.setText(view.pill)
        self.pill.setToolTip(view.pill_tip)
        self.pill.setVisible(bool(view.pill))
        for text in (self.result, self.pill):
            text.ensurePolished()
        restyle(self.pill, tone=view.tone, arm=self._arm if view.own_colour else "")
        self._shown = len(view.metrics)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as many metrics as there is room for; a clipped figure would be a wrong one."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for shown in range(self._shown, 0, -1):
            for at, metric in enumerate(self.metrics):
                metric.setVisible(at < shown)
            self._row.invalidate()
            if self._row.sizeHint().width() <= self.width():
                return


class _MetricLabel(QWidget):
    def __init__(self) -> None:
        super().__init__()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._value = label("", "metric")
        self._name = label("", "hint")
        column.addStretch(1)
        column.addWidget(self._value)
        column.addWidget(self._name)
        column.addStretch(1)

    def show_metric(self, metric: Metric | None, stale: bool) -> None:
        self.setVisible(metric is not None)
        if metric is None:
            return
        for text in (self._value, self._name):
            text.ensurePolished()
        self._value.setText(metric.value)
        restyle(self._value, stale=stale)
        self._name.setText(metric.name)
        self.setToolTip(metric.tool_tip)
        # The row asks for the new size at once, before Qt gets round to telling it.
        self._column.activate()
        self.updateGeometry()


def _preset_box(arm: ArmLabel) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(f"Strategy of {arm}")
    box.setMinimumWidth(136)
    items = QStandardItemModel(box)
    for name in strategy_names():
        item = QStandardItem(name)
        item.setToolTip(strategy(name).when_it_wins)
        items.appendRow(item)
    custom = QStandardItem(_CUSTOM)
    custom.setEnabled(False)
    custom.setToolTip("Shown when an axis was changed so that it is none of the others.")
    items.appendRow(custom)
    box.setModel(items)
    return box
