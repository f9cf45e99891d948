"""The doctor in the window: when it looks, and what the side panel makes of it."""

import subprocess
import sys

import msgspec
import pytest
from machine_fakes import HURTS, make_diagnosis
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel
from window_fakes import GB, make_inspection, make_model

from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.file_users import FileUser
from modelmon.core.machine.processes import began_ticks
from modelmon.core.probe.probe import DecodeRate
from modelmon.gui.background.commands import Command
from modelmon.gui.model.machine_details import details_text
from modelmon.gui.open.first_choice import outlook_text
from modelmon.gui.session import machine
from modelmon.gui.session.machine import Machine
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.shell.side_panel import SidePanel

Q4_K = DecodeRate("Q4_K", "gguf", 8, 4.5e8, 4e8, 5e8)
HANGS = "import time; time.sleep(60)"


def telling(found):
    return f"print({msgspec.json.encode(found).decode()!r})"


class Doctor:
    """Stands in for `modelmon doctor`: what it answers can be changed between looks."""

    def __init__(self, script):
        self.asked = []
        self.text = telling(make_diagnosis())
        self._script = script

    def __call__(self, arguments):
        self.asked.append(arguments)
        return Command(arguments, self._script(self.text))


@pytest.fixture
def doctor(script):
    return Doctor(script)


@pytest.fixture
def looked(session, doctor, qtbot):
    """A machine that was looked at when the session's model opened."""
    made = Machine(session, doctor, parent=session)
    session.set_inspection(make_inspection())
    qtbot.waitUntil(lambda: not made.looking)
    return made


def test_that_what_is_free_is_one_figure_wherever_it_is_said(session, looked, panel):
    """The model was opened when 56 GB were free; the doctor saw 50 GB of 64 GB."""
    del looked
    assert session.inspection is not None
    assert outlook_text(session.inspection, None, None).startswith(
        "Fits in memory: 2 GB of 50 GB free."
    )
    assert "50 of 64 GB" in [value.text() for value in panel.memory.findChildren(QLabel)]
    limited = msgspec.structs.replace(
        make_diagnosis().memory, cgroup_limit_bytes=12 * GB, cgroup_used_bytes=2 * GB
    )
    session.see_memory(limited)
    told = outlook_text(session.inspection, None, None)
    assert told.startswith("Fits in memory: 2 GB of 10 GB left below the cgroup limit.")


def test_that_a_program_that_has_ended_is_not_shown_as_a_user_of_the_file(looked, doctor, qtbot):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        user = FileUser(other.pid, "other", "open", began_ticks(other.pid))
        file = FileState(1, 0, 1, 0.0, "cachestat", users=(user,))
        doctor.text = telling(make_diagnosis(file=file))
        looked.look()
        qtbot.waitUntil(lambda: not looked.looking)
        looked._see_users()
        assert not looked.looking
        other.communicate()
    looked._see_users()
    assert looked.looking
    looked.shut_down()


def test_that_a_run_ends_the_look_under_way_which_is_made_up_for(session, looked, doctor, qtbot):
    doctor.text = HANGS
    looked.look()
    assert looked.looking
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    assert not looked.looking
    doctor.text = telling(make_diagnosis())
    session.end()
    qtbot.waitUntil(lambda: not looked.looking)
    assert len(doctor.asked) == 3
    looked.shut_down()


def test_that_each_model_is_looked_at_and_what_was_seen_of_another_is_put_away(
    session, looked, doctor
):
    assert doctor.asked == [["doctor", "/data/llama", "--json"]]
    assert looked.diagnosis == make_diagnosis()
    doctor.text = HANGS
    session.set_inspection(make_inspection(make_model("/data/other")))
    assert looked.diagnosis is None
    assert doctor.asked[-1] == ["doctor", "/data/other", "--json"]
    looked.shut_down()


