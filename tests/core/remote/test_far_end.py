"""What runs on a server, asked directly: what it hands to the program, and when it ends it."""

import os
import signal
import subprocess
import sys

import pytest

from modelmon.core.data_folder import VARIABLE
from modelmon.core.messages import MESSAGES
from modelmon.core.remote import ends
from modelmon.core.remote.ssh import as_word

_RUNS = """
import sys
from modelmon.core.remote import ends
ends.SILENT_S = float(sys.argv[2])
ends.program = lambda *_: (sys.executable, "-S", "-c", sys.argv[1])
sys.exit(ends.far_end([sys.argv[3]]))
"""
_TELLS = """
print(input())
print(next(line for line in open("/proc/self/status") if line.startswith("SigIgn")).split()[1])
raise SystemExit(7)
"""
_READS = """
import sys
print("ready", flush=True)
print(len(sys.stdin.read()), flush=True)
"""
_SLEEPS = """
import time
print("ready", flush=True)
time.sleep(600)
"""
LONG_S = 60.0


def started(does, module, silent_s=LONG_S):
    """A far end whose program is a script."""
    command = [sys.executable, "-P", "-c", _RUNS, does, str(silent_s), as_word(["typed", module])]
    pipe = subprocess.PIPE
    far = subprocess.Popen(command, stdin=pipe, stdout=pipe)
    assert far.stdout is not None
    assert far.stdout.readline() == ends.BEGUN
    return far


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_that_a_program_gets_its_input_and_ends_with_its_terminal_as_elsewhere():
    with started(_TELLS, "modelmon") as far:
        assert far.stdin is not None
        assert far.stdout is not None
        far.stdin.write(ends.ALIVE + b"a" + ends.ALIVE + b"b\n")
        far.stdin.flush()
        assert far.stdout.readline() == b"ab\n"
        ignored = int(far.stdout.readline(), 16)
        assert far.wait() == 7
    assert not ignored & 1 << (signal.SIGHUP - 1)


@pytest.mark.parametrize("is_silent", [False, True])
@pytest.mark.parametrize(
    ("does", "module", "code"),
    [(_READS, "modelmon.core.worker", 0), (_SLEEPS, "modelmon", 128 + signal.SIGTERM)],
)
def test_that_a_program_ends_with_whoever_asked_for_it(does, module, code, is_silent):
    """Whoever is silent for long is gone: a connection that died says nothing."""
    with started(does, module, 0.5 if is_silent else LONG_S) as far:
        assert far.stdin is not None
        assert far.stdout is not None
        assert far.stdout.readline() == b"ready\n"
        if not is_silent:
            far.stdin.close()
        assert far.wait() == code


def test_that_a_copy_keeps_its_results_beside_it_and_is_known_to_be_used(tmp_path, monkeypatch):
    own = tmp_path / "own"
    own.mkdir()
    os.utime(own, (0, 0))
    monkeypatch.setattr(sys, "prefix", str(own))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv(MESSAGES, "")
    monkeypatch.setattr(ends, "_run", lambda *_, **__: 5)
    assert ends.far_end([as_word(["typed", "modelmon"])]) == 5
    assert os.environ[VARIABLE] == str(tmp_path / "data")
    assert own.stat().st_mtime
