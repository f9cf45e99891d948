"""What came of an arm: result, figures and a pill; as many figures as both cards have room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, label, plain, restyle, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.compare.card_view import CardView, Metric
    from modelmon.gui.session.notices import ArmLabel

_GAP_PX = 14
_MOST_METRICS = 5


class OutcomeRow(QWidget):
    """The third row of a card; `room_changed` when more or fewer figures fit into it."""

    room_changed = Signal()

    def __init__(self, arm: ArmLabel) -> None:
        super().__init__()
        self._arm = arm
        self._known = 0
        self._room = self._most = _MOST_METRICS
        self._view: CardView | None = None
        self._slim = False
        self.result = label("", "result")
        self.message = ElidedLabel("value")
        self.metrics = [_MetricLabel() for _ in range(_MOST_METRICS)]
        self.pill = styled(QLabel(), "pill")
        self.pill.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pill.setIndent(0)
        row = self._row = in_row(self.result, on=self, spacing=_GAP_PX)
        for metric in self.metrics:
            row.addWidget(metric)
        row.addWidget(self.message, 100)
        row.addStretch(1)
        row.addWidget(self.pill, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_view(self, view: CardView) -> None:
        """Show the card's state; costs nothing where that is what is shown."""
        if view == self._view:
            return
        same_figures = self._view is not None and _names(view) == _names(self._view)
        self._view = view
        self.result.setText(view.result)
        self.result.setToolTip(plain(view.result_tip))
        self.result.setAccessibleDescription(view.result_tip)
        self.result.setVisible(bool(view.result))
        restyle(self.result, stale=view.stale)
        self._show_message()
        restyle(self.message, role="error" if view.tone == "bad" else "label")
        for at, metric in enumerate(self.metrics):
            metric.show_metric(view.metrics[at] if at < len(view.metrics) else None, view.stale)
        self.pill.setText(view.pill)
        self.pill.setToolTip(plain(view.pill_tip))
        self.pill.setVisible(bool(view.pill))
        for text in (self.result, self.pill):
            text.ensurePolished()
        restyle(self.pill, tone=view.tone, arm=self._arm if view.own_colour else "")
        self._known = len(view.metrics)
        # Figures that change while a load runs must not come and go with their width.
        self._fit(self._room if same_figures and view.own_colour else self._known)

    def lend_pill(self, elsewhere: QHBoxLayout | None) -> None:
        """Let the pill stand at the end of another row, and show the result without figures but of
        which part of the model it is; or take it back.
        """
        self._slim = elsewhere is not None
        (elsewhere or self._row).addWidget(self.pill, 0, Qt.AlignmentFlag.AlignVCenter)
        # In another widget it gets its bold letters anew, and its width with them.
        self.pill.ensurePolished()
        self._show_message()
        self._fit(self._known)

    @property
    def room(self) -> int | None:
        """How many figures fit; None where there are none to show."""
        return self._room if self._known else None

    def show_at_most(self, metrics: int) -> None:
        """Show no more figures than these, the first ones."""
        self._most = metrics
        self._show(min(self._room, metrics))
        self._row.activate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many metrics as there is room for; a clipped figure would be a wrong one."""
        super().resizeEvent(event)
        self._fit(self._known)

    def _fit(self, most: int) -> None:
        before = self.room
        view = self._view
        least = sum(metric.stays for metric in view.metrics) if view is not None else 0
        rooms = (shown for shown in range(most, least, -1) if self._fits(shown))
        self._room = next(rooms, least)
        self.show_at_most(self._most)
        if self.room != before:
            self.room_changed.emit()

    def _show_message(self) -> None:
        """In place of figures; beside a result that has no room for those, what has to stay."""
        view = self._view
        if view is None:
            return
        stays = [f"{each.value} {each.name}" for each in view.metrics if each.stays]
        text = view.message or (" ".join(stays) if self._slim else "")
        self.message.set_lines(1 if view.message else 2)
        self.message.set_whole(text)
        self.message.setVisible(bool(text))

    def _fits(self, metrics: int) -> bool:
        # Added up, and not tried: what is shown to try it lays out both cards. A pill that has just
        # come from another row is still hidden.
        beside = [each for each in (self.result, self.pill) if each.text()]
        widths = [each.sizeHint().width() for each in (*beside, *self.metrics[:metrics])]
        return sum(widths) + _GAP_PX * (len(widths) - 1) <= self.width()

    def _show(self, metrics: int) -> None:
        for at, metric in enumerate(self.metrics):
            metric.setVisible(not self._slim and at < min(metrics, self._known))


def _names(view: CardView) -> list[str]:
    return [metric.name for metric in view.metrics]


class _MetricLabel(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._value = label("", "metric")
        self._name = label("", "hint")
        column = self._column = in_column(STRETCH, self._value, self._name, on=self, spacing=0)
        column.addStretch(1)

    def show_metric(self, metric: Metric | None, stale: bool) -> None:
        # Whether it is shown depends on the room, which is known after all have their texts.
        if metric is None:
            return
        for text in (self._value, self._name):
            text.ensurePolished()
        self._value.setText(metric.value)
        restyle(self._value, stale=stale)
        self._name.setText(metric.name)
        self.setToolTip(plain(metric.tool_tip))
        self.setAccessibleName(f"{metric.name}: {metric.value}")
        self.setAccessibleDescription(metric.tool_tip)
        # The row asks for the new size at once, before Qt gets round to telling it.
        self._column.activate()
        self.updateGeometry()


def show_alike(rows: Sequence[OutcomeRow]) -> None:
    """Let rows that are read beside each other show the same figures, now and later."""

    def agree() -> None:
        rooms = [room for row in rows if (room := row.room) is not None]
        for row in rows:
            row.show_at_most(min(rooms, default=_MOST_METRICS))

    for row in rows:
        row.room_changed.connect(agree)
    agree()
