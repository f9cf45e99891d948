"""Both ends of what runs on a server: with a client in ssh's place that breaks off, and asked
directly what is handed to the program there, and when it is ended.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
from tempfile import TemporaryDirectory

import pytest

from modelmon.core.data_folder import VARIABLE
from modelmon.core.messages import MESSAGES
from modelmon.core.remote import ends
from modelmon.core.remote.ssh import as_word

WORKER = "modelmon.core.worker"
INSPECT = ("modelmon", "inspect", "--json", "/m")
NEAR = (sys.executable, "-P", "-m", "modelmon.core.remote.ends", "near", "ssh://gpu")
_CLIENT = """
import os, pathlib, sys
calls = pathlib.Path(__file__).with_suffix(".calls")
with calls.open("a") as file:
    file.write("BatchMode=no\\n" if "BatchMode=no" in sys.argv else "BatchMode=yes\\n")
"""
BREAKS_OFF = r'sys.stdout.write("\x05\nawake\n"); sys.exit(255)'
WAITS = "sys.stdin.close(); import signal; signal.pause()"
IS_KILLED = "sys.exit(137)"
IS_REFUSED = r'sys.stderr.write("me@gpu: Permission denied (publickey).\n"); sys.exit(255)'
FLOODS = r'sys.stdout.write("\x05\n" + "{}\n" * 300_000 + "broken off"); sys.exit(255)'
GREETS_FOR_EVER = r"""
while True:
    sys.stdout.write("welcome\n")
"""
HEARS = r"""
os.write(1, b"\x05\n")
while said := os.read(0, 1):
    os.write(1, said.hex().encode() + b"\n")
"""
ECHOES = r"""
os.write(1, b"\x05\n")
while said := sys.stdin.readline().replace("\0", ""):
    os.write(1, said.encode())
os.write(1, b"end\n")
sys.exit(7)
"""


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch):
    """For what is known of connections; its name has to be short."""
    with TemporaryDirectory(prefix="mm-", dir="/tmp") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield


@pytest.fixture
def client(tmp_path, monkeypatch):
    """Start a near end with a program in ssh's place; `calls` is how that was called."""

    def near_end(does, *arguments, command=NEAR):
        script = tmp_path / "client.py"
        script.write_text(_CLIENT + does)
        client = shlex.join([sys.executable, "-S", str(script)])
        monkeypatch.setenv("MODELMON_SSH_COMMAND", client)
        pipe = subprocess.PIPE
        return subprocess.Popen([*command, *arguments], stdin=pipe, stdout=pipe, stderr=pipe)

    near_end.calls = tmp_path / "client.calls"
    return near_end


@pytest.mark.parametrize(
    ("does", "asked", "said"),
    [
        (BREAKS_OFF, (WORKER, "--standby"), b"The connection to {server} was lost."),
        (GREETS_FOR_EVER, INSPECT, b"read what {server} sent"),
        (IS_KILLED, ("modelmon", "inspect", "/m"), b"failed: exit code 137."),
        (IS_KILLED, INSPECT, b'"args": {"code": 137}'),
    ],
    ids=["breaks off", "greets for ever", "killed", "killed, JSON"],
)
def test_that_a_program_that_can_not_be_had_is_said_to_be_that(client, does, asked, said):
    """At once: nothing is tried again."""
    with client(does, *asked) as near:
        assert said in near.stdout.read() + near.stderr.read()
        assert near.wait() == 1
    assert len(client.calls.read_text().splitlines()) == 1


def test_that_who_gives_up_while_ssh_asks_ends_ssh(client):
    with client(WAITS, *INSPECT) as asking:
        asking.communicate()
    assert asking.returncode == 1


@pytest.mark.parametrize(("require", "batch"), [("force", "no"), ("prefer", "yes")])
def test_that_a_no_is_no_lost_line_that_would_be_tried_again(client, require, batch, monkeypatch):
    """Only a window asks in the middle of something."""
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", require)
    with client(IS_REFUSED, WORKER) as worker:
        assert json.loads(worker.stdout.read())["kind"] == "io"
    assert client.calls.read_text() == f"BatchMode={batch}\n"


