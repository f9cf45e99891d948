"""What the page cache tab makes of the doctor's looks."""

import pytest
from machine_fakes import make_diagnosis
from window_fakes import make_inspection, make_model

from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap

HANGS = "No response from storage for 15 s. Its mount may hang."


def looked(share):
    model = make_model()
    (size,) = (shard.size_bytes for shard in model.shards)
    pages = -(-size // 4096)
    file = FileResidency(size, "cachestat", (round(pages * share),))
    seen = ResidencyMap(pages * 4096, 4096, (file,))
    return make_diagnosis(file=FileState(1, size, size, share, "cachestat", cache_map=seen))


@pytest.fixture
def opened(window):
    window.session.set_inspection(make_inspection())
    window.machine.stop()
    cache = window.workspace.page_cache
    window.workspace.tabs.setCurrentWidget(cache)
    return window


def tell(window, found, failure=""):
    window.machine.diagnosis, window.machine.failure = found, failure
    window.machine.changed.emit()


def test_that_a_look_that_failed_leaves_the_one_before(opened):
    cache, found = opened.workspace.page_cache, looked(0.5)
    tell(opened, found)
    before = cache.lines.rows[0]
    assert before.summary.startswith("50%")
    tell(opened, found, HANGS)
    assert cache.lines.rows[0].summary == before.summary
    assert cache.lines.rows[0].caption == before.caption
    assert cache.note.isVisible()
    assert "may hang" in cache.note.text()
    tell(opened, looked(1.0))
    assert cache.lines.rows[0].summary.startswith("100%")
    assert not cache.note.isVisible()


def test_that_a_first_look_that_failed_says_why_there_is_nothing(opened):
    tell(opened, None, HANGS)
    assert "may hang" in opened.workspace.page_cache.lines.rows[0].reason
