"""Figures as tables for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.history.rows import RunRow
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def runs_csv(rows: Sequence[RunRow]) -> str:
    """A row for each run of the history."""
    return csv_table(RunRow.__struct_fields__, map(msgspec.structs.astuple, rows))


def csv_table(headings: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Rows under their headings; a figure that is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(map(spreadsheet_cell, row) for row in rows)
    return text.getvalue()


def spreadsheet_cell(value: object) -> object:
    """A name as text in one line: a spreadsheet would compute what begins like a formula."""
    if not isinstance(value, str):
        return value
    shown = one_line(value)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown
