"""Find best of a program's load settings in the window, with real processes."""

import os
import shlex
import sys

import pytest
from PySide6.QtCore import Qt
from tests.core.programs.test_programs import OLDEST, program
from tests.system.commands import SCRIPT, assert_that_all_have_ended, starts
from tests.system.needs import on_linux
from tests.system.windows import click, idle, opened

from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.gui.best.best_dialog import FindBestDialog
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.session.session import Activity
from modelmon.gui.widgets.dialog import AgreementDialog, TextDialog

pytestmark = [pytest.mark.long, on_linux]


@pytest.fixture
def model(tmp_path):
    return write_sample(tmp_path / "small model.gguf", "gguf", 8 * MIB, 2, 0)


@pytest.fixture(autouse=True)
def _on_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


def server(folder, notes, deed):
    """A `llama-server` that does this, and can't lock memory."""
    (folder / "help").write_text(OLDEST)
    words = [sys.executable, "-S", str(SCRIPT), deed]
    program(
        folder,
        f"""case "$1" in
--version) echo "version: 4567 (abc)" >&2; exit;;
--help) cat {shlex.quote(str(folder / "help"))}; exit;;
esac
case "$*" in *--mlock*) echo "cannot lock" >&2; exit 3;; esac
exec {shlex.join(words)} "$2" {shlex.quote(str(notes))} "$6"
""",
    )


def asked(qtbot, window):
    """The dialog with the warm starts of llama.cpp, ready to be agreed to."""
    qtbot.keyClick(window, Qt.Key.Key_F7)
    dialog = window.findChildren(FindBestDialog)[-1]
    qtbot.waitUntil(lambda: dialog.program.findData("llama.cpp") == 1)
    qtbot.keyClick(dialog.program, Qt.Key.Key_Down)
    dialog.objective.button("warm").click()
    qtbot.waitUntil(dialog.start.isEnabled)
    return dialog


def stopped_after(qtbot, window, runs):
    """Let the race make so many runs, of which one counts, and press Stop."""
    live = window.session.races.live
    qtbot.waitUntil(lambda: (len(live.runs) >= runs and live.conclusive) or not window.session.busy)
    click(qtbot, window, "stop")
    idle(qtbot, window)


@pytest.mark.slow
def test_that_a_programs_settings_are_tested_and_what_is_best_is_exported(
    qtbot, window, model, notes, tmp_path
):
    server(tmp_path, notes, "serves")
    session, work = window.session, window.workspace
    opened(qtbot, window, model)
    dialog = asked(qtbot, window)
    shown = dialog.commands.toPlainText().splitlines()
    assert [line.split("  ")[0] for line in shown[::2]] == [
        "llama.cpp default",
        "llama.cpp none",
        "llama.cpp mlock",
    ]
    commands = dict(zip(["default", "none", "mlock"], shown[1::2], strict=True))
    assert all(shlex.split(text)[0] == str(tmp_path / "llama-server") for text in shown[1::2])
    assert shlex.split(commands["none"])[-1] == "--no-mmap"
    assert not starts(notes)
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    assert session.activity is Activity.RACING
    assert work.tabs.currentWidget() is work.best
    stopped_after(qtbot, window, 4)
    race = session.verdict
    found = race.recommendation
    rows = {row.label: row for row in work.best.table.ranking.rows}
    assert rows.keys() == {"llama.cpp default", "llama.cpp none", "llama.cpp mlock"}
    assert "exit code 3" in rows["llama.cpp mlock"].compared
    assert "cannot lock" in rows["llama.cpp mlock"].compared
    page = work.slot.page
    assert page.texts.headline.whole == found.sentence
    assert page.texts.reason.whole.startswith(found.to_set)
    assert race.command == commands[found.label.removeprefix("llama.cpp ")]
    assert_that_all_have_ended(notes)

    qtbot.mouseClick(page.offered["Details…"], Qt.MouseButton.LeftButton)
    details = window.findChildren(TextDialog)[-1]
    assert {found.to_set, race.command} <= set(details.text.toPlainText().splitlines())
    details.reject()

    click(qtbot, window, "export")
    export = window.findChildren(ExportDialog)[-1]
    target = tmp_path / "load.sh"
    export.path.setText(str(target))
    qtbot.mouseClick(export.save, Qt.MouseButton.LeftButton)
    exported = target.read_text().replace("\\\n", "")
    assert shlex.split(exported) == shlex.split(race.command)

    qtbot.mouseClick(page.offered["Use as B"], Qt.MouseButton.LeftButton)
    used = session.arm_program("B")
    assert used.command == race.command
    assert used.ready == race.runs[0].result.ready
    assert used.agreed
    assert session.arm_program("A") is None
    assert work.cards["B"].command.isVisible()


@pytest.mark.slow
def test_that_going_on_shows_each_command_in_full_and_asks(qtbot, window, model, notes, tmp_path):
    server(tmp_path, notes, "serves")
    session, work = window.session, window.workspace
    opened(qtbot, window, model)
    dialog = asked(qtbot, window)
    shown = dialog.commands.toPlainText().splitlines()[1::2]
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    # Before any setting has its two runs: a race that is decided has no button to continue.
    stopped_after(qtbot, window, 1)
    race = session.races.race
    assert race is not None
    before = starts(notes)
    resume = work.best.go_on
    qtbot.waitUntil(lambda: resume.isVisible() and resume.isEnabled() and resume.height() > 10)
    assert resume.text() == "Resume"
    qtbot.mouseClick(resume, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.findChildren(AgreementDialog)))
    question = window.findChildren(AgreementDialog)[-1]
    assert {*question.commands.toPlainText().splitlines()[1::2]} == {*shown}
    qtbot.mouseClick(question.cancel, Qt.MouseButton.LeftButton)
    idle(qtbot, window)
    qtbot.waitUntil(lambda: not window.findChildren(AgreementDialog))
    assert starts(notes) == before

    qtbot.mouseClick(work.best.go_on, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.findChildren(AgreementDialog)))
    qtbot.mouseClick(window.findChildren(AgreementDialog)[-1].run_again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.activity is Activity.RACING)
    stopped_after(qtbot, window, len(race.runs) + 1)
    again = session.races.race
    kept = [run.result.wall_ns for run in again.runs]
    assert kept[: len(race.runs)] == [run.result.wall_ns for run in race.runs]
    assert len(kept) > len(race.runs)
    assert again.recommendation.to_set
    assert starts(notes) > before
    assert_that_all_have_ended(notes)


def test_that_stop_ends_a_program_that_hangs_with_its_group(qtbot, window, model, notes, tmp_path):
    server(tmp_path, notes, "hangs")
    opened(qtbot, window, model)
    dialog = asked(qtbot, window)
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil((notes / "loaded").exists)
    view = window.session.progress
    assert "llama.cpp" in view().detail
    click(qtbot, window, "stop")
    idle(qtbot, window)
    assert window.session.verdict is None
    assert_that_all_have_ended(notes)
