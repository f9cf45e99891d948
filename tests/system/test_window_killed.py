"""A window that is killed takes its workers with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.system


@pytest.mark.skipif(sys.platform != "linux", reason="kills as Linux does")
def test_that_a_killed_window_leaves_no_process(sample: Path, tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from modelmon.gui.main_window import MainWindow\n"
        "from modelmon.gui.settings.settings import Settings\n"
        "app = QApplication([])\n"
        "window = MainWindow(Settings(Path(sys.argv[2])))\n"
        "window.show()\n"
        "window.opening.model_opened.connect(lambda: window.run_control.run('A'))\n"
        "for axis, value in (('access','read'),('order','random'),('chunk_bytes','4KiB')):\n"
        "    window.session.set_axis('A', axis, value)\n"
        "window.opening.open(sys.argv[1])\n"
        "app.exec()\n"
    )
    arguments = [str(sample), str(tmp_path / "window.ini")]
    with subprocess.Popen([sys.executable, "-P", "-c", script, *arguments]) as program:
        family: list[psutil.Process] = []

        def loading() -> bool:
            nonlocal family
            family = psutil.Process(program.pid).children(recursive=True)
            return sum("modelmon.core.load.loader" in f.cmdline() for f in family) > 0

        wait_for(loading)
        os.kill(program.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(family, timeout=20)
    assert not alive


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if condition():
                return
        except psutil.NoSuchProcess:
            continue
    raise AssertionError("it never came to that")
