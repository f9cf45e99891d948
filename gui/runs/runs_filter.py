"""The row over the table of runs: which of them are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from modelmon.gui.language import tr
from modelmon.gui.runs.run_lines import LineFilter
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import styled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.runs.run_lines import RunLine

_GAP_PX = 8
_AROUND_WORDS_PX = 26
_MOST_SEARCH_PX = 260


class RunsFilter(QWidget):
    """`changed` follows every choice; `every_model_chosen` asks for the runs of all models."""

    changed = Signal()
    every_model_chosen = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self._of_disk = True
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find in runs"))
        self.search.setAccessibleName(tr("Find in runs"))
        self.search.setProperty("compact", True)
        self.search.setMaximumWidth(_MOST_SEARCH_PX)
        self.model = _box(tr("Model"), (tr("This model"), tr("All models")))
        self.strategy = _box(tr("Strategy"), (tr("All strategies"),))
        self.start = _box(tr("Start state"), (tr("Any start state"),))
        self.only_here = QCheckBox()
        self.only_here.setChecked(True)
        self.starred = styled(QToolButton(), "chip")
        self.starred.setText("★")
        self.starred.setCheckable(True)
        self.starred.setToolTip(tr("Only starred runs"))
        self.starred.setAccessibleName(tr("Only starred runs"))
        self.search.ensurePolished()
        words_px = self.search.fontMetrics().horizontalAdvance(self.search.placeholderText())
        self.search.setMinimumWidth(words_px + _AROUND_WORDS_PX)
        row = self._row = in_row((self.search, 1), on=self, spacing=_GAP_PX)
        for widget in (self.starred, self.model, self.strategy, self.start, self.only_here):
            row.addWidget(widget)
        self.search.textChanged.connect(self.changed)
        self.model.currentIndexChanged.connect(lambda at: self.every_model_chosen.emit(at == 1))
        self.strategy.currentIndexChanged.connect(self.changed)
        self.start.currentIndexChanged.connect(self.changed)
        self.only_here.toggled.connect(self.changed)
        self.starred.toggled.connect(self.changed)

    @property
    def wanted(self) -> LineFilter:
        """What is chosen now."""
        return LineFilter(
            text=self.search.text(),
            strategy=_chosen(self.strategy),
            start=_chosen(self.start),
            only_here=self.only_here.isChecked(),
            starred=self.starred.isChecked(),
        )

    def choose_every_model(self) -> None:
        """Want the runs of all models, not only those of the open one."""
        self.model.setCurrentIndex(1)

    def show_model(self, *, known: bool) -> None:
        """Whether a model is open, to which the choice between models and disks belongs."""
        self.model.setVisible(known)
        self._of_disk = known
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say and offer as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        whole = tr("Only this machine and disk") if self._of_disk else tr("Only this machine")
        self.only_here.setToolTip("")
        self.only_here.setText(whole)
        boxes = (self.start, self.strategy)
        for box in boxes:
            box.show()
        if self._lacks_room():
            self.only_here.setText(tr("Only here"))
            self.only_here.setToolTip(whole)
        for box in boxes:
            # What is chosen in a box is never out of sight.
            if box.currentIndex() == 0 and self._lacks_room():
                box.hide()

    def _lacks_room(self) -> bool:
        self._row.invalidate()
        return self._row.minimumSize().width() > self.width()

    def offer(self, lines: Iterable[RunLine]) -> None:
        """Offer the strategies and starts that there are; what is chosen stays."""
        strategies, starts = set(), set()
        for line in lines:
            strategies.add(line.strategy)
            starts.add(line.start)
        _fill(self.strategy, strategies)
        _fill(self.start, starts)
        self._fit()


def _box(name: str, texts: tuple[str, ...]) -> QComboBox:
    box = styled(QComboBox(), "", compact=True)
    box.setAccessibleName(name)
    box.addItems(texts)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return box


def _chosen(box: QComboBox) -> str:
    return box.currentText() if box.currentIndex() > 0 else ""


def _fill(box: QComboBox, texts: set[str]) -> None:
    chosen = _chosen(box)
    offered = sorted((texts | {chosen}) - {""})
    if offered == [box.itemText(at) for at in range(1, box.count())]:
        return
    box.blockSignals(True)
    while box.count() > 1:
        box.removeItem(1)
    box.addItems(offered)
    box.setCurrentIndex(offered.index(chosen) + 1 if chosen else 0)
    box.blockSignals(False)
