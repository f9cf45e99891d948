"""Other processes that use a file, as real child processes."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.system.beds import fuse_store

from modelmon.core.machine import file_users
from modelmon.core.machine.file_users import users_of

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

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
        assert process.stdout is not None
        assert process.stdout.readline() == b"done\n"
        yield process.pid
        process.communicate()


@pytest.mark.parametrize(("does", "how"), [(OPEN, "open"), (MAP, "mapped"), (MAP_ALONE, "mapped")])
def test_that_a_process_with_the_file_is_found_once(model, does, how):
    with child(does, model) as pid:
        (user,) = users_of([model])
    assert (user.pid, user.how) == (pid, how)
    assert user.name.startswith("python")


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


def test_that_any_of_several_files_counts_under_any_of_its_names(model, tmp_path):
    other = tmp_path / "other"
    other.write_bytes(b"x")
    link = tmp_path / "link"
    link.symlink_to(model)
    hard_link = tmp_path / "hard"
    hard_link.hardlink_to(model)
    with child(OPEN, link) as pid:
        assert [user.pid for user in users_of([other, hard_link])] == [pid]
        assert users_of([other]) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may have other mounts")
def test_that_a_process_with_mounts_of_its_own_is_found(model):
    with child(OPEN, model, "unshare", "--mount") as pid:
        assert [user.pid for user in users_of([model])] == [pid]


def test_that_ignored_processes_and_oneself_can_be_left_out(model):
    with child(MAP, model) as pid, model.open("rb"):
        everyone = users_of([model])
        assert {user.pid for user in everyone} == {pid, os.getpid()}
        assert users_of([model], {pid, os.getpid()}) == []


def test_that_a_file_nobody_uses_has_no_users(model):
    assert users_of([model]) == []


def test_that_a_process_that_has_ended_is_no_user(model):
    with child(OPEN, model):
        pass
    assert users_of([model]) == []


@pytest.mark.skipif(bool(fuse_store.why_not()), reason=fuse_store.why_not())
def test_that_what_others_use_on_storage_that_hangs_keeps_nobody_waiting(sample, model, tmp_path):
    asks = (
        "import pathlib, sys; from modelmon.core.machine.file_users import users_of;"
        " print(users_of([pathlib.Path(sys.argv[1])]))"
    )
    mounted = tmp_path / "mounted"
    with (
        fuse_store.served(
            sample, mounted, first_byte_s=0, bytes_per_s=1e9, keep_attributes=False
        ) as store,
        child(OPEN, store.path),
        child(MAP_ALONE, store.path),
        child(OPEN, model) as pid,
    ):
        os.kill(store.server_pid, signal.SIGSTOP)
        try:
            told = subprocess.run(
                [sys.executable, "-P", "-c", asks, str(model)],
                capture_output=True,
                text=True,
                timeout=60,
                check=True,
            )
        finally:
            os.kill(store.server_pid, signal.SIGCONT)
    assert f"pid={pid}" in told.stdout
