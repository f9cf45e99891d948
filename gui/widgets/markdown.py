"""Tables as Markdown, to be pasted into an issue or a page."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from PySide6.QtCore import QAbstractItemModel


def markdown_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], figures: Collection[int] = ()
) -> str:
    """A table of finished texts; those columns that are `figures` stand at the right."""
    rules = ("--:" if at in figures else ":--" for at in range(len(headings)))
    lines = [map(escaped, headings), rules, *(map(escaped, row) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def markdown_of_model(
    model: QAbstractItemModel, columns: Sequence[int], rows: Iterable[int] | None = None
) -> str:
    """These columns of a table as it is shown, of some rows or of all."""
    across, side = Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
    chosen = range(model.rowCount()) if rows is None else rows
    sides = [Qt.AlignmentFlag(model.headerData(column, across, side) or 0) for column in columns]
    figures = {at for at, each in enumerate(sides) if each & Qt.AlignmentFlag.AlignRight}
    headings = [str(model.headerData(column, across) or "") for column in columns]
    cells = ([str(model.index(row, column).data() or "") for column in columns] for row in chosen)
    return markdown_table(headings, cells, figures)


def markdown_of_csv(text: str) -> str:
    """A table that was written as CSV; what is a number in its first row stands at the right."""
    headings, *rows = csv.reader(io.StringIO(text, newline=""))
    first = rows[0] if rows else []
    figures = {at for at, cell in enumerate(first) if cell.replace(".", "", 1).isdecimal()}
    return markdown_table(headings, rows, figures)


def escaped(text: str) -> str:
    """A text of strangers in one line, in which a name is no link, picture or HTML."""
    return re.sub(r"([\\|<\[`])", r"\\\1", one_line(text).strip())
