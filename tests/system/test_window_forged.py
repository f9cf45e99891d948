"""Whatever command a file of somebody else holds: the window shows it, and starts nothing."""

import pytest
from PySide6.QtCore import Qt
from tests.system.commands import command_line, typed
from tests.system.needs import on_linux
from tests.system.windows import idle, opened

from modelmon.core.history.file import HistoryFile
from modelmon.core.history.history import History
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.watch.watch_dialog import WatchDialog
from modelmon.gui.widgets.dialog import AgreementDialog

pytestmark = on_linux


@pytest.fixture
def proof(tmp_path):
    """What a forged command would make."""
    return tmp_path / "owned"


def test_that_a_forged_recording_is_shown_replayed_kept_and_exported_as_text(
    qtbot, window, own_copy, notes, proof, tmp_path
):
    session = window.session
    line, forged = command_line("mmap", own_copy, notes), tmp_path / "forged.jsonl"
    asked = ("--cache", "warm", "--no-history", "--record", forged, "--", *line.split())
    assert typed("watch", own_copy, *asked).returncode == 0
    forged.write_text(forged.read_text().replace(line, f"touch {proof}"))
    opened(qtbot, window, own_copy)
    window.open_controller.open(str(forged))
    idle(qtbot, window)
    card = window.workspace.program_card
    assert card.command.whole == f"touch {proof}"
    window.actions_by_id["replay"].trigger()
    qtbot.waitUntil(window.workspace.replay.isVisible)
    window.runs_tab_controller.playback.close()
    qtbot.mouseClick(card.again, Qt.MouseButton.LeftButton)
    dialog = window.findChildren(WatchDialog)[-1]
    assert dialog.fields.command.text() == f"touch {proof}"
    dialog.reject()
    window.commands.export()
    export = window.findChildren(ExportDialog)[-1]
    export.path.setText(str(tmp_path / "load.sh"))
    assert export.save_now()
    assert (tmp_path / "load.sh").read_text() == f"touch {proof}\n"
    assert typed("history", "import", forged).returncode == 0
    (row,) = History().runs()
    assert row.command == f"touch {proof}"
    assert not session.busy
    assert not proof.exists()


def test_that_a_forged_experiment_is_asked_about_before_it_goes_on(
    qtbot, window, own_copy, notes, proof
):
    good = command_line("read", own_copy, notes)
    failing = command_line("fails-the-second-time", own_copy, notes)
    asked = ("--cache", "warm", "--yes", "--repeats", "2", "--ready", "exit")
    begun = ("--a-command", good, "--b-command", failing)
    assert typed("compare", own_copy, *asked, *begun).returncode == 1
    with HistoryFile(History().folder / "history.sqlite").writing() as connection:
        for before in (good, failing):
            forged = (before, f"touch {proof}")
            connection.execute("UPDATE experiments SET arms = replace(arms, ?, ?)", forged)
    opened(qtbot, window, own_copy)
    window.compare_controller.resume("x1")
    qtbot.waitUntil(lambda: bool(window.findChildren(AgreementDialog)))
    dialog = window.findChildren(AgreementDialog)[-1]
    told = dialog.commands.toPlainText().splitlines()
    assert told == ["A", f"touch {proof}", "B", f"touch {proof}"]
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    idle(qtbot, window)
    assert "Nothing was loaded" in window.session.notice.reason
    assert not proof.exists()
