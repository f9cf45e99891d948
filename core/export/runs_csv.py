"""Runs of the history as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.history.rows import RunRow

if TYPE_CHECKING:
    from collections.abc import Sequence


def csv_text(rows: Sequence[RunRow]) -> str:
    """One line per run under a heading; a figure that is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(RunRow.__struct_fields__)
    writer.writerows(msgspec.structs.astuple(row) for row in rows)
    return text.getvalue()
