"""What dialogs of one table share: a question above it, what is said below, and Close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QTableView,
    QWidget,
)

from modelmon.gui.language import tr
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.markdown import markdown_of_model
from modelmon.gui.widgets.styling import label, push_button
from modelmon.gui.widgets.tables import dress
from modelmon.gui.widgets.text_table import TextTable

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIZE_PX = (960, 420)


class TableDialog(Dialog):
    """`table` stands under the question; `said` is what there is to say of it."""

    def __init__(
        self, title: str, headings: Sequence[str], figures: Sequence[str], parent: QWidget | None
    ) -> None:
        super().__init__(title, parent, size_px=_SIZE_PX)
        self.table = TextTable(
            [tr(each) for each in headings], [tr(each) for each in figures], self
        )
        self.said = label("", "value", wrap=True)

    def lay_out(self, question: str, field: QWidget, name: str, hint: str) -> None:
        """Put `field` over the table, called `name`, and `hint` under it."""
        field.setAccessibleName(question)
        head = in_row(label(question, "label"), field, STRETCH)
        view = self.view = QTableView()
        view.setModel(self.table)
        dress(view, name)
        self.copy = push_button(tr("Copy as Markdown"), "copy")
        self.copy.clicked.connect(self._copy)
        column = in_column(head, (view, 1), self.said, on=self, margins=(24, 16, 24, 16), spacing=8)
        column.addWidget(label(hint, "hint", wrap=True))
        column.addLayout(ButtonRow(self, tr("Close"), besides=(self.copy,)))

    def _copy(self) -> None:
        columns = range(self.table.columnCount())
        shown = [at for at in columns if not self.view.isColumnHidden(at)]
        text = markdown_of_model(self.table, shown)
        QGuiApplication.clipboard().setText(text)
