"""Legend entries: buttons that show how a series is drawn, and hide or show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton

from modelmon.gui.language import tr
from modelmon.gui.plots.pens import hatch
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPaintEvent

    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

Sample = Literal[
    "thick", "thin", "dotted", "dashed", "fill", "hatch", "dots", "round", "diamond", "tick"
]

_SAMPLE_PX = 16
_PADDING_PX = 4
_GAP_PX = 5
_HEIGHT_PX = 22


class LegendEntry(QAbstractButton):
    """One series of a plot. Checked while it is shown.

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

    def apply_theme(self, theme: Theme) -> None:
        """Draw in the theme's colours."""
        del theme
        self.update()

    def sizeHint(self) -> QSize:
        """Sample and text."""
        text_px = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(2 * _PADDING_PX + _SAMPLE_PX + _GAP_PX + text_px, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        """The same: a cut word would say nothing."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sample and text."""
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
    line = QPen(colour, {"thick": 2.2, "dotted": 1.6, "dashed": 1.6}.get(sample, 1.2))
    if sample == "dotted":
        line.setDashPattern([1, 1.6])
    if sample == "dashed":
        line.setDashPattern([4, 1.5])
    if sample == "diamond":
        line.setStyle(Qt.PenStyle.DashLine)
    if sample in ("thick", "thin", "dotted", "dashed", "round", "diamond"):
        painter.setPen(line)
        painter.drawLine(QPointF(0, 6), QPointF(_SAMPLE_PX, 6))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    match sample:
        case "thick" | "thin" | "dotted" | "dashed":
            pass
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
            corners = [QPointF(8, 2), QPointF(12, 6), QPointF(8, 10), QPointF(4, 6)]
            painter.drawPolygon(QPolygonF(corners))
