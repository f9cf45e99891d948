from __future__ import annotations

import mmap
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


Span = tuple[int, int]


def overlapping_share(touch: Callable[[mmap.mmap, int, int], object], path: Path) -> float:
    """Share of one thread's calls during which a call of another thread was under way."""
    pieces = 16
    both_ready = threading.Barrier(2)
    spans: tuple[list[Span], list[Span]] = ([], [])

    def work(mine: list[Span]) -> None:
        mapping = mapped(path)
        nbytes = len(mapping) // pieces
        both_ready.wait()
        for piece in range(pieces):
            start_ns = time.monotonic_ns()
            touch(mapping, piece * nbytes, nbytes)
            mine.append((start_ns, time.monotonic_ns()))

    threads = [threading.Thread(target=work, args=(mine,)) for mine in spans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, second = spans
    hits = sum(any(a < d and c < b for c, d in second) for a, b in first)
    return hits / pieces


def test_that_two_touching_threads_overlap(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(512 * MIB)

    def released(mapping: mmap.mmap, start: int, nbytes: int) -> None:
        touching.touch(address_of(mapping) + start, nbytes)

    def held(mapping: mmap.mmap, start: int, nbytes: int) -> bytes:
        return mapping[start : start + nbytes : mmap.PAGESIZE]

    # A strided read holds the GIL: the contrast shows that this test can fail.
    assert overlapping_share(released, path) > overlapping_share(held, path) + 0.3
