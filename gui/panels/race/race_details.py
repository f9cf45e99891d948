"""All that a race has to say, to be read and copied from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from modelmon.gui.find_best.race_words import expected_text, summary_text
from modelmon.gui.look.language import mark, said, tr
from modelmon.gui.look.layout import in_column, in_row
from modelmon.gui.look.screen_room import resize_on_screen
from modelmon.gui.look.styling import icon_button, label, styled
from modelmon.gui.look.theme import mono_font
from modelmon.gui.measuring.verdict_chips import CONFIDENCES
from modelmon.gui.panels.button_row import ButtonRow, scrolled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.experiment.race.result import Advice, Race

_SIZE_PX = (760, 560)
_BASES = {
    "measured": mark("measured"),
    "observed": mark("observed"),
    "rule of thumb": mark("rule of thumb"),
}


class RaceDetails(QDialog):
    """Why, what to expect, what to keep in mind, and other ways to load faster."""

    def __init__(self, race: Race, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Find best details"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_on_screen(self, *_SIZE_PX)
        area = scrolled(_page(race))
        area.setAccessibleName(tr("Full recommendation"))
        outer = in_column((area, 1), on=self, margins=(16, 16, 16, 16), spacing=8)
        outer.addLayout(ButtonRow(self, tr("Close")))


def _page(race: Race) -> QWidget:
    found = race.recommendation
    page = QWidget()
    page.setBackgroundRole(QPalette.ColorRole.Base)
    page.setAutoFillBackground(True)
    column = in_column(on=page, margins=(8, 8, 8, 8), spacing=4)
    _section(column, tr("Stopped early"), (said(race.why_stopped),))
    if race.command:
        column.addWidget(label(tr("What to set"), "heading"))
        if found.to_set:
            column.addWidget(_text(said(found.to_set)))
        column.addLayout(_command_row(race.command))
    _section(column, tr("Why"), map(said, found.reasons))
    expect = tr(
        "{expected}. {confidence}: {reason}.",
        expected=expected_text(race),
        confidence=tr(CONFIDENCES[found.confidence]),
        reason=found.confidence_reason,
    )
    _section(column, tr("Expected time"), (expect,))
    if found.runner_up:
        second = tr("Runner-up: {way}", way=found.runner_up)
        _section(column, second, (said(found.runner_up_wins),))
    _section(column, tr("Keep in mind"), map(said, found.contradictions))
    if found.advice:
        column.addWidget(label(tr("Other ways to load faster"), "heading"))
        for advice in found.advice:
            column.addWidget(AdviceRow(advice))
    column.addWidget(label(tr("{summary}.", summary=summary_text(race)), "hint", wrap=True))
    column.addStretch(1)
    return page


class AdviceRow(QWidget):
    """One piece of advice: what, what it brings, how that is known, and its command."""

    def __init__(self, advice: Advice) -> None:
        super().__init__()
        self.basis = styled(QLabel(tr(_BASES[advice.basis]).capitalize()), "pill")
        self.basis.setProperty("tone", "good" if advice.basis == "measured" else "warn")
        self.basis.setToolTip(said(advice.source))
        top = in_row((self.basis, 0, Qt.AlignmentFlag.AlignTop), spacing=8)
        top.addWidget(_text(said(advice.text)), 1)
        known = tr(
            "{expected} ({basis}: {source})",
            expected=advice.expected,
            basis=tr(_BASES[advice.basis]),
            source=advice.source,
        )
        column = in_column(top, _text(known, "label"), on=self, margins=(0, 0, 0, 4), spacing=2)
        if advice.command:
            column.addLayout(_command_row(advice.command))


def _command_row(command: str) -> QHBoxLayout:
    """A command, and a button that copies it."""
    copy = icon_button("copy", tr("Copy command: {command}", command=command))
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(command))
    shown = _text(command)
    shown.setFont(mono_font())
    return in_row((copy, 0, Qt.AlignmentFlag.AlignTop), (shown, 1), spacing=8)


def _section(column: QVBoxLayout, title: str, lines: Iterable[str]) -> None:
    texts = [line for line in lines if line]
    if texts:
        column.addWidget(label(title, "heading"))
        for line in texts:
            column.addWidget(_text(line))


def _text(text: str, role: str = "value") -> QLabel:
    made = label(text, role, wrap=True)
    flags = Qt.TextInteractionFlag
    made.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    return made
