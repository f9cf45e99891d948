import os
import signal
import subprocess
import sys

import psutil
import pytest
from tests.system.beds import memory_limit, throttle
from tests.system.commands import MODELMON

from modelmon.core.doctor import doctor
from modelmon.core.doctor.doctor import look_at_idle
from modelmon.core.simulate import mounts

# Windows of these tests open on no screen; test_window_xdotool.py has a screen of its own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

BEDS = {
    "a FUSE mount": mounts.why_not,
    "a throttled disk": throttle.why_not,
    "a memory limit": memory_limit.why_not,
}
LOOK_S, MOST_BUSY_SHARE = 3.0, 0.15


def pytest_terminal_summary(terminalreporter):
    """Say which storage of known cost there was to test with."""
    found = [f"{name}: {why_not() or 'yes'}" for name, why_not in BEDS.items()]
    terminalreporter.write_line(f"Test beds: {', '.join(found)}.")


@pytest.fixture(autouse=True)
def _own_data(tmp_path, monkeypatch):
    """No test finds what another has measured: a probe of a busy moment would judge its runs."""
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "user-data"))


@pytest.fixture(autouse=True)
def _short_look(monkeypatch):
    """Nobody waits for a second while the devices are watched."""
    monkeypatch.setattr(doctor, "look_at_idle", lambda devices, _s: look_at_idle(devices, 0.01))


@pytest.fixture(autouse=True)
def _quiet_machine(request):
    """What is true on a quiet machine only is skipped on another."""
    if request.node.get_closest_marker("quiet"):
        busy_share = psutil.cpu_percent(LOOK_S) / 100
        if busy_share > MOST_BUSY_SHARE:
            pytest.skip(f"others use {busy_share:.0%} of the processors")


@pytest.fixture
def notes(tmp_path):
    """Where somebody's program says which processes it had."""
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def stopped_after(tmp_path):
    """Run a command with a budget that it cannot spend, started as `within` says, and press Ctrl-C
    after so many runs; what it printed and said.
    """
    if sys.platform == "win32":
        pytest.skip("needs a named pipe")
    told = tmp_path / "told"
    os.mkfifo(told)
    # Told before each run, and never waiting for a reader.
    options = ("--time-limit", "10h", "--prepare", f"echo run > {told}")

    def race(runs, *arguments, within=lambda *words: [*words]):
        with (
            os.fdopen(os.open(told, os.O_RDWR), "r") as begun,
            subprocess.Popen(
                within(*MODELMON, *map(str, arguments), *options),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
                text=True,
            ) as racing,
        ):
            for _ in range(runs + 1):
                begun.readline()
            racing.send_signal(signal.SIGINT)
            printed, said = racing.communicate()
        assert racing.returncode == 130, said
        return printed, said

    return race


@pytest.fixture
def window(request, tmp_path):
    """A window with nothing open and settings of its own."""
    from tests.system.windows import shown_window  # noqa: PLC0415  most tests here need no Qt

    with shown_window(request.getfixturevalue("qtbot"), tmp_path / "window.ini") as made:
        yield made