def test_that_a_program_that_is_cut_off_is_one_that_failed(client):
    with client(FLOODS, *INSPECT) as asking:
        *said, last = asking.stdout.read().splitlines()
        assert asking.wait() == 1
    assert said == [b"{}"] * 300_000
    assert json.loads(last)["kind"] == "disconnected"
    assert b"Run it again" in last


def test_that_a_program_that_says_more_than_any_of_ours_is_ended(client):
    few = "import sys; from modelmon.core.remote import ends; ends._MOST_BYTES = 300_000"
    few += "; sys.exit(ends.near_end(sys.argv[1:]))"
    with client(FLOODS, WORKER, command=[sys.executable, "-P", "-c", few, "ssh://gpu"]) as worker:
        *said, last = worker.stdout.read().splitlines()
        assert worker.wait() == 1
    assert said == [b"{}"] * 100_000
    assert b"read what {server} sent" in last


@pytest.mark.parametrize("is_stopped", [False, True])
def test_that_the_end_of_its_input_ends_what_runs_there(client, is_stopped):
    """Also where it is told to stop: then it hands on what is still said, and the exit code."""
    with client(ECHOES, WORKER) as worker:
        worker.stdin.write(b"a job\0\n")
        worker.stdin.flush()
        assert worker.stdout.readline() == b"a job \n"
        if is_stopped:
            worker.terminate()
        else:
            worker.stdin.close()
        assert worker.stdout.readline() == b"end\n"
        assert worker.wait() == 7


def test_that_a_sign_of_life_goes_there_where_there_is_nothing_to_say(client):
    often = "import sys; from modelmon.core.remote import ends; ends.BEAT_S = 0.01"
    often += "; ends.near_end(sys.argv[1:])"
    command = [sys.executable, "-P", "-c", often, "ssh://gpu"]
    with client(HEARS, WORKER, command=command) as worker:
        assert [worker.stdout.readline() for _ in range(3)] == 3 * [b"00\n"]
        worker.stdin.close()
        assert set(worker.stdout.readlines()) <= {b"00\n"}
        assert worker.wait() == 0


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
_READS = 'import sys; print("ready", flush=True); print(len(sys.stdin.read()), flush=True)'
_SLEEPS = 'import time; print("ready", flush=True); time.sleep(600)'
LONG_S = 60.0


def far_end(does, module, silent_s=LONG_S):
    """A far end whose program is a script."""
    command = [sys.executable, "-P", "-c", _RUNS, does, str(silent_s), as_word(["typed", module])]
    far = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert far.stdout.readline() == ends.BEGUN
    return far


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_that_a_program_gets_its_input_and_ends_with_its_terminal_as_elsewhere():
    with far_end(_TELLS, "modelmon") as far:
        far.stdin.write(ends.ALIVE + b"a" + ends.ALIVE + b"b\n")
        far.stdin.flush()
        assert far.stdout.readline() == b"ab\n"
        ignored = int(far.stdout.readline(), 16)
        assert far.wait() == 7
    assert not ignored & 1 << (signal.SIGHUP - 1)


@pytest.mark.parametrize("is_silent", [False, True])
@pytest.mark.parametrize(
    ("does", "module", "code"),
    [(_READS, WORKER, 0), (_SLEEPS, "modelmon", 128 + signal.SIGTERM)],
)
def test_that_a_program_ends_with_whoever_asked_for_it(does, module, code, is_silent):
    """Whoever is silent for long is gone: a connection that died says nothing."""
    with far_end(does, module, 0.5 if is_silent else LONG_S) as far:
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
    for name in (VARIABLE, MESSAGES):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(ends, "_run", lambda *_, **__: 5)
    assert ends.far_end([as_word(["typed", "modelmon"])]) == 5
    assert os.environ[VARIABLE] == str(tmp_path / "data")
    assert own.stat().st_mtime
