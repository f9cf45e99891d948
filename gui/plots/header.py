"""The line above a plot: title, figures, legend, and buttons for what every plot can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QComboBox,
    QLabel,
    QSizePolicy,
    QWidget,
)

from modelmon.gui.language import tr
from modelmon.gui.plots.pens import diamond, hatch
from modelmon.gui.widgets.layout import STRETCH, in_row
from modelmon.gui.widgets.styling import icon_button, label, styled
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from PySide6.QtGui import QColor, QMouseEvent, QPaintEvent, QResizeEvent

    from modelmon.gui.session.notices import ArmLabel

Sample = Literal[
    "thick", "thin", "dotted", "dashed", "fill", "hatch", "dots", "round", "diamond", "tick"
]

HEADER_PX = 32
GUTTER_PX = 118
_SPACING_PX = 4
_LINE_PX, _MOST_PX = 17, 16_777_215
_SAMPLE_PX, _PADDING_PX, _GAP_PX, _HEIGHT_PX = 16, 4, 5, 22
_WIDTHS_PX = {"thick": 2.2, "dotted": 1.6, "dashed": 1.6}


class LegendEntry(QAbstractButton):
    """One series of a plot, as it is drawn. Checked while it is shown.

    In grey where it stands for both arms (their colours say which is which), else in the
    colour of `label`. An optional entry goes first where there is little room.
    """

    def __init__(
        self,
        text: str,
        sample: Sample,
        label: ArmLabel | None = None,
        *,
        is_optional: bool = False,
    ) -> None:
        super().__init__()
        self.is_optional = is_optional
        self.about = ""
        self._sample = sample
        self._label = label
        self.setText(text)
        self.setCheckable(True)
        self.setChecked(True)
        self.setFont(font(11))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.set_available(available=True)

    def set_available(self, *, available: bool, reason: str = "") -> None:
        """Whether the series has any data; without, it cannot be shown and says why."""
        self.setEnabled(available)
        does = tr("Show or hide {series}", series=self.text()) if available else reason
        self.setToolTip("\n".join(filter(None, (self.about, does))))

    def explain(self, about: str) -> None:
        """Say what the series is, before what a click does."""
        self.about = about
        self.setAccessibleDescription(about)
        self.set_available(available=self.isEnabled())

    def sizeHint(self) -> QSize:
        """Sample and text."""
        text_px = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(2 * _PADDING_PX + _SAMPLE_PX + _GAP_PX + text_px, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        """The same: a cut word would say nothing."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sample and text: a button with an icon takes five times as long to be made."""
        del event
        theme = manager().theme
        shown = self.isChecked() and self.isEnabled()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(theme.focus if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(theme.hover if self.underMouse() and self.isEnabled() else QBrush())
        painter.drawRoundedRect(ground, 4, 4)
        colour = theme.arm(self._label) if self._label else theme.neutral_1
        painter.translate(_PADDING_PX, (self.height() - 12) / 2)
        painter.save()
        draw_sample(painter, self._sample, colour if shown else theme.neutral_3, self._label)
        painter.restore()
        # What is hidden is struck out, not faint: it is a control that can be used.
        painter.setPen(theme.text_2 if self.isEnabled() else theme.neutral_2)
        letters = self.font()
        letters.setStrikeOut(self.isEnabled() and not shown)
        painter.setFont(letters)
        # Letters of some fonts reach beyond the sample, which is as high as those of others.
        above_px = (self.height() - 12) / 2
        words = QRectF(_SAMPLE_PX + _GAP_PX, -above_px, self.width(), self.height())
        painter.drawText(
            words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text()
        )


def draw_sample(painter: QPainter, sample: Sample, colour: QColor, label: ArmLabel | None) -> None:
    """A piece of a series, 16 × 12 px."""
    box, middle = QRectF(1, 1, 13, 10), QPointF(8, 6)
    line = QPen(colour, _WIDTHS_PX.get(sample, 1.2))
    if sample == "dotted":
        line.setDashPattern([1, 1.6])
    if sample == "dashed":
        line.setDashPattern([4, 1.5])
    if sample in ("thick", "thin", "dotted", "dashed", "round", "diamond"):
        painter.setPen(line)
        painter.drawLine(QPointF(0, 6), QPointF(_SAMPLE_PX, 6))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    match sample:
        case "tick":
            painter.drawRect(QRectF(7, 1, 2, 10))
        case "fill":
            painter.drawRect(box)
        case "hatch":
            painter.fillRect(box, hatch(colour, label or "A", ground=0.25))
        case "dots":
            painter.fillRect(box, QBrush(colour, Qt.BrushStyle.Dense5Pattern))
        case "round":
            painter.drawEllipse(middle, 2.8, 2.8)
        case "diamond":
            painter.drawPolygon(diamond(middle, 4.0))
        case _:
            pass


class PlotHeader(QWidget):
    """Title, unit, figures, legend and buttons. Where there is no room for all, what comes last in
    `_by_weight` goes first; the plot's menu has it. Upright, it stands beside its plot: title,
    unit, figures and legend below each other, and no buttons.
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = label(title, "title")
        self.unit = label("", "hint")
        self.reset = icon_button("reset", tr("Reset zoom"))
        self.save = icon_button("save", tr("Save plot…"))
        self.maximise = icon_button("maximise", tr("Maximize"))
        self.more = icon_button("more", tr("More"))
        self.values: dict[ArmLabel, QLabel] = {
            each: styled(QLabel(), "hint", arm=each, strong=True) for each in ("A", "B")
        }
        self._is_upright = False
        self._entries: list[QWidget] = []
        self._optional: list[QWidget] = [self.save, self.reset]
        self._left_out: set[QWidget] = set()
        self._values_box = QWidget()
        self._values_row = in_row(*self.values.values(), on=self._values_box, spacing=_SPACING_PX)
        self._row = in_row(self.title, self.unit, STRETCH, self._values_box, on=self)
        self._legend_at = self._row.count()
        for button in (self.reset, self.save, self.maximise, self.more):
            self._row.addWidget(button)
        self._row.addStretch()
        for part in (self.title, *self.values.values()):
            part.ensurePolished()
        self.set_upright(upright=False)

    def set_upright(self, *, upright: bool) -> None:
        """Stand beside the plot, or lie above it."""
        self._is_upright = upright
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if upright else direction.LeftToRight)
        self._values_row.setDirection(self._row.direction())
        self._row.setSpacing(0 if upright else _SPACING_PX)
        self._row.setContentsMargins(0, 4 if upright else 0, 0, 0)
        self._row.setStretch(2, 0 if upright else 1)
        self._row.setStretch(self._row.count() - 1, 1 if upright else 0)
        side = Qt.AlignmentFlag.AlignLeft if upright else Qt.AlignmentFlag(0)
        for part in self._by_weight():
            self._row.setAlignment(part, side)
            if part in self._entries or part in self._optional:
                part.setMaximumHeight(_LINE_PX if upright else _MOST_PX)
        # Less than what it shows needs: else each entry that it hides would resize it.
        self.setMinimumSize(GUTTER_PX if upright else 0, 1 if upright else HEADER_PX)
        self.setMaximumSize(GUTTER_PX if upright else _MOST_PX, _MOST_PX if upright else HEADER_PX)
        policy = QSizePolicy.Policy
        self.setSizePolicy(
            policy.Fixed if upright else policy.Ignored, policy.Ignored if upright else policy.Fixed
        )
        self.fit()

    def set_unit(self, text: str) -> None:
        """Say beside the title in what the plot is drawn."""
        if text != self.unit.text():
            self.unit.setText(text)
            self.fit()

    def show_values(self, values: Mapping[ArmLabel, str], beside: str = "") -> None:
        """Say figures of a range or a moment in the colours of the arms, and under the pointer what
        to see `beside` them; none hides them.
        """
        before = {arm: each.text() for arm, each in self.values.items()}
        for arm, each in self.values.items():
            each.setToolTip(beside)
            each.setText(values.get(arm, ""))
            each.setVisible(arm in values)
        if before != {arm: each.text() for arm, each in self.values.items()}:
            self.fit()

    def add_entry(self, entry: QWidget, *, optional: bool = False) -> None:
        """Put a legend entry, or another small control, after the ones that are there."""
        # Unpolished, a widget does not know the style sheet's sizes yet, and may keep others.
        entry.ensurePolished()
        self._row.insertWidget(self._legend_at, entry)
        self._legend_at += 1
        (self._optional if optional else self._entries).append(entry)
        self.fit()

    def set_entry_shown(self, entry: QWidget, *, shown: bool) -> None:
        """Whether a part has a place here at all."""
        (self._left_out.discard if shown else self._left_out.add)(entry)
        self.fit()

    def set_buttons_shown(self, *, shown: bool) -> None:
        """Show the buttons, as far as there is room, or none: a picture needs no buttons."""
        self.fit()
        if not shown:
            for button in (self.reset, self.save, self.maximise, self.more):
                button.hide()
        self._row.activate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        """Share the room anew when a part wants more or less of it."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().event(event)

    def fit(self) -> None:
        """Show as much as there is room for, the most important first."""
        room = self.height() if self._is_upright else self.width()
        full = False
        for part in self._by_weight():
            is_legend = part in self._entries and not isinstance(part, QComboBox)
            needed = self._needed_px(part)
            # A legend without its first entry would be about the rest alone.
            shown = self._is_wanted(part) and needed <= room and not (full and is_legend)
            full = full or (is_legend and self._is_wanted(part) and not shown)
            part.setVisible(shown)
            room -= needed if shown else 0

    def _by_weight(self) -> Iterator[QWidget]:
        yield from (self.title, self.more, self._values_box, self.unit)
        yield from (*self._entries, self.maximise, *reversed(self._optional))

    def _is_wanted(self, part: QWidget) -> bool:
        if isinstance(part, QLabel) and not part.text():
            return False
        if part is self._values_box and not any(each.text() for each in self.values.values()):
            return False
        is_button = part in (self.more, self.maximise, self.save, self.reset)
        return part not in self._left_out and not (self._is_upright and is_button)

    def _needed_px(self, part: QWidget) -> int:
        hint = part.sizeHint()
        if self._is_upright:
            return min(hint.height(), part.maximumHeight())
        return hint.width() + _SPACING_PX

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The same as the button, which is not always there."""
        del event
        self.maximise.click()