def test_that_a_mount_that_hangs_is_a_sentence_and_can_be_left(session, doctor, qtbot, monkeypatch):
    monkeypatch.setattr(machine, "_PATIENCE_MS", 50)
    doctor.text = HANGS
    made = Machine(session, doctor, parent=session)
    panel = SidePanel(session, made, QAction("Measure the disk", session))
    qtbot.addWidget(panel)
    session.set_inspection(make_inspection())
    qtbot.waitUntil(lambda: "may hang" in made.failure)
    assert "may hang" in panel.findings.state.text()
    made.shut_down()
    assert not made.looking


def test_that_a_look_that_fails_says_so_and_keeps_what_was_known(session, looked, doctor, qtbot):
    logged = []
    session.logged.connect(lambda level, line: logged.append(f"{level}: {line}"))
    for doctor.text in ("raise SystemExit('It went wrong.')", "print('no json')"):
        logged.clear()
        looked.look()
        qtbot.waitUntil(lambda: not looked.looking)
        assert looked.failure
        assert looked.diagnosis == make_diagnosis()
        assert logged == [f"warning: {looked.failure}"]


@pytest.fixture
def panel(session, looked, qtbot):
    made = SidePanel(session, looked, QAction("Measure the disk", session))
    qtbot.addWidget(made)
    made.resize(264, 800)
    made.show()
    return made


def test_that_only_what_hurts_is_listed_with_evidence_and_remedy(panel, looked, doctor):
    shown = [panel.findings._rows.itemAt(at).widget() for at in range(panel.findings._rows.count())]
    assert [row.toolTip() for row in shown] == [
        "Evidence: 128 KiB on /data\nFix: As root: echo 4096\n"
        "Typical value, not measured here: a FUSE mount with 2 ms a request"
    ]
    looked.diagnosis = make_diagnosis(findings=())
    looked.changed.emit()
    assert panel.findings.state.text() == "No likely bottlenecks found"
    looked.diagnosis = make_diagnosis(findings=(HURTS,) * 5)
    looked.changed.emit()
    assert panel.findings._rows.count() == 3
    assert panel.findings.details.text() == "2 more, and details…"
    panel.findings.again.click()
    assert len(doctor.asked) == 2
    assert not panel.findings.again.isEnabled()
    looked.shut_down()


def test_that_the_details_hold_everything_and_can_be_copied(panel):
    dialog = panel.show_details()
    read = dialog.text.toPlainText()
    for words in ("The kernel reads little ahead.", "128 KiB on /data", "Huge pages", "nvme0n1p2"):
        assert words in read
    dialog.markdown.click()
    assert QApplication.clipboard().text() == details_text(make_diagnosis())
    dialog.row.leave.click()


def test_that_the_details_measure_decoding_on_request_and_show_the_rates(
    panel, looked, session, doctor, qtbot
):
    dialog = panel.show_details()
    doctor.text = telling(make_diagnosis(decode_rates=(Q4_K,)))
    dialog.measure.click()
    assert doctor.asked[-1] == ["doctor", "/data/llama", "--decode", "--json"]
    assert not dialog.measure.isEnabled()
    qtbot.waitUntil(lambda: not looked.looking)
    read = dialog.text.toPlainText()
    assert "450 MB/s (400 MB/s to 500 MB/s), gguf's decoder" in read
    assert "Install the faster decoders: pip install numba." in read
    assert dialog.measure.isEnabled()
    # A later look measures no rates, and takes none away.
    doctor.text = telling(make_diagnosis())
    looked.look()
    qtbot.waitUntil(lambda: not looked.looking)
    assert "gguf's decoder" in dialog.text.toPlainText()
    # Not beside a load, and not once they are closed.
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    assert not dialog.measure.isEnabled()
    assert dialog.measure.toolTip() == "Not available while running."
    session.end()
    qtbot.waitUntil(lambda: not looked.looking)
    doctor.text = HANGS
    dialog.measure.click()
    assert looked.looking
    dialog.row.leave.click()
    assert not looked.looking
    looked.shut_down()
