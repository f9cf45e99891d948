"""The column beside the bars: one block's figures for A and B."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.gui.blocks.arm_figures import ArmFigures, copied_label
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.arms import ARMS
from modelmon.gui.plots.readout import Row
from modelmon.gui.widgets.layout import STRETCH, in_column
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from modelmon.core.worker.events import BlockTiming
    from modelmon.gui.blocks.block_table import BlockTable
    from modelmon.gui.session.notices import ArmLabel

_TIMES = (mark("Time"), mark("Rate"), mark("Ready at"), mark("Requests"))
COLUMNS = (*_TIMES, mark("Reading"), mark("Waiting"), mark("Decoding"))
"""The last three only where something is decoded."""
_NONE = "–"


def figures(timing: BlockTiming | None) -> tuple[str, ...]:
    """A block's time, rate, ready time, requests and what of its time went where as text."""
    if timing is None:
        return (_NONE,) * len(COLUMNS)
    busy_ns, ready_ns = timing.busy_ns, timing.ready_ns
    decode_ns, wait_ns = timing.decode_ns, timing.wait_ns
    # Neither is known of what was recorded by older versions, or isn't decoded.
    read_ns = None if decode_ns is None or wait_ns is None else busy_ns - decode_ns - wait_ns
    return (
        duration_text(busy_ns),
        rate_text(timing.nbytes * 1e9 / busy_ns) if busy_ns else _NONE,
        _NONE if ready_ns is None else duration_text(ready_ns),
        f"{timing.requests:,}",
        *(
            _NONE if ns is None or not busy_ns else percent_text(max(0, ns) / busy_ns)
            for ns in (read_ns, wait_ns, decode_ns)
        ),
    )


def columns_of(table: BlockTable, arms: Collection[ArmLabel]) -> tuple[str, ...]:
    """The columns that say something of these arms."""
    return COLUMNS if any(map(table.decodes, arms)) else _TIMES


class BlockDetails(QScrollArea):
    """Name and figures of the selected block, scrolled where there is little room. `describe` may
    say more of it than its size.
    """

    def __init__(self) -> None:
        super().__init__()
        self.describe: Callable[[str], str] | None = None
        self.name = copied_label("title")
        self.name.setWordWrap(True)
        self.about = copied_label("label")
        self.about.setWordWrap(True)
        self.figures = ArmFigures(COLUMNS)
        told = QWidget()
        in_column(
            self.name, self.about, self.figures, STRETCH, on=told, margins=(12, 8, 12, 8), spacing=4
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setWidget(told)
        for part in (self.viewport(), told):
            part.setAutoFillBackground(False)
        self.setMinimumWidth(256 + self.verticalScrollBar().sizeHint().width())
        self.show_block(None, "")

    def readout(
        self, table: BlockTable, name: str, arms: Sequence[ArmLabel]
    ) -> tuple[str, list[str], list[Row]]:
        """Heading, columns and rows of the box that says the same under the pointer."""
        heading = f"{name}: {self._about(table, name)}"
        columns = columns_of(table, arms)
        rows = [
            Row(manager().arm_text(label), figures(table.timing(label, name))[: len(columns)])
            for label in arms
        ]
        return heading, [tr(column).lower() for column in columns], rows

    def _about(self, table: BlockTable, name: str) -> str:
        told = self.describe(name) if self.describe else ""
        return told or size_text(table.planned_bytes(name))

    def show_block(self, table: BlockTable | None, name: str) -> None:
        """Show a block's figures; without one, how to choose it."""
        known = table is not None and name in table.names
        self.figures.setVisible(known)
        self.name.setVisible(known)
        if table is None or not known:
            self.about.setText(tr("Select a bar for details"))
            return
        self.name.setText(name)
        self.about.setText(self._about(table, name))
        for label in ARMS:
            self.figures.show_texts(label, figures(table.timing(label, name)))
