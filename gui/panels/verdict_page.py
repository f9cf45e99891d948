"""The slot's verdict: what to do, why, how sure that is, and the way to export it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from modelmon.core.experiment.warned_runs import spoiling_of
from modelmon.core.units import percent_text, three_figures
from modelmon.gui.language import mark, said, tr
from modelmon.gui.look.styling import ElidedLabel, label, push_button, restyle, styled
from modelmon.gui.look.theme import manager
from modelmon.gui.panels.slot_texts import SlotTexts

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from modelmon.core.experiment.bottleneck.kinds import Confidence
    from modelmon.core.experiment.result import Comparison, Verdict
    from modelmon.gui.slot import ArmLabel

_TONES = {1: "bad", 2: "warn", 3: "good"}
BARS: dict[Confidence, int] = {"high": 3, "medium": 2, "low": 1}
CONFIDENCES: dict[Confidence, str] = {
    "high": mark("High confidence"),
    "medium": mark("Medium confidence"),
    "low": mark("Low confidence"),
}


class VerdictPage(QWidget):
    """Shows a Comparison's verdict."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 16, 4)
        row.setSpacing(16)
        self.badge = styled(QLabel(), "badge")
        self.badge.setFixedSize(32, 32)
        self.texts = SlotTexts()
        self.sentence = self.texts.headline
        self.reason, self.caveat = self.texts.reason, self.texts.caveat
        self._bars = ConfidenceBars()
        self.confidence = label("", "heading")
        self.interval = label("", "value")
        self.confidence_reason = ElidedLabel("label", lines=2)
        first = QHBoxLayout()
        first.setSpacing(6)
        first.addWidget(self._bars)
        first.addWidget(self.confidence, 1)
        sure = QVBoxLayout()
        sure.setSpacing(2)
        sure.addStretch(1)
        sure.addLayout(first)
        sure.addWidget(self.interval)
        sure.addWidget(self.confidence_reason)
        sure.addStretch(1)
        self.export = push_button(tr("Export…"), "export", "primary", "ink_text")
        row.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.texts, 7)
        row.addLayout(sure, 2)
        row.addWidget(self.export, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_comparison(self, comparison: Comparison, changed: bool) -> ArmLabel | None:
        """Show a verdict; `changed` says that the cards show other settings by now.

        Returns the arm whose colour the slot takes on.
        """
        verdict = comparison.verdict
        arm: ArmLabel | None = verdict.winner if verdict.winner in ("A", "B") else None
        self.badge.setText(arm or ("=" if verdict.winner == "no-difference" else "?"))
        restyle(self.badge, arm=arm or "")
        a, b = comparison.arm_a.strategy, comparison.arm_b.strategy
        since = tr("The settings were changed since: this was A {a} against B {b}.", a=a, b=b)
        against = [said(one.short) for one in spoiling_of((*comparison.runs_a, *comparison.runs_b))]
        caveat = since if changed else " ".join([*against, said(verdict.caveat)])
        self.texts.set_texts(said(verdict.sentence), said(verdict.reason), caveat)
        self._bars.set_level(BARS[verdict.confidence])
        self.confidence.setText(tr(CONFIDENCES[verdict.confidence]))
        self.interval.setText(ratio_text(verdict))
        self.interval.setVisible(verdict.ratio is not None)
        self.confidence_reason.set_whole(said(verdict.confidence_reason))
        return arm


def ratio_text(verdict: Verdict) -> str:
    """The ratio of the times with its interval: `Ratio 1.55-1.61 (97 %)`.

    As in the sentence beside it, a winner's ratio says how many times as fast it is.
    """
    if verdict.ratio is None:
        return ""
    if verdict.ratio_low is None or verdict.ratio_high is None:
        return tr("Ratio {ratio}", ratio=three_figures(verdict.ratio))
    bounds = (verdict.ratio_low, verdict.ratio_high)
    if verdict.winner == "A":
        bounds = (1 / verdict.ratio_high, 1 / verdict.ratio_low)
    low, high = (three_figures(bound) for bound in bounds)
    if not verdict.coverage_share:
        return tr("Ratio {low}–{high} (range)", low=low, high=high)
    coverage = percent_text(verdict.coverage_share)
    return tr("Ratio {low}–{high} ({coverage})", low=low, high=high, coverage=coverage)


class ConfidenceBars(QWidget):
    """One, two or three rising bars; the word beside them says the same."""

    def __init__(self) -> None:
        super().__init__()
        self._level = 1
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        manager().changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Room for three bars."""
        return QSize(20, 14)

    def set_level(self, level: int) -> None:
        """Show 1 to 3 bars."""
        self._level = level
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the bars."""
        del event
        theme = manager().theme
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        for at in range(3):
            lit = at < self._level
            painter.setBrush(getattr(theme, _TONES[self._level]) if lit else theme.neutral_3)
            height = 6 + at * 4
            painter.drawRect(QRectF(at * 7, 14 - height, 5, height))
        painter.end()
