from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.system.beds import fuse_store, memory_limit, throttle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from modelmon.gui.main_window import MainWindow

# Windows of these tests open on no screen; test_window_xdotool.py has a screen of its own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

BEDS = {
    "a FUSE mount": fuse_store.why_not,
    "a throttled disk": throttle.why_not,
    "a memory limit": memory_limit.why_not,
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which storage of known cost there was to test with."""
    found = [f"{name}: {why_not() or 'yes'}" for name, why_not in BEDS.items()]
    terminalreporter.write_line(f"Test beds: {', '.join(found)}.")


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds what another has measured: a probe of a busy moment would judge its runs."""
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "user-data"))


@pytest.fixture
def window(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MainWindow]:
    """A window with nothing open and settings of its own."""
    from tests.system.windows import shown_window  # noqa: PLC0415  most tests here need no Qt

    with shown_window(request.getfixturevalue("qtbot"), tmp_path / "window.ini") as made:
        yield made
