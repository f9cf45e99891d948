"""Help > Stories: a story plays in the window, and one that is left leaves nothing."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from tests.system.needs import needs_fuse

from modelmon.core.demo.stage import Ran
from modelmon.core.demo.stories import STORIES
from modelmon.core.export.report import as_markdown, escaped
from modelmon.gui.background.commands import Command
from modelmon.gui.shell import stories_dialog
from modelmon.gui.shell.stories_dialog import StoriesDialog

pytestmark = needs_fuse


@pytest.fixture
def window(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def dialog(window, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    made = StoriesDialog(window)
    made.open()
    return made


def lines(dialog):
    return dialog.text.toPlainText().splitlines()


@pytest.mark.long
@pytest.mark.parametrize("name", STORIES)
def test_that_a_story_plays_to_its_advice(dialog, qtbot, tmp_path, name):
    dialog.choice.button(name).click()
    assert lines(dialog) == [STORIES[name].title]
    dialog.play.click()
    assert not dialog.choice.isEnabled()
    qtbot.waitUntil(dialog.play.isEnabled, timeout=240_000)
    loads = [each for each in dialog._events if isinstance(each, Ran)]
    assert len(loads) >= 4
    shown = lines(dialog)
    assert {str(each.what) for each in loads} <= {*shown}
    bars = [line for line in shown if {*line} == {"█"}]
    assert (len(bars), max(map(len, bars))) == (len(loads), 20)
    assert "What to do" in shown
    assert not list(tmp_path.iterdir())
    with qtbot.waitSignal(dialog.share_wanted) as wanted:
        dialog.share.click()
    shared = as_markdown(wanted.args[0])
    assert all(escaped(each.what) in shared for each in loads)


def test_that_a_story_that_fails_says_why(dialog, qtbot, monkeypatch):
    class Failing(Command):
        def __init__(self, _arguments, **more):
            super().__init__(["inspect", "nothing.gguf", "--json"], **more)

    monkeypatch.setattr(stories_dialog, "Command", Failing)
    dialog.play.click()
    qtbot.waitUntil(dialog.play.isEnabled, timeout=60_000)
    assert any("nothing.gguf" in line for line in lines(dialog))
    assert not dialog.share.isEnabled()


def test_that_a_story_that_is_left_leaves_nothing(window, dialog, qtbot, tmp_path):
    dialog.play.click()
    qtbot.waitUntil(lambda: "█" in dialog.text.toPlainText(), timeout=60_000)
    assert list(tmp_path.iterdir())
    # Its process belongs to the window, which waits for it when it is closed.
    dialog.reject()
    qtbot.waitUntil(lambda: not window.findChildren(Command), timeout=60_000)
    assert not list(tmp_path.iterdir())
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
