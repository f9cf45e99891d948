"""A window that is killed takes its workers with it; one that is asked to end closes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.system.runs import sparse_model, until

from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.system


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Some 65,000 reads: whoever looks now and then sees them under way."""
    return sparse_model(tmp_path / "long.safetensors", 256 * MIB)


_LOADING = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from modelmon.gui.window.close_guard import QuitOnSignal
from modelmon.gui.main_window import MainWindow
from modelmon.gui.settings.settings import Settings
app = QApplication([])
window = MainWindow.built(Settings(Path(sys.argv[2])))
QuitOnSignal(window)
window.show()
window.open_controller.model_opened.connect(lambda: window.run_controller.run('A'))
for axis, value in (('access', 'read'), ('order', 'random'), ('chunk_bytes', '4KiB')):
    window.session.set_axis('A', axis, value)
window.open_controller.open(sys.argv[1])
app.exec()
"""


@contextmanager
def loading_window(
    model: Path, settings: Path
) -> Iterator[tuple[subprocess.Popen[bytes], list[psutil.Process]]]:
    """A window in a process of its own, in the middle of a load, and the processes below it."""
    command = [sys.executable, "-P", "-c", _LOADING, str(model), str(settings)]
    with subprocess.Popen(command) as program:
        family: list[psutil.Process] = []

        def loading() -> bool:
            nonlocal family
            assert program.poll() is None
            family = psutil.Process(program.pid).children(recursive=True)
            # One that has ended meanwhile has no command line any more.
            with suppress(psutil.NoSuchProcess):
                return any("modelmon.core.load.loader" in f.cmdline() for f in family)
            return False

        until(loading)
        yield program, family


@pytest.mark.skipif(sys.platform != "linux", reason="kills as Linux does")
def test_that_a_killed_window_leaves_no_process(model: Path, tmp_path: Path) -> None:
    with loading_window(model, tmp_path / "window.ini") as (program, family):
        os.kill(program.pid, signal.SIGKILL)
    psutil.wait_procs(family)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_that_a_window_that_is_asked_to_end_closes_as_by_hand(
    model: Path, tmp_path: Path, name: str
) -> None:
    with loading_window(model, tmp_path / "window.ini") as (program, family):
        os.kill(program.pid, getattr(signal, name))
        assert program.wait() == 0
    psutil.wait_procs(family)
    # What is remembered of a window is written when it closes.
    assert (tmp_path / "window.ini").exists()
