"""Storage that hangs so that a worker cannot even be killed: the window goes on, and closes."""

import os
import signal
import subprocess
import sys

import psutil
import pytest
from tests.system.needs import needs_fuse
from tests.system.runs import until

from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served

pytestmark = needs_fuse

# In a process of its own, since nobody else should get near storage that hangs.
WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QSocketNotifier, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.simulate import mounts
from modelmon.gui.shell.main_window import MainWindow
from modelmon.gui.widgets.file_dialog import FileDialog
from modelmon.gui.session.settings import Settings

app = QApplication([])
window = MainWindow.built(Settings(Path(sys.argv[2])))
window.show()
session, told = window.session, [""]

def dialog():
    return next(iter(window.findChildren(FileDialog)), None)

def type_path():
    dialog().path.selectAll()
    QTest.keyClicks(dialog().path, sys.argv[1][:-3])

def tell():
    if dialog() is not None:
        state = dialog().state.text()
        now = f"DIALOG: {state}"
        if now != told[-1]:
            told.append(now)
            print(now, flush=True)
        return
    notice = session.progress() if session.progress else session.notice
    said = getattr(notice, "detail", "") or getattr(notice, "caveat", "")
    now = f"{session.activity.name}: {said}"
    if now != told[-1]:
        told.append(now)
        print(now, flush=True)

def obey():
    {
        "direct": lambda: session.set_axis("A", "access", "direct"),
        "run": window.commands.does["run_a"],
        "stop": window.commands.stop,
        "compare": window.compare_controller.start,
        "probe": window.commands.does["probe"],
        "open": lambda: window.open_controller.open(sys.argv[1]),
        "ask": window.commands.open_file,
        "type": type_path,
        "escape": lambda: QTest.keyClick(dialog().path, Qt.Key.Key_Escape),
        "close": window.close,
    }[orders.readline().decode().strip()]()

# Unbuffered: what comes together is told of one by one.
orders = open(0, "rb", buffering=0)
commands = QSocketNotifier(0, QSocketNotifier.Type.Read)
commands.activated.connect(obey)
session.logged.connect(lambda _, text: print("LOG:", text, flush=True))
timer = QTimer(interval=20)
timer.timeout.connect(tell)
window.machine.changed.connect(lambda: window.machine.diagnosis and timer.start())
window.open_controller.open(sys.argv[1])
app.exec()
print("closed", flush=True)
"""


class Window:
    """A window in a process of its own: what it is told, and what it says."""

    def __init__(self, program):
        self.program = program
        assert program.stdout is not None
        self.said = map(str.strip, program.stdout)

    def tell(self, command):
        self.program.stdin.write(f"{command}\n")

    def until(self, *words):
        """Go on to the next line in which all of this is said."""
        next(line for line in self.said if all(word in line for word in words))

    def child(self):
        (child,) = psutil.Process(self.program.pid).children()
        return child

    def close(self):
        self.tell("close")
        self.until("closed")
        assert self.program.wait() == 0


@pytest.fixture
def hanging(sample, tmp_path):
    """Storage that can hang, and a window in which its file is open and looked at."""
    mount_point = tmp_path / "mounted"
    with served(
        sample, mount_point, Cost(first_byte_s=0.0, bytes_per_s=5e6, keep_attributes=False)
    ) as store:
        command = [sys.executable, "-P", "-c", WINDOW, str(store.path), str(tmp_path / "w.ini")]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as program:
            try:
                window = Window(program)
                window.until("IDLE")
                until(lambda: not psutil.Process(program.pid).children())
                store.counts()
                yield store, window
            finally:
                program.kill()


def test_that_a_worker_that_cannot_be_killed_is_named_and_given_up(hanging):
    store, window = hanging
    store.hold()
    window.tell("run")
    until(lambda: store.counts().held)
    worker = window.child()
    window.tell("stop")
    window.until("STOPPING", f"Process {worker.pid}", "giving up")
    window.until("IDLE", f"Process {worker.pid}")
    assert worker.status() == psutil.STATUS_DISK_SLEEP
    window.close()
    assert worker.status() == psutil.STATUS_DISK_SLEEP


@pytest.mark.long
def test_that_a_loader_that_cannot_be_killed_is_named(hanging):
    store, window = hanging
    window.tell("direct")
    window.tell("run")
    # Who has read its headers does not read any more: the loader does.
    until(lambda: len(psutil.Process(window.program.pid).children(recursive=True)) > 1)
    (loader,) = window.child().children()
    store.hold()
    until(lambda: store.counts().held)
    window.tell("stop")
    window.until("LOG", f"Process {loader.pid}")
    assert loader.status() == psutil.STATUS_DISK_SLEEP
    window.close()


@pytest.mark.long
@pytest.mark.parametrize(
    ("order", "activity"),
    [
        ("open", "OPENING"),
        ("run", "RUNNING"),
        ("compare", "ESTIMATING"),
        ("probe", "PROBING"),
    ],
)
def test_that_storage_that_does_not_answer_is_named_while_it_is_waited_for_and_can_be_left(
    hanging, order, activity
):
    store, window = hanging
    store.hold()
    window.tell(order)
    window.until(activity, "The storage hasn't answered for 6 s.")
    window.tell("stop")
    window.until("IDLE")
    window.close()


@pytest.mark.long
def test_that_a_load_that_hangs_is_named_in_place_of_its_prediction(hanging):
    store, window = hanging
    window.tell("run")
    window.until("RUNNING", "left in this run")
    store.hold()
    window.until("RUNNING", "The storage hasn't answered for 5 s.")
    window.tell("stop")
    window.until("IDLE")
    window.close()


@pytest.mark.long
def test_that_a_path_on_storage_that_hangs_can_be_typed_and_left(hanging):
    store, window = hanging
    os.kill(store.server_pid, signal.SIGSTOP)
    try:
        window.tell("ask")
        window.tell("type")
        window.until("DIALOG: The storage hasn't answered for 5 s.")
        window.until("DIALOG: The storage hasn't answered for 6 s.")
        window.tell("escape")
        window.until("IDLE")
        window.close()
    finally:
        os.kill(store.server_pid, signal.SIGCONT)
