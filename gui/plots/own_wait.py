"""The IO-wait that is a run's own: a dotted level per arm, and the figures in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg

from modelmon.core.units import percent_text
from modelmon.gui.plots.level import Level
from modelmon.gui.theme import font

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.theme import ArmLabel, Theme

_FULL = 100.0


class OwnWait:
    """What each finished run waited for storage, all by itself."""

    def __init__(self, canvas: Canvas) -> None:
        self.text = ""
        self.levels: dict[ArmLabel, Level] = {
            "A": Level(canvas, "left"),
            "B": Level(canvas, "left"),
        }
        self._canvas = canvas
        self._words = pg.TextItem()
        self._words.setZValue(30)
        self._words.hide()
        canvas.add(self._words)
        canvas.laid_out.connect(self._place)

    def show(self, records: dict[ArmLabel, RunRecord | None], theme: Theme) -> None:
        """Show the shares of the finished ones among `records`."""
        shares: dict[ArmLabel, float] = {}
        for label, level in self.levels.items():
            record = records.get(label)
            done = record.finished if record is not None else None
            if done is None or done.io_wait_share is None:
                level.show(None, "", theme.text)
                continue
            shares[label] = done.io_wait_share
            level.show(done.io_wait_share * _FULL, "", theme.arm(label), done.wall_ns / 1e9)
        words = {label: f"{label} {percent_text(share)}" for label, share in shares.items()}
        self.text = f"own: {', '.join(words.values())}" if words else ""
        coloured = ", ".join(
            f"<b style='color:{theme.arm(label).name()}'>{text}</b>"
            for label, text in words.items()
        )
        self._words.setVisible(bool(words))
        self._words.setHtml(f"<span style='color:{theme.text_2.name()}'>own: {coloured}</span>")
        self._words.setFont(font(11))
        self._place()

    def _place(self) -> None:
        heights = [level.y for level in self.levels.values() if level.y is not None]
        # Where the curves are not: at the foot, or under the top while waiting is rare.
        at_foot = sum(heights) > _FULL / 2 * len(heights)
        self._words.setAnchor((0.0, 1.0 if at_foot else 0.0))
        self._words.setPos(self._canvas.x_range[0], 0.0 if at_foot else _FULL)
