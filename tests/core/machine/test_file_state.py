"""The state of files on a real disk, looked at through one descriptor each."""

import mmap
import os
import subprocess
import sys

import pytest
from tests.page_cache import kept

from modelmon.core.machine import file_state as module
from modelmon.core.machine.file_state import file_state

MIB = 1024**2


def test_that_files_are_summed_and_their_cached_pages_known(big_file, disk):
    other = disk / "second.bin"
    other.write_bytes(os.urandom(MIB))
    for path in (big_file, other):
        with path.open("rb") as file:
            os.fsync(file.fileno())
    with kept(big_file), kept(other):
        state = file_state([big_file, other], "local-disk")
    assert (state.files, state.size_bytes) == (2, 9 * MIB)
    assert state.allocated_share == 1.0
    assert state.cached_share == 1.0
    assert not state.opening_may_drop_cache


def test_that_each_file_is_opened_once(big_file, monkeypatch):
    opened = []
    real_open = os.open

    def counted(path, flags):
        # Storage hears nothing of a path that is only named.
        if not flags & getattr(os, "O_PATH", 0):
            opened.append(path)
        assert not flags & os.O_ACCMODE
        return real_open(path, flags)

    monkeypatch.setattr(module.os, "open", counted)
    state = file_state([big_file], "fuse")
    assert opened == [big_file]
    assert state.opening_may_drop_cache
    # What a FUSE server calls the size on its disk means nothing here.
    assert state.allocated_bytes is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has a file open")
def test_that_who_asks_a_process_for_it_is_a_user_unless_left_out(big_file):
    script = (
        "import os, sys; from pathlib import Path\n"
        "from modelmon.core.machine.file_state import file_state\n"
        "for ignored in ((), {os.getppid()}):\n"
        "    users = file_state([Path(sys.argv[1])], 'local-disk', ignored).users\n"
        "    print(os.getppid() in {user.pid for user in users})\n"
    )
    with big_file.open("rb"):
        done = subprocess.run(
            [sys.executable, "-P", "-c", script, str(big_file)],
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout.split() == ["True", "False"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what a hole does not take")
def test_that_holes_are_not_on_the_disk(disk):
    sparse = disk / "sparse.bin"
    with sparse.open("wb") as file:
        file.write(os.urandom(MIB))
        file.truncate(4 * MIB)
        os.fsync(file.fileno())
    share = file_state([sparse], "local-disk").allocated_share
    assert share == pytest.approx(0.25, abs=mmap.PAGESIZE / MIB)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may open any file")
def test_that_a_file_that_cannot_be_opened_says_so(big_file):
    big_file.chmod(0)
    state = file_state([big_file], "local-disk")
    assert state.cached_share is None
    assert "cannot be opened" in state.cached_source
