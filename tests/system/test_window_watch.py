"""Watch in the window: programs that are not ours, as real processes with real files."""

import shlex

import pytest
from PySide6.QtCore import Qt
from tests.system.commands import assert_that_all_have_ended, command, command_line, starts
from tests.system.needs import on_linux
from tests.system.windows import click, idle, opened

from modelmon.gui.session.arm_settings import ArmProgram
from modelmon.gui.session.session import LABELS, Activity
from modelmon.gui.watch.watch_dialog import WatchDialog
from modelmon.gui.widgets.dialog import AgreementDialog

pytestmark = on_linux


def asked(qtbot, window):
    """The dialog, as the key opens it."""
    qtbot.keyClick(window, Qt.Key.Key_F4)
    return window.findChildren(WatchDialog)[-1]


def started(qtbot, window, line, sign="", value=""):
    """Type a command and a sign, and press Start."""
    dialog = asked(qtbot, window)
    dialog.fields.command.setPlainText(shlex.join(line))
    dialog.fields.sign.setCurrentIndex(dialog.fields.sign.findData(sign))
    dialog.fields.value.setText(value)
    qtbot.waitUntil(dialog.start.isEnabled)
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    assert window.session.activity is Activity.WATCHING


def test_that_a_program_is_watched_kept_shown_again_and_replayed(
    qtbot, window, own_copy, notes, on_a_device
):
    del on_a_device
    session, work = window.session, window.workspace
    opened(qtbot, window, own_copy)
    assert work.cards["A"].isVisible()
    line = command("announces", own_copy, notes)
    started(qtbot, window, line, "output", "server is ready")
    assert work.program_card.isVisible()
    assert not work.cards["A"].isVisible()
    assert work.program_card.command.whole == shlex.join(line)
    idle(qtbot, window)
    assert session.notice is None
    run = session.program
    assert run.result is not None
    assert " of the wait " in work.slot.page.texts.headline.whole
    assert work.program_card.what.text() == "start to ready"
    assert work.timeline.isVisible()
    assert [part.name for part in work.timeline.parts] == [
        "before-reading",
        "reading",
        "after-reading",
    ]
    assert session.record("A") is run.record
    assert session.record("B") is None
    assert_that_all_have_ended(notes)

    window.actions_by_id["show_both"].trigger()
    assert work.cards["A"].isVisible()
    assert session.record("A") is None
    assert session.results("A") == ()
    assert session.failure("A") is None


def test_that_stop_and_closing_end_a_program_with_its_group(qtbot, window, own_copy, notes):
    opened(qtbot, window, own_copy)
    window.session.set_cache("warm")
    started(qtbot, window, command("hangs", own_copy, notes), "exit")
    qtbot.waitUntil((notes / "loaded").exists)
    click(qtbot, window, "stop")
    idle(qtbot, window)
    assert "Stopped watching" in window.session.notice.headline
    assert_that_all_have_ended(notes, least=2)

    (notes / "loaded").unlink()
    qtbot.mouseClick(window.workspace.program_card.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil((notes / "loaded").exists)
    window.close()
    assert_that_all_have_ended(notes, least=4)


# On the cards.


def put(qtbot, window, arm, line, sign="", limit_s=600):
    """Choose *A program…* on a card, type a command and a sign, and press the button."""
    dialog = window.commands.ask_for_program(arm)
    dialog.fields.fill_in(line, sign, limit_s)
    qtbot.waitUntil(dialog.use.isEnabled)
    dialog.use.click()
    assert not dialog.isVisible()


@pytest.fixture
def ready(qtbot, window, own_copy):
    """A window with the model, for one pair of warm starts, which need no disk."""
    opened(qtbot, window, own_copy)
    window.session.set_cache("warm")
    window.session.set_repeats(1)
    return window


@pytest.mark.long
def test_that_one_run_of_a_program_is_watched(qtbot, ready, own_copy, notes):
    line = command_line("read", own_copy, notes)
    put(qtbot, ready, "B", line, "exit")
    click(qtbot, ready, "run_b")
    assert ready.session.activity is Activity.WATCHING
    idle(qtbot, ready)
    shown = ready.session.program
    assert shown.program.command == line
    assert shown.program.ready == "exit"
    assert shown.result is not None
    assert_that_all_have_ended(notes)


@pytest.mark.long
def test_that_going_on_shows_each_command_in_full_and_asks(qtbot, ready, own_copy, notes):
    session = ready.session
    good = command_line("read", own_copy, notes)
    failing = command_line("fails-the-second-time", own_copy, notes)
    put(qtbot, ready, "A", good, "exit")
    put(qtbot, ready, "B", failing, "exit")
    session.set_repeats(2)
    click(qtbot, ready, "compare")
    idle(qtbot, ready)
    (resume,) = session.notice.choices
    (notes / "mended").touch()
    for arm in LABELS:
        session.reset(arm)
    known = starts(notes)

    def question():
        qtbot.waitUntil(lambda: bool(ready.findChildren(AgreementDialog)))
        dialog = ready.findChildren(AgreementDialog)[-1]
        assert dialog.commands.toPlainText().splitlines() == ["A", good, "B", failing]
        return dialog

    resume.chosen()
    refused = question()
    qtbot.keyClick(refused, Qt.Key.Key_Return)
    idle(qtbot, ready)
    assert "Nothing was loaded" in session.notice.reason
    qtbot.waitUntil(lambda: not ready.findChildren(AgreementDialog))
    assert session.arm_program("A") is None
    assert starts(notes) == known

    resume.chosen()
    question().run_again.click()
    qtbot.waitUntil(lambda: session.comparison is not None)
    idle(qtbot, ready)
    assert len(session.comparison.runs_b) >= 2
    assert session.arm_program("A") == ArmProgram(good, "exit")
    assert starts(notes) > known
    assert_that_all_have_ended(notes)
