"""Windows with real workers on real files, and what a person does in them."""

import os
from contextlib import contextmanager, suppress
from unittest.mock import patch

import psutil
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from modelmon.core.machine.processes import descendants
from modelmon.gui.background.worker_process import WorkerProcess
from modelmon.gui.session import machine
from modelmon.gui.session.settings import Settings
from modelmon.gui.shell.main_window import MainWindow


@contextmanager
def shown_window(qtbot, settings):
    """A window on the screen; when it is closed no process of its own is left."""
    before = set(children())
    # However busy the machine is, storage here does not hang.
    with patch.object(machine, "_PATIENCE_MS", 100_000):
        made = MainWindow.built(Settings(settings))
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    yield made
    made.close()
    assert before.issuperset(children())


def children():
    """Workers and loaders of this process that are still there."""
    return _running("modelmon")


def _running(word):
    """Processes below this one with the word in their command line."""
    found = []
    # By each other way all processes of the machine are looked at, a hundred times a second.
    for pid in descendants(os.getpid()):
        # One that has ended meanwhile has no command line any more.
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            if word in " ".join(process.cmdline()):
                found.append(process)
    return found


def opened(qtbot, window, path):
    """Open a model and wait until it is."""
    window.open_controller.open(str(path))
    qtbot.waitUntil(lambda: window.session.inspection is not None and not window.session.busy)


def click(qtbot, window, name):
    """Click a command of the toolbar."""
    qtbot.mouseClick(window.toolbar.buttons[name], Qt.MouseButton.LeftButton)


def idle(qtbot, window):
    """Wait until nothing is under way."""
    qtbot.waitUntil(lambda: not window.session.busy)


@contextmanager
def held_loader(qtbot, running=None):
    """The loader of the run that has just begun, kept from going on meanwhile. `running` runs A,
    and again where that was over before anybody looked.
    """
    held = []

    def hold():
        tops = QApplication.topLevelWidgets()
        workers = {each.process_id for top in tops for each in top.findChildren(WorkerProcess)}
        # One that has ended meanwhile was not held; that of a standby waits anyway.
        with suppress(psutil.NoSuchProcess):
            for loader in _running("modelmon.core.load.loader"):
                if loader.ppid() in workers and not held:
                    loader.suspend()
                    held.append(loader)
        if not held and running is not None and not running.session.busy:
            click(qtbot, running, "run_a")
        return bool(held)

    qtbot.waitUntil(hold)
    try:
        yield held[0]
    finally:
        with suppress(psutil.NoSuchProcess):
            held[0].resume()
