"""Everything in a model with room to read it: types, sizes, and the tree with all columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from modelmon.core.units import size_text
from modelmon.gui.look.language import tr
from modelmon.gui.look.layout import STRETCH, in_column, in_row
from modelmon.gui.look.screen_room import resize_on_screen
from modelmon.gui.look.styling import label, rule
from modelmon.gui.machine import facts
from modelmon.gui.opening.model_figures import size_bins, type_parts
from modelmon.gui.panels.model.model_tree import ModelTree
from modelmon.gui.panels.model.share_bar import ShareBar
from modelmon.gui.panels.model.size_histogram import SizeHistogram

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from modelmon.core.model.tensors import Model

TYPE_ROLES = ("neutral_1", "focus", "overlay_1", "overlay_2", "overlay_3", "neutral_3")
_PART_ROLES = ("neutral_1", "neutral_2", "neutral_3")
_SIZE_PX = (880, 720)


class ModelContents(QDialog):
    """A window beside the main one; it follows the model and the selected block."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("Model contents"))
        resize_on_screen(self, *_SIZE_PX)
        self._main = parent.window()
        self._main.installEventFilter(self)
        self.heading = label("", "headline")
        self.types = ShareBar(TYPE_ROLES, with_shares=True)
        self.parts = ShareBar(_PART_ROLES, with_shares=True)
        self._parts = _titled(tr("Parts by bytes"), self.parts)
        self.sizes = SizeHistogram()
        self.tree = ModelTree()
        head = in_row((self._shares(), 1), margins=(16, 12, 16, 12), spacing=32)
        head.addWidget(_titled(tr("Tensors by size"), self.sizes), 1)
        in_column(head, rule(), (self.tree, 1), on=self, spacing=0)

    def set_model(self, model: Model) -> None:
        """Show another model."""
        self.setWindowTitle(tr("{model}: model contents", model=model.name))
        self.heading.setText(
            tr(
                "{size}, {tensors} tensors in {blocks} blocks",
                size=size_text(model.nbytes),
                tensors=f"{len(model.tensors):,}",
                blocks=f"{len(model.blocks):,}",
            )
        )
        self.types.set_parts(type_parts(model, len(TYPE_ROLES)))
        parts = facts.composition(model)
        self.parts.set_parts(parts)
        self._parts.setVisible(bool(parts))
        self.sizes.set_bins(size_bins(model))
        self.tree.set_model(model)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close with the main window, or the program would not end.

        That hides when it closes; it may have been asked to and have refused.
        """
        hidden = event.type() == QEvent.Type.Hide and not event.spontaneous()
        if watched is self._main and hidden:
            self.close()
        return super().eventFilter(watched, event)

    def _shares(self) -> QVBoxLayout:
        column = in_column(self.heading, _titled(tr("Types by bytes"), self.types), spacing=12)
        column.addWidget(self._parts)
        column.addStretch(1)
        return column


def _titled(title: str, widget: QWidget) -> QWidget:
    box = QWidget()
    in_column(label(title, "heading"), widget, STRETCH, on=box, spacing=4)
    return box
