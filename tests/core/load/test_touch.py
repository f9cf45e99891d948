from __future__ import annotations

import mmap
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from modelmon.core.load import touch as touching
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.machine.procfs import parse_pid_status_rss
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable

linux_only = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")


def resident_mapped_bytes() -> int:
    """Mapped pages of files, which count as shared memory where they lie on tmpfs."""
    rss = parse_pid_status_rss(Path("/proc/self/status").read_text())
    assert rss is not None
    return rss.file_bytes + rss.shmem_bytes


def mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


@linux_only
def test_that_every_page_of_the_range_is_faulted_in(sample: Path) -> None:
    mapping = mapped(sample)
    before = resident_mapped_bytes()
    touching.touch(address_of(mapping), len(mapping))
    assert resident_mapped_bytes() - before > 0.98 * len(mapping)


@linux_only
def test_that_a_page_that_looks_like_the_key_does_not_end_the_touching(tmp_path: Path) -> None:
    page = mmap.PAGESIZE
    path = tmp_path / "pages"
    path.write_bytes((touching._KEY + bytes(page - len(touching._KEY))) * 2048)
    mapping = mapped(path)
    before = resident_mapped_bytes()
    touching.touch(address_of(mapping), len(mapping))
    assert resident_mapped_bytes() - before > 0.98 * len(mapping)


@linux_only
@pytest.mark.parametrize("beyond", [-5, -1, 0, 1, 4096])
def test_that_copying_touches_without_lfind_too(
    tmp_path: Path, beyond: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(touching, "_LFIND", None)
    path = tmp_path / "bytes"
    path.write_bytes(b"x" * (8 * MIB + beyond))
    mapping = mapped(path)
    before = resident_mapped_bytes()
    touching.touch(address_of(mapping), len(mapping))
    assert resident_mapped_bytes() - before > 0.98 * len(mapping)


def others_run_during(touch: Callable[[mmap.mmap], object], path: Path) -> bool:
    """Whether this thread does something while another one touches the file."""
    span = (0, 0)

    def work() -> None:
        nonlocal span
        mapping = mapped(path)
        start_ns = time.monotonic_ns()
        touch(mapping)
        span = (start_ns, time.monotonic_ns())

    thread = threading.Thread(target=work)
    thread.start()
    seen_ns = []
    while thread.is_alive():
        seen_ns.append(time.monotonic_ns())
        time.sleep(0)
    return any(span[0] < at_ns < span[1] for at_ns in seen_ns)


def test_that_other_threads_run_while_one_touches(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(512 * MIB)
    interval_s = sys.getswitchinterval()
    # Whoever has the interpreter keeps it until it lets it go.
    sys.setswitchinterval(1000)
    try:
        assert others_run_during(lambda map: touching.touch(address_of(map), len(map)), path)
        # A strided read keeps it: the contrast shows that this test can fail.
        assert not others_run_during(lambda map: map[:: mmap.PAGESIZE], path)
    finally:
        sys.setswitchinterval(interval_s)
