"""The page cache in the window, of real files and seen by a real process."""

import os
import sys
from mmap import PAGESIZE

import pytest
from tests.page_cache import drop, kept
from tests.system.windows import opened, shown_window

from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.model.sample import write_sample

pytestmark = [
    pytest.mark.system,
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="needs the page cache of Linux"),
]

SIZE_BYTES = 32 * 1024**2


@pytest.fixture
def model(tmp_path):
    """A model of one file, on a disk, wholly cached."""
    written = write_sample(tmp_path / "m.safetensors", "safetensors", SIZE_BYTES, 4, 0)
    with written.open("rb") as file:
        if obstacle := eviction_obstacle(file.fileno()):
            pytest.skip(obstacle)
        os.fsync(file.fileno())
        file.read()
    return written


@pytest.fixture
def window(model, tmp_path, qtbot):
    with shown_window(qtbot, tmp_path / "window.ini") as made:
        opened(qtbot, made, model)
        yield made


def _share(window):
    row = window.workspace.page_cache.strip.rows[0]
    share = row.looks[0].whole.share if row.looks else None
    assert share is not None
    return share


def test_that_another_look_sees_what_was_dropped_meanwhile(window, model, qtbot):
    work = window.workspace
    work.tabs.setCurrentWidget(work.page_cache)
    qtbot.waitUntil(lambda: not window.machine.looking)

    def look_again():
        assert work.page_cache.again.isEnabled()
        work.page_cache.again.click()
        assert not work.page_cache.again.isEnabled()
        qtbot.waitUntil(work.page_cache.again.isEnabled)

    with kept(model):
        look_again()
    assert _share(window) == 1.0
    size = model.stat().st_size
    half = size // 2 // PAGESIZE * PAGESIZE
    drop(model)
    with kept(model, (half, size - half)):
        look_again()
    assert _share(window) == pytest.approx(0.5, abs=0.01)
    counts = work.page_cache.strip.rows[0].looks[0].files[0].cached_pages
    middle = len(counts) // 2
    assert not any(counts[: middle - 1])
    assert all(counts[middle + 1 :])


def test_that_a_run_is_shown_before_and_after_and_the_look_is_taken_again(window, qtbot):
    work = window.workspace
    work.tabs.setCurrentWidget(work.page_cache)
    qtbot.waitUntil(lambda: not window.machine.looking)
    window.session.set_preset("A", "sequential")
    window.session.set_cache("cold")
    window.commands.run_a()
    assert not work.page_cache.again.isEnabled()
    qtbot.waitUntil(lambda: not window.session.busy)
    rows = {row.name: row for row in work.page_cache.strip.rows}
    before, after = (rows[f"A  {name}"].looks[0].whole.share for name in ("Before", "After"))
    assert before is not None
    assert before < 0.01
    assert after is not None
    # The system may have taken some of it for something else.
    assert after > 0.5
    qtbot.waitUntil(lambda: not window.machine.looking)
    assert _share(window) > 0.5
