"""Asks for a cluster: where it is, how many nodes, and the one or two ways in which they load."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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

from modelmon.core.cluster.ways import LOCAL, ClusterDefaults, way_called
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
    from modelmon.core.cluster.ways import CopyPer
    from modelmon.core.worker.events import Cache
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


class WantedWay(NamedTuple):
    """A strategy, who loads a copy, and when nodes start, as it is typed."""

    strategy: str
    copy_per: CopyPer = "node"
    start: str = "together"
    local: bool = False

    @property
    def text(self) -> str:
        """As `--compare` takes it."""
        parts = [self.strategy]
        if self.copy_per != "node":
            parts.append(self.copy_per)
        if self.start != "together":
            parts.append(self.start)
        if self.local:
            parts.append("local")
        return "/".join(parts)


@dataclass(frozen=True, slots=True)
class WantedCluster:
    """`ways` are one or two; `nodes` may be ALL_NODES, `repeats` USUAL_REPEATS, `cache` None for
    the start that is possible there.
    """

    path: str
    address: str
    ways: tuple[WantedWay, ...]
    nodes: int = ALL_NODES
    ranks: int = 1
    cache: Cache | None = None
    repeats: int = USUAL_REPEATS
    local: str = ""

    @property
    def arguments(self) -> list[str]:
        """Of `modelmon`."""
        said = ["cluster", self.path, "--address", self.address]
        if self.nodes != ALL_NODES:
            said += ["--nodes", str(self.nodes)]
        if self.ranks > 1:
            said += ["--ranks-per-node", str(self.ranks)]
        if len(self.ways) > 1:
            said += ["--compare", ",".join(way.text for way in self.ways)]
        else:
            said += ["--strategy", *(way.text for way in self.ways)]
        if self.local:
            said += ["--local-disk", self.local]
        if self.cache is not None:
            said += ["--cache", self.cache]
        if self.repeats != USUAL_REPEATS:
            said += ["--repeats", str(self.repeats)]
        return said

    @property
    def command(self) -> str:
        """The same in a terminal."""
        return shlex.join(["modelmon", *self.arguments])


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
        self.copies.addItem(tr("its copy on the local disk"), LOCAL)
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
    def way(self) -> WantedWay | None:
        """What is chosen; None where B is none."""
        strategy = str(self.strategy.currentData())
        if strategy == _NONE:
            return None
        start = str(self.start.currentData())
        if start == _STAGGERED:
            start = f"staggered:{self.step.value():g}s"
        chosen = self.copies.currentData()
        copies: CopyPer = next((each for each in COPIES if each == chosen), "node")
        return WantedWay(strategy, copies, start, local=chosen == LOCAL)

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
    """`start_wanted` carries the WantedCluster that was agreed to."""

    start_wanted = Signal(object)

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
        self.local = QLineEdit()
        self.local.setPlaceholderText(tr("A folder on each node's own disk, to weigh copies there"))
        self.local.setToolTip(
            tr("Says what copies there would cost, measured with a file of up to 256 MiB")
        )
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
            tr(
                "Starts of each number of nodes: 1, 2, 4 and so on, and all. "
                "Auto: 3, or 5 to compare"
            )
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
    def wanted(self) -> WantedCluster:
        """What is chosen."""
        cache = next(value for value in ("cold", "warm", "as-is") if value == self.cache.value)
        return WantedCluster(
            self.path.text().strip(),
            self.address.text().strip(),
            tuple(fields.way for fields in self.ways.values() if fields.way is not None),
            self.nodes.value(),
            self.ranks.value(),
            None if cache == "cold" else cache,
            self.repeats.value(),
            self.local.text().strip(),
        )

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
            (tr("Local disk"), self.local),
            (tr("Cache"), self.cache),
        ):
            form.add(name, field)
        column.addLayout(form)
        column.addWidget(self.problem)
        column.addWidget(self.command)
        hint = tr("Stop any time and keep what was measured")
        column.addLayout(ButtonRow(self, tr("Cancel"), (self.start,), hint=hint))

    def _connect(self) -> None:
        for field in (self.address, self.path, self.local):
            field.textChanged.connect(self._judge)
        for spin in (self.nodes, self.ranks, self.repeats):
            spin.valueChanged.connect(self._judge)
        for fields in self.ways.values():
            fields.changed.connect(self._judge)
        self.cache.chosen.connect(self._judge)
        self.start.clicked.connect(self._agree)

    def _judge(self) -> None:
        """Say what is missing, and what the same is in a terminal."""
        wanted, problem = self.wanted, ""
        if not wanted.address:
            problem = tr("Name the Ray cluster: auto, HOST:PORT or ray://HOST:PORT.")
        elif not wanted.path.startswith("/"):
            problem = tr("Name the model by its whole path on the nodes.")
        else:
            problem = _conflict(wanted)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        restyle(self.problem, role="error")
        self.start.setEnabled(not problem)
        self.start.setToolTip(problem)
        self.command.setText(wanted.command)

    def _agree(self) -> None:
        wanted = self.wanted
        self._settings.cluster_address = wanted.address
        self.accept()
        self.start_wanted.emit(wanted)


def _conflict(wanted: WantedCluster) -> str:
    """What of the ways can't be; "" if they can."""
    try:
        for way in wanted.ways:
            usual = ClusterDefaults(ranks=wanted.ranks, local=wanted.local)
            way_called("A", way.text, usual)
    except ConfigError as error:
        return said(error.text)
    texts = [way.text for way in wanted.ways]
    if len(set(texts)) < len(texts):
        return tr("A and B are the same: change one of them.")
    return ""
