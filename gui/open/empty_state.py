"""What the window shows before anything is open: where to drop a model, and what to expect."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from modelmon.core.units import size_text
from modelmon.gui.background.commands import SAMPLE_SIZE_BYTES
from modelmon.gui.language import mark, tr
from modelmon.gui.open.found_list import FoundList
from modelmon.gui.open.recents_list import RecentsList
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import IconLabel, label, push_button, restyle, styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.gui.session.settings import Recent

_GAP_PX = 16
_WIDEST_PX = 1320
"""Wider, names and figures of one row are too far apart to be read together."""
_STEPS = (
    (
        mark("Open a model"),
        mark("See what's in it, where it's stored, and whether it fits in memory."),
    ),
    (
        mark("Compare A with B"),
        mark("Runs A and B alternately, each in a new process from a cold cache."),
    ),
    (
        mark("Export winner"),
        mark("modelmon.toml stores how to load this model on this machine."),
    ),
)


class EmptyState(QWidget):
    """Drop zone, sample, the three steps, models that were open before and models found."""

    open_wanted = Signal()
    history_wanted = Signal()
    sample_wanted = Signal()
    path_chosen = Signal(str)
    forget_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.drop_zone = _DropZone()
        self.drop_zone.button.clicked.connect(self.open_wanted)
        self.drop_zone.history.clicked.connect(self.history_wanted)
        self.sample = _SampleCard()
        self.sample.button.clicked.connect(self.sample_wanted)
        self.recents = RecentsList()
        self.recents.chosen.connect(self.path_chosen)
        self.recents.forget_wanted.connect(self.forget_wanted)
        self.found = FoundList()
        top = in_row((self.drop_zone, 7), (self.sample, 3), spacing=16)
        inner = QWidget()
        inner.setMaximumWidth(round(_WIDEST_PX * manager().scale))
        lists = in_row((self.recents, 4), (self.found, 7), spacing=16)
        in_column(top, _steps(), (lists, 1), on=inner, margins=(24, 24, 24, 24), spacing=16)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        # What is in it takes the keyboard, and is scrolled to.
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        scroll.setWidget(inner)
        scroll.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        in_column(scroll, on=self)

    def show_recents(self, recents: list[Recent]) -> None:
        """Show the models that were open before."""
        self.recents.show_recents(recents, time.time())
        # Who comes for the first time has none, and what is found gets their room.
        self.recents.setVisible(bool(recents))

    def show_dragging(self, dragging: bool) -> None:
        """Show that a file held over the window can be dropped."""
        restyle(self.drop_zone, active="true" if dragging else "")


class _DropZone(QFrame):
    def __init__(self) -> None:
        super().__init__()
        styled(self, "drop")
        self.setMinimumHeight(176)
        column = in_column(STRETCH, on=self, margins=(24, 16, 24, 16), spacing=8)
        column.addWidget(IconLabel("drop", "text_2", 32), 0, Qt.AlignmentFlag.AlignHCenter)
        title = label(tr("Drop a model file or folder here"), "headline")
        formats = label(
            tr(
                "safetensors, GGUF, sharded models, or Hugging Face snapshots. Opening "
                "reads only headers."
            ),
            "label",
            wrap=True,
        )
        for text in (title, formats):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(text)
        self.button = push_button(tr("Open…"), "open", "primary", "ink_text")
        self.history = push_button(tr("History…"), "clock")
        self.history.setToolTip(tr("All runs recorded on this machine"))
        buttons = in_row(STRETCH, spacing=8)
        for button in (self.button, self.history):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addStretch(1)


class _SampleCard(QFrame):
    def __init__(self) -> None:
        super().__init__()
        styled(self, "panel")
        head = in_row(IconLabel("sample"), (label(tr("Try a sample model"), "headline"), 1))
        column = in_column(head, on=self, margins=(16, 16, 16, 16), spacing=8)
        text = tr(
            "Creates a {size} test model and compares mmap with what suits this disk. "
            "Deleted on close.",
            size=size_text(SAMPLE_SIZE_BYTES),
        )
        column.addWidget(label(text, "label", wrap=True))
        column.addStretch(1)
        self.button = push_button(tr("Create and compare"), "run")
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)


def _steps() -> QFrame:
    frame = styled(QFrame(), "panel")
    frame.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    grid = QGridLayout(frame)
    grid.setContentsMargins(16, 12, 16, 12)
    grid.setHorizontalSpacing(12)
    for at, (title, text) in enumerate(_STEPS):
        number = styled(QLabel(str(at + 1)), "badge")
        number.setFixedSize(24, 24)
        words = in_column(margins=(0, 0, _GAP_PX, 0), spacing=2)
        words.addWidget(label(tr(title), "title"))
        words.addWidget(label(tr(text), "label", wrap=True))
        words.addStretch(1)
        grid.addWidget(number, 0, 2 * at, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(words, 0, 2 * at + 1)
        grid.setColumnStretch(2 * at + 1, 1)
    return frame
