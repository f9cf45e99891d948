"""The page cache in the window, of real files and seen by a real process."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.model.sample import write_sample
from modelmon.gui.main_window import MainWindow
from modelmon.gui.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="needs the page cache of Linux"),
]

SIZE_BYTES = 32 * 1024**2
PATIENCE_MS = 60_000


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model of one file, on a disk, wholly cached."""
    written = write_sample(tmp_path / "m.safetensors", "safetensors", SIZE_BYTES, 4, 0)
    with written.open("rb") as file:
        if obstacle := eviction_obstacle(file.fileno()):
            pytest.skip(obstacle)
        os.fsync(file.fileno())
        file.read()
    return written


@pytest.fixture
def window(model: Path, tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    made = MainWindow(Settings(tmp_path / "window.ini"))
    made.show()
    made.opening.open(str(model))
    qtbot.waitUntil(lambda: made.session.preflight is not None, timeout=PATIENCE_MS)
    yield made
    made.close()


def _share(window: MainWindow) -> float:
    row = window.workspace.page_cache.strip.rows[0]
    share = row.looks[0].whole.share if row.looks else None
    assert share is not None
    return share


def test_that_another_look_sees_what_was_dropped_meanwhile(
    window: MainWindow, model: Path, qtbot: QtBot
) -> None:
    work = window.workspace
    work.tabs.setCurrentWidget(work.page_cache)
    qtbot.waitUntil(lambda: not window.machine.looking, timeout=PATIENCE_MS)
    # The system may take a page or two for something else.
    assert _share(window) >= 0.99
    half = model.stat().st_size // 2 // 4096 * 4096
    with model.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, half, os.POSIX_FADV_DONTNEED)
    assert work.page_cache.again.isEnabled()
    work.page_cache.again.click()
    assert not work.page_cache.again.isEnabled()
    qtbot.waitUntil(work.page_cache.again.isEnabled, timeout=PATIENCE_MS)
    share = _share(window)
    assert share == pytest.approx(0.5, abs=0.02)
    counts = work.page_cache.strip.rows[0].looks[0].files[0].cached_pages
    assert sum(counts[: len(counts) // 2 - 2]) == 0
    still = counts[len(counts) // 2 + 2 :]
    assert sum(map(bool, still)) >= 0.99 * len(still)


def test_that_a_run_is_shown_before_and_after_and_the_look_is_taken_again(
    window: MainWindow, qtbot: QtBot
) -> None:
    work = window.workspace
    work.tabs.setCurrentWidget(work.page_cache)
    qtbot.waitUntil(lambda: not window.machine.looking, timeout=PATIENCE_MS)
    window.session.set_preset("A", "sequential")
    window.session.set_cache("cold")
    window.handlers.run_a()
    assert not work.page_cache.again.isEnabled()
    qtbot.waitUntil(lambda: not window.session.busy, timeout=PATIENCE_MS)
    rows = {row.name: row for row in work.page_cache.strip.rows}
    before, after = (rows[f"A  {name}"].looks[0].whole.share for name in ("Before", "After"))
    assert before is not None
    assert before < 0.01
    assert after is not None
    assert after > 0.99
    qtbot.waitUntil(lambda: not window.machine.looking, timeout=PATIENCE_MS)
    assert _share(window) == pytest.approx(1.0, abs=0.01)
