"""A window that is killed takes its workers with it; one that is asked to end closes."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import psutil
import pytest
from tests.system.needs import on_linux
from tests.system.runs import sparse_model

from modelmon.core.units import MIB


@pytest.fixture
def model(tmp_path):
    """Some 65,000 reads: still running when the window reports the load."""
    return sparse_model(tmp_path / "long.safetensors", 256 * MIB)


_LOADING = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from modelmon.gui.shell.long_work import QuitOnSignal
from modelmon.gui.shell.main_window import MainWindow
from modelmon.gui.session.settings import Settings
app = QApplication([])
window = MainWindow.built(Settings(Path(sys.argv[2])))
QuitOnSignal(window)
window.show()
window.open_controller.model_opened.connect(lambda: window.compare_controller.run('A'))
session = window.session
session.record_changed.connect(lambda arm: session.record(arm) and print('loads', flush=True))
for axis, value in (('access', 'read'), ('order', 'random'), ('chunk_bytes', '4KiB')):
    session.set_axis('A', axis, value)
window.open_controller.open(sys.argv[1])
app.exec()
"""


@contextmanager
def loading_window(model, settings):
    """A window in a process of its own, in the middle of a load, and the processes below it: a
    worker and its loader.
    """
    command = [sys.executable, "-P", "-c", _LOADING, str(model), str(settings)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        assert program.stdout.readline() == b"loads\n"
        family = psutil.Process(program.pid).children(recursive=True)
        assert len(family) >= 2
        yield program, family


@pytest.mark.long
@on_linux
def test_that_a_killed_window_leaves_no_process(model, tmp_path):
    with loading_window(model, tmp_path / "window.ini") as (program, family):
        os.kill(program.pid, signal.SIGKILL)
    psutil.wait_procs(family)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
@pytest.mark.parametrize(
    "name",
    ["SIGTERM", *(pytest.param(name, marks=pytest.mark.long) for name in ("SIGINT", "SIGHUP"))],
)
def test_that_a_window_that_is_asked_to_end_closes_as_by_hand(model, tmp_path, name):
    with loading_window(model, tmp_path / "window.ini") as (program, family):
        os.kill(program.pid, getattr(signal, name))
        assert program.wait() == 0
    psutil.wait_procs(family)
    # What is remembered of a window is written when it closes.
    assert (tmp_path / "window.ini").exists()
