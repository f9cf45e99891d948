"""The runs of this window as a table."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.gui.narration import cache_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.experiment.result import RunResult
    from modelmon.gui.session import Run

Index = QModelIndex | QPersistentModelIndex

SORT_ROLE = Qt.ItemDataRole.UserRole
RUN_ROLE = Qt.ItemDataRole.UserRole + 1
ABSENT = "–"


@dataclass(frozen=True, slots=True)
class _Column:
    """How one column reads a run: its text, and what it is sorted by."""

    title: str
    text: Callable[[Run], str]
    key: Callable[[Run], float | str]
    tool_tip: str = ""
    right: bool = False


def _figure(
    title: str,
    value: Callable[[RunResult], float | None],
    shown: Callable[[float], str],
    tool_tip: str,
) -> _Column:
    """A column of figures; one that a platform lacks shows a dash and sorts first."""

    def of(run: Run) -> float | None:
        return value(run.result) if run.result else None

    def text(run: Run) -> str:
        known = of(run)
        return ABSENT if known is None else shown(known)

    def key(run: Run) -> float:
        known = of(run)
        return -1.0 if known is None else float(known)

    return _Column(title, text, key, tool_tip, right=True)


def _strategy(run: Run) -> str:
    return run.record.hello.job.strategy if run.record.hello else ABSENT


def _start(run: Run) -> str:
    return cache_text(run.result) if run.result else ABSENT


def _clock(run: Run) -> str:
    if run.record.hello is None:
        return ABSENT
    return time.strftime("%H:%M:%S", time.localtime(run.record.hello.started_unix_s))


def standing(run: Run) -> str:
    """Whether a run counts, or why not."""
    if run.record.failed is not None:
        return f"Failed: {run.record.failed.message}"
    if run.result is None:
        return "Not finished"
    return "Counts" if run.result.counts else f"Not counted: {run.result.why_not}"


def _number(run: Run) -> float:
    return float(run.number)


COLUMNS = (
    _Column("#", lambda run: str(run.number), _number, right=True),
    _Column("Arm", lambda run: run.label, lambda run: run.label),
    _Column("Strategy", _strategy, _strategy),
    _figure("Time", lambda r: r.wall_ns, duration_text, "From the start to the last byte"),
    _figure("Rate", lambda r: r.bytes_per_s, rate_text, "Delivered bytes per second"),
    _figure("Peak RSS", lambda r: r.peak_rss_bytes, size_text, "Largest resident set of the run"),
    _figure(
        "IO-wait",
        lambda r: r.io_wait_share,
        percent_text,
        "Share of the readers' time that they were off the CPU for storage",
    ),
    _figure("From device", lambda r: r.device_bytes, size_text, "Bytes fetched from storage"),
    _figure("Requests", lambda r: r.requests, lambda n: f"{n:,.0f}", "Number of read requests"),
    _Column("Start", _start, _start, "How the page cache stood, and how that is known"),
    _Column("At", _clock, _number),
    _Column("Standing", standing, standing),
)


class RunsModel(QAbstractTableModel):
    """One row per run."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: list[Run] = []

    def set_runs(self, runs: list[Run]) -> None:
        """Take over the session's runs; added ones appear without disturbing a selection."""
        known = len(self._runs)
        if runs[:known] == self._runs:
            if len(runs) > known:
                self.beginInsertRows(QModelIndex(), known, len(runs) - 1)
                self._runs = list(runs)
                self.endInsertRows()
            return
        self.beginResetModel()
        self._runs = list(runs)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 (Qt's)
        """Number of runs."""
        return 0 if parent.isValid() else len(self._runs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 (Qt's)
        """Number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(  # noqa: N802 (Qt's name)
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Titles, and what they mean as tool tips."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        answers: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: column.title,
            Qt.ItemDataRole.ToolTipRole: column.tool_tip or None,
            Qt.ItemDataRole.TextAlignmentRole: _alignment(column),
        }
        return answers.get(role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, alignment, keys for sorting and the Run itself."""
        if not index.isValid():
            return None
        run, column = self._runs[index.row()], COLUMNS[index.column()]
        answers: dict[int, Callable[[], object]] = {
            Qt.ItemDataRole.DisplayRole: lambda: column.text(run),
            Qt.ItemDataRole.ToolTipRole: lambda: column.text(run),
            Qt.ItemDataRole.TextAlignmentRole: lambda: _alignment(column),
            SORT_ROLE: lambda: column.key(run),
            RUN_ROLE: lambda: run,
        }
        answer = answers.get(role)
        return answer() if answer else None


def _alignment(column: _Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
