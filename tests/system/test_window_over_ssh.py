"""The window with a model on a server: found, measured there, shown and kept here."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from tests.system.ssh_server import ssh_server, why_not
from tests.system.windows import click, idle

from modelmon.core.history.history import History
from modelmon.core.history.rows import RunFilter
from modelmon.core.load.config_file import read_config
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.open.server_dialog import ServerDialog
from modelmon.gui.session.session import LABELS
from modelmon.gui.shell.status_line import LogView

pytestmark = pytest.mark.skipif(bool(why_not()), reason=f"no SSH server: {why_not()}")


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "never")
    folder = tmp_path / "server"
    folder.mkdir()
    with ssh_server(folder) as made:
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        yield made


def asked_for(window):
    window.commands.open_on_server()
    return window.findChildren(ServerDialog)[-1]


def names(dialog):
    tree = dialog.entries
    return [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]


def item(dialog, name):
    return dialog.entries.topLevelItem(names(dialog).index(name))


def test_that_a_model_on_a_server_is_found_run_and_kept_and_exported_there(
    qtbot, window, server, sample
):
    dialog = asked_for(window)
    dialog.address.setText(f"{server.url}{sample.parent}")
    qtbot.keyClick(dialog.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: sample.name in names(dialog))
    dialog.entries.setCurrentItem(item(dialog, sample.name))
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    session = window.session
    qtbot.waitUntil(lambda: session.inspection is not None and not session.busy)
    assert session.inspection.reference == f"{server.url}{sample}"
    assert window.settings.recents()[0].path == f"{server.url}{sample}"
    qtbot.waitUntil(lambda: window.machine.diagnosis is not None)

    click(qtbot, window, "run_a")
    idle(qtbot, window)
    (row,) = History().runs(RunFilter())
    assert row.path == f"{server.url}{sample}"
    export_there(qtbot, window, server, sample)
    assert main_log(window).endswith(f"Exported {server.url}{server.home}/run.toml.")


@pytest.mark.long
@pytest.mark.slow
def test_that_a_line_that_is_cut_while_it_is_asked_is_a_sentence_and_leaves_nothing(
    qtbot, window, server, sample
):
    """What was lost may also come in time by another connection."""
    session, url = window.session, f"{server.url}{sample}"

    def is_idle():
        return not session.busy and not window.machine.looking

    def cut_while(question):
        # On a busy machine the answer may come between two looks.
        qtbot.waitUntil(lambda: any(question in words for words in server.running()) or is_idle())
        server.proxy.cut()
        qtbot.waitUntil(is_idle)
        qtbot.waitUntil(lambda: not server.running())

    window.open_controller.open(url)
    cut_while("inspect")
    if session.inspection is None:
        assert server.url in session.notice.headline
        window.open_controller.open(url)
        qtbot.waitUntil(lambda: session.inspection is not None)
    qtbot.waitUntil(lambda: not window.machine.looking)

    window.machine.look()
    cut_while("doctor")
    assert window.machine.diagnosis is not None or server.url in window.machine.failure

    window.toolbar.repeats.setValue(1)
    click(qtbot, window, "compare")
    cut_while("read_rate")
    assert session.comparison is not None or server.url in session.notice.headline


def export_there(qtbot, window, server, model):
    """What lies there is only replaced once that is agreed to."""
    target = server.home / "run.toml"
    target.touch()
    window.commands.export()
    dialog = window.findChildren(ExportDialog)[-1]
    assert Path(dialog.path.text()).parent == Path.home()
    qtbot.mouseClick(dialog.machine.button(server.url), Qt.MouseButton.LeftButton)
    assert dialog.path.text() == f"{server.url}{model.parent}/modelmon.toml"
    dialog.path.setText(f"{server.url}{server.home}/run.toml")
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        assert not dialog.save.isEnabled()
        qtbot.waitUntil(dialog.save.isEnabled)
        assert not target.read_bytes()
        assert dialog.save.text() == "Replace"
        qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert read_config(target).config in {window.session.config(arm) for arm in LABELS}


def main_log(window):
    return window.findChildren(LogView)[0].toPlainText()
