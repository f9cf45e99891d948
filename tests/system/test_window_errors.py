"""What goes wrong around a window that measures is a sentence, and what was measured stays."""

import os
from pathlib import Path

import pytest
from tests.system.windows import click, held_loader, idle, opened

from modelmon.core.history.history import History

pytestmark = pytest.mark.system


def comparing(qtbot, window, model):
    """Compare until the first pair is measured."""
    opened(qtbot, window, model)
    window.session.set_cache("as-is")
    window.session.set_repeats(3)
    click(qtbot, window, "compare")
    qtbot.waitUntil(lambda: len(window.session.runs) >= 2)


def said(window):
    notice = window.session.notice
    assert notice is not None
    text = f"{notice.headline} {notice.reason} {notice.caveat}"
    assert "Traceback" not in text
    return text


@pytest.mark.long
def test_that_a_model_that_vanishes_ends_a_comparison_whose_runs_are_kept(qtbot, window, own_copy):
    comparing(qtbot, window, own_copy)
    own_copy.unlink()
    idle(qtbot, window)
    assert own_copy.name in said(window)
    # The history is written by a thread of its own.
    qtbot.waitUntil(lambda: History().experiments()[0].state == "stopped")
    assert History().experiments()[0].runs >= 2


@pytest.mark.long
def test_that_a_comparison_whose_worker_is_killed_can_be_gone_on_with(qtbot, window, own_copy):
    comparing(qtbot, window, own_copy)
    with held_loader(qtbot) as loader:
        worker = loader.parent()
        assert worker is not None
        worker.kill()
    idle(qtbot, window)
    assert "worker" in said(window).lower()
    notice = window.session.notice
    assert notice is not None
    assert [choice.text for choice in notice.choices] == ["Resume"]
    notice.choices[0].chosen()
    qtbot.waitUntil(lambda: window.session.comparison is not None)
    idle(qtbot, window)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_that_a_history_that_cannot_be_made_and_a_recording_without_room_cost_a_line_and_no_run(
    qtbot, window, sample
):
    Path(os.environ["MODELMON_DATA_DIR"]).write_text("a file where the folder should be")
    opened(qtbot, window, sample)
    window.session.set_cache("as-is")
    click(qtbot, window, "run_a")
    idle(qtbot, window)
    assert [run.record.state for run in window.session.runs] == ["finished"]
    assert "Not saved in the history" in said(window)
    work = window.workspace
    work.tabs.setCurrentWidget(work.runs)
    qtbot.waitUntil(lambda: work.runs.table.runs.rowCount() == 1)
    window.commands.write_recording(window.session.runs[0], Path("/dev/full"))
    assert "/dev/full: No space left" in said(window)
