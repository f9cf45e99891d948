"""Instances of the kernel's tracing: made, held, and left behind by nobody."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracing import instance_names

from modelmon.core.machine.file_trace import (
    TraceInstance,
    TracingUnavailableError,
    remove_leftovers,
)
from modelmon.core.machine.procfs import parse_mountinfo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tracing of Linux")

HOLD = """
from modelmon.core.machine.file_trace import TraceInstance
instance = TraceInstance(1 << 20)
print(instance.name, flush=True)
input()
"""


@pytest.fixture
def instance():
    """One that is held."""
    try:
        made = TraceInstance(1 << 20)
    except TracingUnavailableError as error:
        pytest.skip(str(error))
    yield made
    made.close()


def test_that_one_that_is_held_stays_and_one_that_is_left_is_removed_by_the_next(instance):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        theirs = other.stdout.readline().strip()
        assert {theirs, instance.name} <= set(instance_names())
        TraceInstance(1 << 20).close()
        assert {theirs, instance.name} <= set(instance_names())
        other.send_signal(signal.SIGKILL)
    TraceInstance(1 << 20).close()
    assert theirs not in instance_names()
    assert instance.name in instance_names()


def test_that_one_that_is_being_closed_is_left_to_who_closes_it(monkeypatch):
    try:
        made = TraceInstance(1 << 20)
    except TracingUnavailableError as error:
        pytest.skip(str(error))
    close = os.close

    def close_while_others_look(descriptor):
        close(descriptor)
        if descriptor == made._folder:
            monkeypatch.undo()
            TraceInstance(1 << 20).close()

    monkeypatch.setattr(os, "close", close_while_others_look)
    made.close()
    assert made.name not in instance_names()


def test_that_one_that_is_gone_before_it_is_looked_at_is_no_hindrance(tmp_path, monkeypatch):
    (tmp_path / "modelmon-left").mkdir()
    monkeypatch.setattr(os, "listdir", lambda _folder: ["modelmon-gone", "modelmon-left"])
    folder = os.open(tmp_path, os.O_RDONLY)
    remove_leftovers(folder)
    os.close(folder)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


def test_that_what_cannot_be_set_leaves_nothing(instance):
    with pytest.raises(TracingUnavailableError, match="no tracing of its page cache"):
        instance.set("events/no/such/event", "1")
    with pytest.raises(TracingUnavailableError):
        TraceInstance(-(1 << 60))
    # Other processes' tests make instances of their own meanwhile.
    ours = [name for name in instance_names() if name.startswith(f"modelmon-{os.getpid()}-")]
    assert ours == [instance.name]


def test_that_nothing_is_mounted_for_it():
    before = tracefs_mounts()
    try:
        made = TraceInstance(1 << 20)
    except TracingUnavailableError as error:
        pytest.skip(str(error))
    try:
        assert tracefs_mounts() == before
    finally:
        made.close()


def tracefs_mounts():
    """Where a tracefs is mounted; other tests mount file systems of other types meanwhile."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    return {mount.mount_point for mount in parse_mountinfo(lines) if mount.filesystem == "tracefs"}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="becomes another user")
def test_that_who_has_no_rights_is_told_what_to_do():
    done = subprocess.run(
        [
            *(sys.executable, "-c"),
            "import os\n"
            "from modelmon.core.machine.file_trace import TraceInstance, TracingUnavailableError\n"
            "os.setuid(65534)\n"
            "try:\n"
            "    TraceInstance(1 << 20)\n"
            "except TracingUnavailableError as error:\n"
            "    print(error)\n",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "tracing" in done.stdout
    assert "uid=65534" in done.stdout
