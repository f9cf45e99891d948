import json
import os
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt

from modelmon.core.messages import Message, to_wire
from modelmon.gui.background.commands import Command
from modelmon.gui.open.open_controller import OpenController
from modelmon.gui.open.server_dialog import ServerDialog

FOLDER = {
    "path": "/models",
    "entries": [
        {"name": "old", "kind": "folder"},
        {"name": "a.gguf", "kind": "gguf", "size_bytes": 10**9},
        {"name": "README.md", "kind": "other", "size_bytes": 5},
    ],
}
MODEL = {"model": {"name": "found", "path": "/cache/found.gguf", "source": "llama.cpp"}}
MISSING = msgspec.json.encode(
    {
        "error": {
            "message": Message("modelmon isn't installed on {server}.", server="ssh://gpu"),
            # Whoever was asked names another one.
            "remedy": Message(
                "Copy it there: modelmon remote install {server}", server="ssh://other"
            ),
        }
    },
    enc_hook=to_wire,
).decode()
SERVER = f"""
import pathlib, sys
copied = pathlib.Path(__file__).with_suffix(".copied")
if sys.argv[1:3] == ["remote", "install"]:
    sys.exit(sys.argv[-1] != "ssh://gpu" or copied.touch())
elif sys.argv[1] == "models":
    print({json.dumps(MODEL)!r})
elif NEEDS_COPY and not copied.exists():
    print({MISSING!r})
    sys.exit(1)
else:
    print({json.dumps(FOLDER)!r})
"""


@pytest.fixture(autouse=True)
def _asks_nobody(monkeypatch):
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "never")


@pytest.fixture
def make_dialog(qtbot, script):
    def make(*, needs_copy=False):
        program = script(f"NEEDS_COPY = {needs_copy}\n{SERVER}")
        made = ServerDialog(lambda arguments: Command(arguments, program), ["ssh://gpu/models"])
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(made)
        made.show()
        return made

    return make


def names(dialog):
    tree = dialog.entries
    return [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]


def test_that_folders_and_models_of_a_server_are_listed_and_one_is_chosen(qtbot, make_dialog):
    dialog = make_dialog()
    assert not dialog.open_button.isEnabled()
    qtbot.keyClick(dialog.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(dialog) == ["..", "old", "a.gguf"])
    qtbot.waitUntil(dialog.found.isVisible)
    assert dialog.address.text() == "ssh://gpu/models"
    assert dialog.entries.topLevelItem(2).text(2) == "1 GB"
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.entries.itemActivated.emit(dialog.entries.topLevelItem(2), 0)
    assert chosen.args == ["ssh://gpu/models/a.gguf"]
    dialog = make_dialog()
    qtbot.mouseClick(dialog.connect_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.found.isVisible)
    dialog.found.setCurrentItem(dialog.found.topLevelItem(0))
    with qtbot.waitSignal(dialog.chosen) as chosen:
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert chosen.args == ["ssh://gpu/cache/found.gguf"]


def test_that_modelmon_is_copied_where_it_is_missing(qtbot, make_dialog):
    dialog = make_dialog(needs_copy=True)
    qtbot.mouseClick(dialog.connect_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.copy.isVisible)
    assert "isn't installed" in dialog.state.text()
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "a.gguf" in names(dialog))
    assert not dialog.copy.isVisible()


def test_that_an_address_that_is_none_is_refused_before_anything_starts(qtbot, make_dialog):
    dialog = make_dialog()
    for address in ("ssh://-oProxyCommand=x", "", "a b"):
        dialog.address.setText(address)
        qtbot.mouseClick(dialog.connect_button, Qt.MouseButton.LeftButton)
        assert "isn't an address" in dialog.state.text()
        assert not names(dialog)


def test_that_a_recent_of_a_server_without_modelmon_offers_to_copy_it(
    session, settings, script, qtbot
):
    program = script(f"NEEDS_COPY = True\n{SERVER}")
    opening = OpenController(session, settings, lambda arguments: Command(arguments, program))
    opening.open("ssh://gpu/models/a.gguf")
    qtbot.waitUntil(lambda: not session.busy)
    (copy,) = session.notice.choices
    copy.chosen()
    assert session.busy
    # It is opened then; what this server says is no model.
    qtbot.waitUntil(lambda: not session.busy)
    assert session.notice.tone == "bad"
    opening.shut_down()


def test_that_ssh_asks_in_a_window_once_a_server_is_named(monkeypatch, tmp_path, qapp):
    monkeypatch.delenv("SSH_ASKPASS_REQUIRE")
    monkeypatch.setenv("SSH_ASKPASS", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    Command(["inspect", "/models/a.gguf"], parent=qapp).deleteLater()
    assert "SSH_ASKPASS_REQUIRE" not in os.environ
    Command(["inspect", "ssh://gpu/a.gguf"], parent=qapp).deleteLater()
    assert os.environ.pop("SSH_ASKPASS_REQUIRE") == "force"
    script = Path(os.environ["SSH_ASKPASS"])
    assert script.stat().st_mode & 0o777 == 0o700
    assert not script.parent.stat().st_mode & 0o077
