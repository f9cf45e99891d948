"""What spoils a load is really done to it, seen, named with its remedy, and kept from ranking."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from mmap import PAGESIZE

import pytest
from tests.system.commands import typed
from tests.system.needs import needs_fuse, on_linux

from modelmon.core.load.config import PRESETS
from modelmon.core.machine.cached_pages import dirty_pages
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import run_job
from modelmon.core.worker.result import summarise

pytestmark = on_linux

MMAP = PRESETS["mmap"].config
READ_ON = """
import mmap, os, sys
descriptor = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
buffer = mmap.mmap(-1, 1 << 20)
print("ready", flush=True)
os.set_blocking(0, False)
while sys.stdin.buffer.raw.read(1) is None:
    if os.preadv(descriptor, [buffer], 0) == 0:
        break
"""


@contextmanager
def helper(script, path):
    """A process that does `script` to the file until the block ends; its number."""
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout.readline() == b"ready\n"
        try:
            yield process.pid
        finally:
            process.stdin.close()


def kinds(record):
    assert record.finished is not None, record.failed
    return {warning.kind: warning for warning in record.warnings}


def test_that_pages_that_are_still_to_be_written_are_counted(tmp_path):
    path = tmp_path / "new"
    unwritten = set()
    with path.open("wb", buffering=0) as file:
        # The kernel may write them at any time.
        for _ in range(20):
            file.write(bytes(MIB))
            try:
                unwritten.add(dirty_pages(file.fileno()))
            except OSError as error:
                pytest.skip(f"cachestat: {error.strerror}")
            os.fsync(file.fileno())
            assert dirty_pages(file.fileno()) == 0
    assert max(unwritten) == MIB // PAGESIZE


def test_that_another_reader_of_the_device_is_seen(on_a_device, own_copy):
    try:
        os.close(os.open(on_a_device, os.O_RDONLY | os.O_DIRECT))
    except OSError:
        pytest.skip("no direct reads here")
    with helper(READ_ON, on_a_device):
        record = run_job(ev.Job(str(own_copy), MMAP, cache="cold"))
    if record.planned.device_name is None:
        pytest.skip("no block device in sight")
    warning = kinds(record)["other-reader"]
    assert "just before the start" in warning.evidence
    assert warning.counts


def test_that_a_model_that_changes_during_its_run_is_not_ranked(own_copy):
    def replace(event, _record):
        if isinstance(event, ev.Ready):
            other = own_copy.with_name("other")
            other.write_bytes(bytes(own_copy.stat().st_size))
            other.replace(own_copy)

    record = run_job(ev.Job(str(own_copy), MMAP), on_event=replace)
    assert kinds(record)["file-changed"].evidence == "copy.safetensors was replaced"
    assert not summarise(record).counts


@needs_fuse
def test_that_behind_a_mount_nothing_is_called_cold(own_copy, tmp_path):
    mount = tmp_path / "mount"
    with served(own_copy, mount, Cost(first_byte_s=0.0, bytes_per_s=1e9)) as store:
        result = summarise(run_job(ev.Job(str(store.path), MMAP, cache="cold")))
    assert result.cache_state == "cold-here"
    assert result.counts
    assert "simulated-storage" in {warning.kind for warning in result.warnings}


def test_that_a_run_says_what_held_it_back_and_where_its_time_went(own_copy):
    shown = typed("run", own_copy, "--cache", "warm", "--no-history")
    assert shown.returncode == 0, shown.stderr
    for part in ("Bottleneck", "Setup (not timed)", "open ", "Timed"):
        assert part in shown.stdout
    said = json.loads(typed("run", own_copy, "--no-history", "--json").stdout)
    assert said["bottleneck"]["evidence"]
    assert said["result"]["open_ns"] > 0
