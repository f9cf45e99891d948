"""Watch in the window: programs that are not ours, as real processes with real files."""

import shlex
import subprocess
import sys

import psutil
import pytest
from PySide6.QtCore import Qt
from tests.system.commands import assert_that_all_have_ended, command
from tests.system.runs import until
from tests.system.windows import click, idle, opened

from modelmon.core.machine.processes import began_ticks
from modelmon.gui.panels.watch.watch_dialog import WatchDialog
from modelmon.gui.session import Activity

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc"),
]


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
    assert run is not None
    assert run.result is not None
    page = work.slot.program_page
    assert page.isVisible()
    assert " of the wait " in page.texts.headline.whole
    assert work.program_card.what.text() == "start to ready"
    assert work.timeline.isVisible()
    assert [part.kind for part in work.timeline.parts] == [
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
    assert window.session.notice is not None
    assert "Stopped watching" in window.session.notice.headline
    assert_that_all_have_ended(notes, least=2)

    (notes / "loaded").unlink()
    qtbot.mouseClick(window.workspace.program_card.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil((notes / "loaded").exists)
    window.close()
    assert_that_all_have_ended(notes, least=4)


@pytest.mark.long
def test_that_a_running_program_is_found_joined_and_goes_on(qtbot, window, own_copy, notes):
    session = window.session
    opened(qtbot, window, own_copy)
    held = notes / "held.py"
    held.write_text(
        "import mmap, os, sys, time\n"
        "file = open(sys.argv[1], 'rb')\n"
        "open(sys.argv[2] + '/opened', 'w').close()\n"
        "while not os.path.exists(sys.argv[2] + '/go'): time.sleep(0.005)\n"
        "pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)\n"
        "for at in range(0, len(pages), mmap.PAGESIZE): pages[at]\n"
        "while not os.path.exists(sys.argv[2] + '/end'): time.sleep(0.005)\n"
    )
    # Another process starts it: programs below the window are its own.
    launched = subprocess.run(
        [
            *(sys.executable, "-c"),
            "import subprocess, sys; print(subprocess.Popen(sys.argv[1:],"
            " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True).pid)",
            *(sys.executable, "-S", str(held), str(own_copy), str(notes)),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    program = psutil.Process(int(launched.stdout))
    try:
        until((notes / "opened").exists)
        dialog = asked(qtbot, window)
        qtbot.mouseClick(dialog.how.button("join"), Qt.MouseButton.LeftButton)
        named = f"process {program.pid},"
        qtbot.waitUntil(lambda: bool(dialog.programs.findItems(named, Qt.MatchFlag.MatchContains)))
        dialog.programs.setCurrentItem(
            dialog.programs.findItems(named, Qt.MatchFlag.MatchContains)[0]
        )
        dialog.fields.sign.setCurrentIndex(dialog.fields.sign.findData("exit"))
        qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(
            lambda: session.loading_record is not None and bool(session.loading_record.samples)
        )
        assert session.program is not None
        assert session.program.program.began_ticks == began_ticks(program.pid)
        (notes / "go").touch()
        click(qtbot, window, "stop")
        idle(qtbot, window)
        assert program.is_running()
        assert program.status() != psutil.STATUS_ZOMBIE
    finally:
        (notes / "end").touch()
        psutil.wait_procs([program])
