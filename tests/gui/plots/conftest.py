from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from modelmon.gui.plots.blocks.block_timings import BlockTimings

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from modelmon.core.worker.record import RunRecord

Plot = TypeVar("Plot", bound="QWidget")


@pytest.fixture
def show(qtbot: QtBot) -> Callable[..., QWidget]:
    """Show a plot at the size it has in the window."""

    def shown(plot: Plot, width: int = 560, height: int = 256) -> Plot:
        qtbot.addWidget(plot)
        plot.resize(width, height)
        plot.show()
        qtbot.waitExposed(plot)
        return plot

    return shown


@pytest.fixture
def timings(show: Callable[..., Any], slow: RunRecord, fast: RunRecord) -> BlockTimings:
    """Blocks of the slow run in A and of the fast one in B."""
    made: BlockTimings = show(BlockTimings(), 1100, 290)
    made.set_record("A", slow)
    made.set_record("B", fast)
    return made


@pytest.fixture(scope="session")
def slow(recordings: ModuleType) -> RunRecord:
    """8.28 s, one reader, mapped."""
    made: RunRecord = recordings.record(recordings.SLOW)
    return made


@pytest.fixture(scope="session")
def fast(recordings: ModuleType) -> RunRecord:
    """5.23 s, four readers, owned."""
    made: RunRecord = recordings.record(recordings.FAST)
    return made
