"""What is known before a load: the model, its storage, memory, and everything it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QToolButton, QWidget

from modelmon.core.machine.memory import read_memory
from modelmon.gui.language import tr
from modelmon.gui.model import model_facts
from modelmon.gui.model.machine_details import DetailsDialog, FactSection, FindingsList
from modelmon.gui.model.model_contents import (
    ModelContents,
    ShareBar,
    composition,
    memory_parts,
    type_parts,
)
from modelmon.gui.model.model_tree import ModelTree
from modelmon.gui.session.notices import LOADING
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import icon_button, styled

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from modelmon.core.model.tensors import Model
    from modelmon.gui.model.machine_details import Fact
    from modelmon.gui.model.model_contents import BarSegment
    from modelmon.gui.session.machine import Machine
    from modelmon.gui.session.session import Session

WIDTH_PX = 264
LEAST_WIDTH_PX = 248
_LEAST_TREE_PX = 152
_NEUTRALS = ("neutral_1", "neutral_2", "neutral_3")
_LEAST_SECOND_TYPE = 0.01


class SidePanel(QWidget):
    """Follows the session's model, and what the doctor tells of the machine; `measure` is the
    command that takes a probe.
    """

    def __init__(self, session: Session, machine: Machine, measure: QAction) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setMinimumWidth(LEAST_WIDTH_PX)
        self._session, self._machine = session, machine
        self.model = FactSection(tr("Model"), "model", tr("No model is open."))
        self.storage = FactSection(tr("Storage"), "disk", tr("Shown when a model is open."))
        self.memory = FactSection(tr("Memory"), "memory", "")
        self.findings = FindingsList()
        self._kinds = ShareBar(_NEUTRALS, with_shares=True)
        self._ram = ShareBar(("neutral_1", "focus", "hover"), with_shares=False)
        self.model.add_below(self._kinds)
        self.open_contents = icon_button(
            "maximise", tr("Types, sizes, and all tensors in a larger view")
        )
        self.open_contents.clicked.connect(self.show_contents)
        self.model.add_to_head(self.open_contents)
        self._contents: ModelContents | None = None
        self.memory.add_above(self._ram)
        self.measure = styled(QToolButton(), "", compact=True)
        self.measure.setDefaultAction(measure)
        self.measure.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.storage.add_to_head(self.measure)
        self.tree = ModelTree()
        self.tree.setMinimumHeight(_LEAST_TREE_PX)
        self._spring = QWidget()
        self._loading = False
        self.sections = _Sections(self.model, self.findings, self.storage, self.memory)
        in_column(self.sections, (self.tree, 1), (self._spring, 1), on=self, spacing=0)
        self.findings.details.clicked.connect(self.show_details)
        self.findings.again.clicked.connect(machine.look)
        session.model_changed.connect(self.refresh)
        machine.changed.connect(self.refresh_machine)
        session.activity_changed.connect(self._on_activity)
        self.refresh()

    def refresh(self) -> None:
        """Show the session's model, or that there is none."""
        inspection = self._session.inspection
        model = inspection.model if inspection else None
        self.tree.set_model(model)
        self.tree.setVisible(model is not None)
        self._spring.setVisible(model is None)
        self.findings.setVisible(model is not None)
        self.measure.setVisible(model is not None)
        self.open_contents.setVisible(model is not None)
        self.renew()

    def renew(self) -> None:
        """Say all figures anew, after the units have changed; the tree stays as it is."""
        inspection = self._session.inspection
        model = inspection.model if inspection else None
        self.model.set_facts(model_facts.model_facts(inspection) if inspection else [])
        self._kinds.set_parts(_kinds(model) if model else [])
        if self._contents is not None and model is not None:
            self._contents.set_model(model)
            self._contents.tree.select_block(self.tree.block)
        self.refresh_machine()

    def refresh_machine(self) -> None:
        """Show what the doctor told last; before that what was known when the model opened."""
        inspection, found = self._session.inspection, self._machine.diagnosis
        model = inspection.model if inspection else None
        storage: list[Fact] = []
        if inspection is not None:
            storage = model_facts.storage_facts(inspection, found, loading=self._loading)
        memory = inspection.memory if inspection else read_memory()
        probe = self._machine.probe
        probed = model_facts.probe_facts(probe, model) if probe and model else []
        # What is in memory needs no more of it.
        lies_there = inspection is not None and inspection.storage.kind == "memory"
        known = model_facts.memory_facts(memory, None if lies_there else model, found)
        self.storage.set_facts([*storage, *probed])
        self.memory.set_facts(known)
        self._ram.set_parts(memory_parts(memory, model))
        machine = self._machine
        self.findings.show_findings(found, machine.failure, looking=machine.looking)

    def _on_activity(self) -> None:
        """Nobody looks at the machine while something loads, which changes what is cached."""
        loading = self._session.activity in LOADING
        if loading != self._loading:
            self._loading = loading
            self.refresh_machine()

    def show_contents(self) -> ModelContents | None:
        """Show all that is in the model in a window of its own; None where no model is open."""
        inspection = self._session.inspection
        if inspection is None:
            return None
        if self._contents is None:
            self._contents = ModelContents(self)
            self._contents.set_model(inspection.model)
            self._contents.tree.select_block(self.tree.block)
            self._contents.tree.block_selected.connect(self.tree.choose_block)
            self.tree.block_shown.connect(self._contents.tree.select_block)
        self._contents.show()
        self._contents.activateWindow()
        return self._contents

    def show_details(self) -> DetailsDialog | None:
        """Show everything that the doctor told; None where it has told nothing."""
        found = self._machine.diagnosis
        if found is None:
            return None
        dialog = DetailsDialog(self._machine, found, self)
        dialog.open()
        return dialog


class _Sections(QScrollArea):
    """As high as what is in it, and scrolled where there is no room for that."""

    def __init__(self, *sections: QWidget) -> None:
        super().__init__()
        self._inner = QWidget()
        in_column(*sections, on=self._inner, spacing=0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.setWidgetResizable(True)
        self.setWidget(self._inner)

    def sizeHint(self) -> QSize:
        """The height that the sections need at the present width."""
        height_px = self._inner.heightForWidth(self.width())
        return QSize(0, height_px if height_px > 0 else self._inner.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts that are wrapped need another height at another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow sections that grow, shrink or go."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def _kinds(model: Model) -> list[BarSegment]:
    """Types where there are several, which is what a quantised model is about; else its parts."""
    types = type_parts(model, len(_NEUTRALS))
    several = len(types) > 1 and types[1].share >= _LEAST_SECOND_TYPE
    return types if several else composition(model)
