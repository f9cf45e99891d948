"""Storage that stops answering: whoever waits for it can still be stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.system.beds import fuse_store

from modelmon.core.load.config import LoadConfig
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import AnyEvent, Job, Sample

if TYPE_CHECKING:
    from modelmon.core.load.config import Access
    from modelmon.core.worker.record import RunRecord

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(fuse_store.why_not()), reason=fuse_store.why_not()),
]

PATIENCE_S = 10


class EnoughError(Exception):
    """The user has waited long enough."""


def server_of(mount_point: Path) -> int:
    """Process number of the server, which its mount is named after."""
    rows = [row.split() for row in Path("/proc/self/mounts").read_text().splitlines()]
    return next(int(row[0].rpartition("-")[2]) for row in rows if row[1] == str(mount_point))


@pytest.mark.parametrize("access", ["read", "mmap", "direct"])
def test_that_a_load_from_storage_that_hangs_can_be_stopped(
    sample: Path, tmp_path: Path, access: Access
) -> None:
    mount_point = tmp_path / "mounted"
    processes: list[psutil.Process] = []

    def hang_and_give_up(event: AnyEvent, _record: RunRecord) -> None:
        if isinstance(event, Sample):
            processes.extend(psutil.Process().children(recursive=True))
            os.kill(server, signal.SIGSTOP)
            raise EnoughError

    config = LoadConfig(access=access, readers=2)
    with fuse_store.served(sample, mount_point, first_byte_s=0.0, bytes_per_s=5e6) as store:
        server = server_of(mount_point)
        try:
            with pytest.raises(EnoughError):
                run_job(Job(str(store.path), config, cache="cold"), hang_and_give_up)
            worker = [p for p in processes if p.pid != server and "core.worker" in command(p)]
            assert not worker
        finally:
            os.kill(server, signal.SIGCONT)
        # What the kernel held back ends with the storage's answer.
        others = [process for process in processes if process.pid != server]
        _, alive = psutil.wait_procs(others, timeout=PATIENCE_S)
    assert others
    assert not alive


@pytest.mark.parametrize("access", ["read", "mmap", "direct", "auto"])
@pytest.mark.parametrize("hangs", ["from the start", "while it loads"])
def test_that_a_run_from_storage_that_hangs_ends_when_its_time_is_up(
    sample: Path, tmp_path: Path, hangs: str, access: Access
) -> None:
    mount_point = tmp_path / "mounted"

    def hang(event: AnyEvent, _record: RunRecord) -> None:
        if isinstance(event, Sample):
            os.kill(server, signal.SIGSTOP)

    config = LoadConfig(access=access, readers=2)
    with fuse_store.served(sample, mount_point, first_byte_s=0.0, bytes_per_s=5e6) as store:
        server = server_of(mount_point)
        if hangs == "from the start":
            os.kill(server, signal.SIGSTOP)
        try:
            record = run_job(Job(str(store.path), config, cache="cold"), hang, most_s=3.0)
        finally:
            os.kill(server, signal.SIGCONT)
    assert record.finished is None
    assert record.failed is not None
    assert not [child for child in psutil.Process().children() if "core.worker" in command(child)]


def test_that_a_race_on_storage_that_hangs_ends_with_its_budget_and_what_it_knows(
    sample: Path, tmp_path: Path
) -> None:
    mount_point = tmp_path / "mounted"
    with fuse_store.served(sample, mount_point, first_byte_s=0.0, bytes_per_s=20e6) as store:
        server = server_of(mount_point)
        words = ["best", str(store.path), "--budget", "12s", "--json"]
        with subprocess.Popen(
            [sys.executable, "-P", "-m", "modelmon", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as best:
            try:
                with pytest.raises(subprocess.TimeoutExpired):
                    best.wait(8)
                os.kill(server, signal.SIGSTOP)
                told, _ = best.communicate(timeout=60)
            finally:
                os.kill(server, signal.SIGCONT)
                best.kill()
    assert best.returncode == 0
    race = json.loads(told)
    assert race["ending"] == "budget"
    assert race["spent_ns"] < 20e9


def command(process: psutil.Process) -> str:
    """Its command line; empty once it has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""
