"""Asks for a cluster: where it is, how many nodes, and the one or two ways in which they load."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from modelmon.core.cluster.ways import ClusterDefaults, way_called
from modelmon.core.errors import ConfigError
from modelmon.core.load.config import MAX_RANKS, PRESETS
from modelmon.gui.cluster.cluster_words import COPIES
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.run_words import cache_choices
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import ButtonRow, Dialog, Form
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import label, push_button, restyle
from modelmon.gui.widgets.theme import mono_font

if TYPE_CHECKING:
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings

_WIDTH_PX = 960
_MOST_NODES = 100_000
_MOST_REPEATS = 100
_NONE = ""
_STAGGERED = "staggered"
_STEP_S, _LEAST_STEP_S, _MOST_STEP_S = 2.0, 0.1, 3600.0
_STARTS = {
    "together": mark("all at once"),
    _STAGGERED: mark("one after another"),
}

ALL_NODES = USUAL_REPEATS = 0


class WayFields(QWidget):
    """A way to load: strategy, who loads a copy, when nodes start. `changed` follows each choice.

    B may be none.
    """

    changed = Signal()

    def __init__(self, arm: ArmLabel, strategy: str) -> None:
        super().__init__()
        badge = QLabel(arm)
        badge.setProperty("role", "badge")
        badge.setProperty("arm", arm)
        badge.setFixedSize(18, 18)
        badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.strategy = QComboBox()
        if arm == "B":
            self.strategy.addItem(tr("compare with nothing"), _NONE)
        for name in PRESETS:
            self.strategy.addItem(name, name)
        self.strategy.setCurrentIndex(max(0, self.strategy.findData(strategy)))
        self.copies = QComboBox()
        for value, text in COPIES.items():
            self.copies.addItem(tr(text), value)
        self.start = QComboBox()
        for text_value, text in _STARTS.items():
            self.start.addItem(tr(text), text_value)
        self.step = QDoubleSpinBox()
        self.step.setRange(_LEAST_STEP_S, _MOST_STEP_S)
        self.step.setDecimals(1)
        self.step.setValue(_STEP_S)
        self.step.setPrefix(tr("every "))
        self.step.setSuffix(tr(" s"))
        self._name(tr("Strategy of {arm}", arm=arm), self.strategy)
        self._name(tr("Copies of {arm}", arm=arm), self.copies)
        self._name(tr("Start of {arm}", arm=arm), self.start)
        self._name(tr("Time between nodes of {arm}", arm=arm), self.step)
        row = in_row(badge, (self.strategy, 2), (self.copies, 2), on=self, spacing=8)
        row.addWidget(self.start, 2)
        row.addWidget(self.step)
        # With these, fields of both ways lie below each other.
        for box in (self.strategy, self.copies, self.start):
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        kept = self.step.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.step.setSizePolicy(kept)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(self.strategy.sizeHint().height())
        for box in (self.strategy, self.copies, self.start):
            box.currentIndexChanged.connect(self._on_change)
        self.step.valueChanged.connect(self._on_change)
        self._on_change()

    @property
    def text(self) -> str:
        """What is chosen, as `--compare` takes it; "" where B is none."""
        if not (strategy := self.strategy.currentData()):
            return ""
        copies, start = self.copies.currentData(), self.start.currentData()
        if start == _STAGGERED:
            start = f"{_STAGGERED}:{self.step.value():g}s"
        # What a way has without saying so is left out.
        said = (copies if copies != "node" else "", start if start != "together" else "")
        return "/".join(filter(None, (strategy, *said)))

    @staticmethod
    def _name(name: str, field: QWidget) -> None:
        field.setAccessibleName(name)
        field.setToolTip(name)

    def _on_change(self) -> None:
        chosen = str(self.strategy.currentData()) != _NONE
        for field in (self.copies, self.start):
            field.setEnabled(chosen)
            field.setToolTip(field.accessibleName() if chosen else tr("Choose a strategy for B"))
        self.step.setVisible(chosen and self.start.currentData() == _STAGGERED)
        self.changed.emit()


class ClusterDialog(Dialog):
    """`start_wanted` carries the arguments of `modelmon` that were agreed to."""

    start_wanted = Signal(list)

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(tr("Measure a cluster"), parent, least_width_px=_WIDTH_PX)
        self._settings = settings
        inspection = session.inspection
        self.address = QLineEdit(settings.cluster_address)
        self.address.setPlaceholderText(tr("auto, HOST:PORT or ray://HOST:PORT"))
        self.address.setToolTip(tr("auto finds the cluster that this machine is part of"))
        path = inspection.model.path if inspection is not None else session.clusters.path
        self.path = QLineEdit(path)
        self.path.setPlaceholderText(tr("Path of the model, the same on every node"))
        self.nodes = QSpinBox()
        self.nodes.setRange(ALL_NODES, _MOST_NODES)
        self.nodes.setSpecialValueText(tr("all"))
        self.ranks = QSpinBox()
        self.ranks.setRange(1, MAX_RANKS)
        self.ranks.setToolTip(tr("Processes that load on each node, as workers of GPUs do"))
        self.repeats = QSpinBox()
        self.repeats.setRange(USUAL_REPEATS, _MOST_REPEATS)
        self.repeats.setSpecialValueText(tr("auto"))
        self.repeats.setToolTip(
            tr("Runs for each number of nodes (1, 2, 4, …, all). Auto: 3, or 5 to compare")
        )
        for spin in (self.nodes, self.ranks, self.repeats):
            spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        used = session.strategy_name("A")
        first = used if used in PRESETS else "direct"
        self.ways: dict[ArmLabel, WayFields] = {
            "A": WayFields("A", first),
            "B": WayFields("B", _NONE),
        }
        self.cache = Segments(tr("Cache"), cache_choices())
        self.cache.set_value(session.cache)
        self.problem = label("", "error", wrap=True)
        self.command = label("", "hint", wrap=True)
        self.command.setFont(mono_font())
        flags = Qt.TextInteractionFlag
        self.command.setTextInteractionFlags(
            flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
        )
        self.start = push_button(tr("Start"), "run", "primary", "ink_text")
        self.start.setDefault(True)
        self._fill()
        self._connect()
        self._judge()

    @property
    def arguments(self) -> list[str]:
        """What is chosen, as the subcommand takes it, without its own defaults."""
        found = ["cluster", self.path.text().strip(), "--address", self.address.text().strip()]
        first, *others = self._ways
        named = {
            "--nodes": self.nodes.value(),
            "--ranks-per-node": self.ranks.value() if self.ranks.value() > 1 else 0,
            "--compare" if others else "--strategy": ",".join((first, *others)),
            "--cache": self.cache.value if self.cache.value != "cold" else "",
            "--repeats": self.repeats.value(),
        }
        for name, value in named.items():
            found += [name, str(value)] if value else []
        return found

    @property
    def _ways(self) -> list[str]:
        return [fields.text for fields in self.ways.values() if fields.text]

    def _fill(self) -> None:
        column = in_column(on=self, margins=(24, 16, 24, 16), spacing=12)
        about = tr(
            "An ordinary worker on each node loads the model at the same moment as all others. "
            "Only results travel over Ray."
        )
        column.addWidget(label(about, "label", wrap=True))
        form = Form()
        counts = QWidget()
        numbers = in_row(self.nodes, on=counts, spacing=8)
        for name, spin in ((tr("Ranks per node"), self.ranks), (tr("Repeats"), self.repeats)):
            spin.setAccessibleName(name)
            numbers.addSpacing(16)
            numbers.addWidget(label(name, "label"))
            numbers.addWidget(spin)
        numbers.addStretch(1)
        self.nodes.setAccessibleName(tr("Nodes"))
        for name, field in (
            (tr("Ray cluster"), self.address),
            (tr("Model"), self.path),
            (tr("Nodes"), counts),
            (tr("Load"), self.ways["A"]),
            (tr("Compare with"), self.ways["B"]),
            (tr("Cache"), self.cache),
        ):
            form.add(name, field)
        column.addLayout(form)
        column.addWidget(self.problem)
        column.addWidget(self.command)
        hint = tr("Stop any time and keep what was measured")
        column.addLayout(ButtonRow(self, tr("Cancel"), (self.start,), hint=hint))

    def _connect(self) -> None:
        for field in (self.address, self.path):
            field.textChanged.connect(self._judge)
        for spin in (self.nodes, self.ranks, self.repeats):
            spin.valueChanged.connect(self._judge)
        for fields in self.ways.values():
            fields.changed.connect(self._judge)
        self.cache.chosen.connect(self._judge)
        self.start.clicked.connect(self._agree)

    def _judge(self) -> None:
        """Say what is missing, and what the same is in a terminal."""
        if not self.address.text().strip():
            problem = tr("Name the Ray cluster: auto, HOST:PORT or ray://HOST:PORT.")
        elif not self.path.text().strip().startswith("/"):
            problem = tr("Name the model by its whole path on the nodes.")
        else:
            problem = self._conflict()
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        restyle(self.problem, role="error")
        self.start.setEnabled(not problem)
        self.start.setToolTip(problem)
        self.command.setText(shlex.join(["modelmon", *self.arguments]))

    def _conflict(self) -> str:
        """What of the ways can't be; "" if they can."""
        usual = ClusterDefaults(ranks=self.ranks.value())
        try:
            names = [way_called("A", text, usual).name for text in self._ways]
        except ConfigError as error:
            return said(error.text)
        if len({*names}) < len(names):
            return tr("A and B are the same: change one of them.")
        return ""

    def _agree(self) -> None:
        self._settings.cluster_address = self.address.text().strip()
        self.accept()
        self.start_wanted.emit(self.arguments)
