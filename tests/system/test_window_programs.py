"""A program on the cards of the window: compared, stopped and gone on with, as real processes."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from tests.system.commands import LINGERS_S, assert_that_all_have_ended, command_line, starts
from tests.system.windows import click, idle, opened

from modelmon.core.history.history import History
from modelmon.core.load.config import PROGRAM
from modelmon.gui.measuring.arm_settings import ArmProgram
from modelmon.gui.measuring.card_view import card_view
from modelmon.gui.panels.agreement_dialog import AgreementDialog
from modelmon.gui.panels.verdict_details import details_text
from modelmon.gui.session import LABELS, Activity

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc"),
]


def put(window, arm, line, sign="", limit_s=600):
    """Choose *A program…* on a card, type a command and a sign, and press the button."""
    dialog = window.commands.ask_for_program(arm)
    dialog.fields.fill_in(line, sign, limit_s)
    dialog.use.click()
    assert not dialog.isVisible()


@pytest.fixture
def ready(qtbot, window, own_copy):
    """A window with the model, for one pair of warm starts, which need no disk."""
    opened(qtbot, window, own_copy)
    window.session.set_cache("warm")
    window.session.set_repeats(1)
    return window


@pytest.mark.soak
@pytest.mark.slow
def test_that_a_program_is_compared_with_a_strategy_kept_and_exported(
    qtbot, ready, own_copy, notes
):
    session, work = ready.session, ready.workspace
    line = command_line("lingers", own_copy, notes, LINGERS_S)
    session.set_preset("A", "sequential")
    put(ready, "B", line, "exit")
    assert not starts(notes)
    card = work.cards["B"]
    assert card.command.whole == line
    assert card.preset.currentText() == Path(sys.executable).name
    assert not card.chips.isVisible()
    session.set_repeats(5)
    click(qtbot, ready, "compare")
    idle(qtbot, ready)
    comparison = session.comparison
    assert comparison is not None, session.notice
    assert comparison.verdict.winner == "A"
    assert comparison.command("B") == line
    assert comparison.arm_b.config.library == PROGRAM
    assert not session.changed_since("B")
    assert {run.label for run in session.runs} == {"A", "B"}
    record = session.record("B")
    assert record is not None
    assert record.finished is not None
    assert len(starts(notes)) == 5
    assert_that_all_have_ended(notes)
    assert {row.command for row in History().runs()} == {"", line}
    assert f"B: {line}" in details_text(comparison)
    assert card_view(session, "B").metrics[0].name == "reading"
    told = "\n".join(chip.toolTip() for chip in work.slot.verdict_page.chip_row.chips)
    assert "B is timed from its start until it's ready, A without its start." in told


def test_that_one_run_of_a_program_is_watched(qtbot, ready, own_copy, notes):
    line = command_line("read", own_copy, notes)
    put(ready, "B", line, "exit")
    click(qtbot, ready, "run_b")
    assert ready.session.activity is Activity.WATCHING
    idle(qtbot, ready)
    shown = ready.session.program
    assert shown is not None
    assert shown.program.command == line
    assert shown.program.ready == "exit"
    assert shown.result is not None
    assert_that_all_have_ended(notes)


@pytest.mark.long
def test_that_going_on_shows_each_command_in_full_and_asks(qtbot, ready, own_copy, notes):
    session = ready.session
    good = command_line("read", own_copy, notes)
    failing = command_line("fails-the-second-time", own_copy, notes)
    put(ready, "A", good, "exit")
    put(ready, "B", failing, "exit")
    session.set_repeats(2)
    click(qtbot, ready, "compare")
    idle(qtbot, ready)
    assert session.notice is not None
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
    assert session.notice is not None
    assert "Nothing was loaded" in session.notice.reason
    qtbot.waitUntil(lambda: not ready.findChildren(AgreementDialog))
    assert session.arm_program("A") is None
    assert starts(notes) == known

    resume.chosen()
    question().run_again.click()
    qtbot.waitUntil(lambda: session.comparison is not None)
    idle(qtbot, ready)
    assert session.comparison is not None
    assert len(session.comparison.runs_b) >= 2
    assert session.arm_program("A") == ArmProgram(good, "exit")
    assert starts(notes) > known
    assert_that_all_have_ended(notes)
