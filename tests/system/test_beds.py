"""The beds themselves: whoever dies, no mount is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.system.beds import fuse_store
from tests.system.runs import until

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(fuse_store.why_not()), reason=fuse_store.why_not()),
]

HOLD = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.system.beds.fuse_store import served
with served(Path(sys.argv[2]), Path(sys.argv[3]), first_byte_s=0.0, bytes_per_s=1e9):
    print("served", flush=True)
    sys.stdin.read()
"""


def is_mounted(point: Path) -> bool:
    return f" {point} " in Path("/proc/self/mounts").read_text()


def can_open(path: Path) -> bool:
    """Whether the file can be opened; it does not hang if not."""
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


def test_that_a_killed_test_leaves_no_mount(sample: Path, tmp_path: Path) -> None:
    point = tmp_path / "mounted"
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(root), str(sample), str(point)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"served\n"
        assert is_mounted(point)
        holder.kill()
    until(lambda: not is_mounted(point))


def test_that_what_a_killed_server_left_is_unmounted(sample: Path, tmp_path: Path) -> None:
    point = tmp_path / "mounted"
    with fuse_store.served(sample, point, first_byte_s=0.0, bytes_per_s=1e9) as store:
        rows = [row.split() for row in Path("/proc/self/mounts").read_text().splitlines()]
        source = next(row[0] for row in rows if row[1] == str(point))
        os.kill(int(source.rpartition("-")[2]), signal.SIGKILL)
        until(lambda: not can_open(store.path))
    fuse_store.unmount_left_over()
    assert not is_mounted(point)


def test_that_the_store_counts_what_is_read(sample: Path, tmp_path: Path) -> None:
    with fuse_store.served(sample, tmp_path / "m", first_byte_s=0.0, bytes_per_s=1e9) as store:
        assert store.path.read_bytes() == sample.read_bytes()
        counts = store.counts()
    assert counts.bytes == sample.stat().st_size
    assert (counts.handles, counts.seeks) == (1, 1)
