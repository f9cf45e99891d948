"""Files on a real disk, and other processes that use them, as real child processes."""

import contextlib
import mmap
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.page_cache import kept

from modelmon.core.machine import file_state as module
from modelmon.core.machine import file_users
from modelmon.core.machine.file_state import file_state
from modelmon.core.machine.file_users import FileReads, users_of
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

MIB = 1024**2
OPEN = "file = open(sys.argv[1], 'rb')"
MAP = f"{OPEN}; view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ); file.close()"
MAP_ALONE = f"{MAP}; os.closerange(3, 100)"


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "mo del.gguf"
    path.write_bytes(b"GGUF" * 1024)
    return path


@contextlib.contextmanager
def child(does, path, *within):
    """A process that has done that to the file, and waits; `within` is a command that runs it."""
    code = f"import mmap, os, sys; {does}; print('done', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [*within, sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"done\n"
        yield process.pid
        process.communicate()


@pytest.mark.parametrize(
    ("does", "how", "within"),
    [
        (OPEN, "open", ()),
        (MAP, "mapped", ()),
        (MAP_ALONE, "mapped", ()),
        pytest.param(
            OPEN,
            "open",
            ("unshare", "--mount"),
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root may have other mounts"),
        ),
    ],
)
def test_that_a_process_with_the_file_is_found_once_until_it_ends(model, does, how, within):
    with child(does, model, *within) as pid:
        (user,) = users_of([model])
        assert users_of([model], {pid}) == []
        with model.open("rb"):
            assert {each.pid for each in users_of([model])} == {pid, os.getpid()}
    assert (user.pid, user.how) == (pid, how)
    assert user.name.startswith("python")
    assert users_of([model]) == []


def test_that_any_of_several_files_counts_under_any_of_its_names(model, tmp_path):
    other, link, hard_link = (tmp_path / name for name in ("other", "link", "hard"))
    other.write_bytes(b"x")
    link.symlink_to(model)
    hard_link.hardlink_to(model)
    with child(OPEN, link) as pid:
        assert [user.pid for user in users_of([other, hard_link])] == [pid]
        assert users_of([other]) == []


def test_that_an_older_kernel_knows_a_file_by_its_name(model, monkeypatch):
    told = file_users._told
    monkeypatch.setattr(
        file_users, "_told", lambda *at: {k: v for k, v in told(*at).items() if k != b"ino"}
    )
    with child(OPEN, model) as pid:
        assert [user.pid for user in users_of([model])] == [pid]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["python3", "-P", "-m", "modelmon.core.worker"], "modelmon"),
        (["/usr/bin/python3", "-X", "dev", "/opt/bin/vllm", "serve", "model"], "vllm"),
        (["python3", "-c", "import torch"], "python3"),
        (["python3"], "python3"),
        (["python3", "-m"], "python3"),
        (["llama-server", "-m", "model.gguf"], "llama-server"),
    ],
)
def test_that_a_program_in_python_is_called_by_its_name(words, name, tmp_path, monkeypatch):
    process = tmp_path / "7"
    process.mkdir()
    (process / "comm").write_text(f"{Path(words[0]).name}\n")
    (process / "cmdline").write_text("\0".join([*words, ""]))
    monkeypatch.setattr(file_users, "_PROC", tmp_path)
    assert file_users._name(7) == name


@pytest.mark.skipif(bool(mounts.why_not()), reason=mounts.why_not())
def test_that_what_others_use_on_storage_that_hangs_keeps_nobody_waiting(sample, model, tmp_path):
    asks = (
        "import pathlib, sys; from modelmon.core.machine.file_users import users_of;"
        " print(users_of([pathlib.Path(sys.argv[1])]))"
    )
    mounted = tmp_path / "mounted"
    with (
        served(
            sample, mounted, Cost(first_byte_s=0, bytes_per_s=1e9, keep_attributes=False)
        ) as store,
        child(OPEN, store.path),
        child(MAP_ALONE, store.path),
        child(OPEN, model) as pid,
    ):
        os.kill(store.server_pid, signal.SIGSTOP)
        try:
            command = [sys.executable, "-P", "-c", asks, str(model)]
            told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        finally:
            os.kill(store.server_pid, signal.SIGCONT)
    assert f"pid={pid}" in told.stdout


def test_that_opening_and_reading_are_told_once_and_apart(tmp_path):
    watched, other = tmp_path / "watched", tmp_path / "other"
    for path in (watched, other):
        path.write_bytes(b"weights")
    reads = FileReads([watched])
    assert reads.is_known
    assert reads.look() == (False, False)
    other.read_bytes()
    assert reads.look() == (False, False)
    with watched.open("rb", buffering=0) as file:
        assert reads.look() == (True, False)
        file.read()
        assert reads.look() == (False, True)
    subprocess.run(["cat", watched], check=True, stdout=subprocess.DEVNULL)
    assert reads.look() == (True, True)
    assert reads.look() == (False, False)
    reads.close()


def test_that_what_is_not_told_may_have_been_read(tmp_path):
    unseen = FileReads([tmp_path / "gone"])
    assert not unseen.is_known
    assert unseen.look() == (True, True)
    # Nor is what are more events than the kernel keeps; the same one twice in a row is kept once.
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        path.touch()
    reads = FileReads(paths)
    for number in range(int(Path("/proc/sys/fs/inotify/max_queued_events").read_text()) + 2):
        paths[number % 2].open("rb").close()
    assert reads.look() == (True, True)
    reads.close()


def test_that_files_are_summed_and_their_cached_pages_known(big_file, disk):
    other = disk / "second.bin"
    other.write_bytes(os.urandom(MIB))
    for path in (big_file, other):
        with path.open("rb") as file:
            os.fsync(file.fileno())
    with kept(big_file), kept(other):
        state = file_state([big_file, other], "local-disk")
    assert (state.files, state.size_bytes) == (2, 9 * MIB)
    assert (state.allocated_share, state.cached_share) == (1.0, 1.0)
    assert not state.opening_may_drop_cache


def test_that_each_file_is_opened_once(big_file, monkeypatch):
    opened = []
    real_open = os.open

    def counted(path, flags):
        # Storage hears nothing of a path that is only named.
        if not flags & os.O_PATH:
            opened.append(path)
        assert not flags & os.O_ACCMODE
        return real_open(path, flags)

    monkeypatch.setattr(module.os, "open", counted)
    state = file_state([big_file], "fuse")
    assert opened == [big_file]
    assert state.opening_may_drop_cache
    # What a FUSE server calls the size on its disk means nothing here.
    assert state.allocated_bytes is None


def test_that_holes_are_not_on_the_disk_and_users_can_be_left_out(disk):
    sparse = disk / "sparse.bin"
    with sparse.open("wb") as file:
        file.write(os.urandom(MIB))
        file.truncate(4 * MIB)
        os.fsync(file.fileno())
    with child(OPEN, sparse) as pid:
        state = file_state([sparse], "local-disk")
        assert [user.pid for user in state.users] == [pid]
        assert file_state([sparse], "local-disk", {pid}).users == ()
    assert state.allocated_share == pytest.approx(0.25, abs=mmap.PAGESIZE / MIB)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open any file")
def test_that_a_file_that_cannot_be_opened_says_so(big_file):
    big_file.chmod(0)
    state = file_state([big_file], "local-disk")
    assert state.cached_share is None
    assert "couldn't open the file" in state.cached_source
