"""The tour: what to do where, in five steps; on the first start, and from Help. It can be left at
once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from modelmon.gui.language import mark, tr
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import label, push_button, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

_WIDTH_PX, _GAP_PX = 380, 10


class Step(NamedTuple):
    """What is said of a part of the window."""

    title: str
    text: str


STEPS = (
    Step(
        mark("Open a model"),
        mark("A file or a folder, here or on a server. Only its headers are read."),
    ),
    Step(
        mark("See what slows it down"),
        mark(
            "The model, its storage, and your memory. Likely bottlenecks are named before the first"
            " load."
        ),
    ),
    Step(
        mark("Watch your own program"),
        mark(
            "modelmon starts it, or joins it, and divides the wait into phases. The longest one is"
            " where to begin."
        ),
    ),
    Step(
        mark("Find a faster setting"),
        mark(
            "Compare A/B tests two strategies, Find best all that work here. Each run starts from"
            " a verified cache."
        ),
    ),
    Step(
        mark("Understand it, and show others"),
        mark(
            "Help explains each plot and plays published cases. File has Export for settings, and"
            " Share for a report."
        ),
    ),
)


class Tour(QFrame):
    """Points at one part of the window after another; nothing else is kept from being used."""

    def __init__(self, window: QWidget, parts: Sequence[QWidget]) -> None:
        """`parts` are what the STEPS are about."""
        super().__init__(window)
        self._window, self._parts, self._at = window, parts, 0
        styled(self, "panel")
        self.setAccessibleName(tr("Tour"))
        self.setFixedWidth(_WIDTH_PX)
        self._around = styled(QFrame(window), "drop-over")
        self._around.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._number, self.title = label("", "hint"), label("", "title")
        self._text = label("", "value", wrap=True)
        self.leave_button = QPushButton(tr("Leave the tour"))
        self.next_button = push_button("", "run", "primary", "ink_text")
        self.leave_button.clicked.connect(self.leave)
        self.next_button.clicked.connect(self.go_on)
        buttons = in_row(self._number, STRETCH, self.leave_button, self.next_button, spacing=8)
        in_column(self.title, self._text, buttons, on=self, margins=(16, 12, 16, 12), spacing=8)
        window.installEventFilter(self)
        self._show()

    def go_on(self) -> None:
        """To the next step; after the last one the tour is over."""
        self._at += 1
        if self._at < len(STEPS):
            self._show()
        else:
            self.leave()

    def leave(self) -> None:
        """End it."""
        self._window.removeEventFilter(self)
        for part in (self._around, self):
            part.hide()
            part.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay where what it points at is."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        step, last = STEPS[self._at], self._at + 1 == len(STEPS)
        self.title.setText(tr(step.title))
        self._text.setText(tr(step.text))
        self._number.setText(tr("{number} of {count}", number=self._at + 1, count=len(STEPS)))
        self.next_button.setText(tr("Done") if last else tr("Next"))
        self._place()
        self.next_button.setFocus()

    def _place(self) -> None:
        """Below what it points at, or beside it, within the window."""
        part, inside = self._parts[self._at], self._window.rect()
        shown = part.isVisible()
        box = QRect(part.mapTo(self._window, QPoint(0, 0)), part.size()).intersected(inside)
        self._around.setVisible(shown)
        self._around.setGeometry(box)
        self.adjustSize()
        below = box.bottom() + self.height() + 2 * _GAP_PX <= inside.bottom()
        corner = box.bottomLeft() if below else box.topRight()
        corner += QPoint(0, _GAP_PX) if below else QPoint(_GAP_PX, _GAP_PX)
        if not shown:
            corner = inside.center() - self.rect().center()
        most = inside.bottomRight() - self.rect().bottomRight() - QPoint(_GAP_PX, _GAP_PX)
        self.move(min(corner.x(), most.x()), min(corner.y(), most.y()))
        for each in (self._around, self):
            each.raise_()
        self.show()
