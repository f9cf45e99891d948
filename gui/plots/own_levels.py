"""A figure of a whole run that no one else had a part in: a dotted level and words per arm."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyqtgraph as pg
from PySide6.QtGui import QBrush

from modelmon.gui.language import tr
from modelmon.gui.plots.level import Level
from modelmon.gui.plots.pens import faded
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme


class OwnFigure(NamedTuple):
    """What a run came to: its height in axis units, in words, and from when to when that was."""

    y: float
    text: str
    end_s: float
    start_s: float = 0.0


class OwnLevels:
    """Levels as long as the runs were, and one line of words where the curves are not."""

    def __init__(self, canvas: Canvas, name: str) -> None:
        """`name` says what share of a run the figures are of."""
        self.text = ""
        self.levels: dict[ArmLabel, Level] = {
            "A": Level(canvas, "left"),
            "B": Level(canvas, "left"),
        }
        self._canvas = canvas
        self.name = name
        self._shown: object = None
        self._forms: list[str] = []
        self._words = pg.TextItem()
        self._words.setZValue(30)
        self._words.hide()
        canvas.add(self._words)
        canvas.laid_out.connect(self._place)

    def show(self, figures: Mapping[ArmLabel, OwnFigure], theme: Theme) -> None:
        """Show these figures; an arm without one has no level."""
        for label, level in self.levels.items():
            figure = figures.get(label)
            if figure is None:
                level.show(None, "", theme.text)
            else:
                level.show(figure.y, "", theme.arm(label), figure.end_s, figure.start_s)
        if (shown := (dict(figures), self.name, theme)) == self._shown:
            return
        self._shown = shown
        named = {label: "" if manager().alone else f"{label} " for label in figures}
        words = {label: f"{named[label]}{figure.text}" for label, figure in figures.items()}
        line = tr("{name}: {figures}", name=self.name, figures=tr(", ").join(words.values()))
        self.text = line if words else ""
        coloured = tr(", ").join(
            f"<b style='color:{theme.arm(label).name()}'>{text}</b>"
            for label, text in words.items()
        )
        html = tr("{name}: {figures}", name=self.name, figures=coloured)
        self._words.setVisible(bool(words))
        self._forms = [
            f"<span style='color:{theme.text_2.name()}'>{form}</span>"
            for form in (html, coloured, coloured.replace(tr(", "), "<br>"))
        ]
        self._words.setFont(font(11))
        # Low curves pass here; the words stay legible on them.
        self._words.fill = QBrush(faded(theme.panel, 0.8))
        self._place()

    def _place(self) -> None:
        if not self.text:
            return
        # Where there is little room the name goes first: the level's colour tells whose it is.
        for form in self._forms:
            self._words.setHtml(form)
            if self._words.textItem.boundingRect().width() <= self._canvas.size_px[0]:
                break
        heights = [level.y for level in self.levels.values() if level.y is not None]
        bottom, top = self._canvas.y_range
        # Where the curves are not: at the foot, or under the top while the figures are small.
        at_foot = sum(heights) > (bottom + top) / 2 * len(heights)
        self._words.setAnchor((0.0, 1.0 if at_foot else 0.0))
        self._words.setPos(self._canvas.x_range[0], bottom if at_foot else top)
