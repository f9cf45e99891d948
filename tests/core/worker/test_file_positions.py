"""How far a process has come that reads step by step, told from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from modelmon.core.worker.file_positions import FilePositions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

SIZE = 1_000_000
READER = """
import os, sys
files = {}
print("begun", flush=True)
for line in sys.stdin:
    deed, name, value = line.split()
    if deed == "open":
        files[name] = os.open(value, os.O_RDONLY)
    elif deed == "read":
        assert len(os.read(files[name], int(value))) == int(value)
    elif deed == "pread":
        assert len(os.pread(files[name], int(value), 0)) == int(value)
    elif deed == "seek":
        os.lseek(files[name], int(value), os.SEEK_SET)
    else:
        os.close(files.pop(name))
    print("done", flush=True)
"""


class Reader:
    """A process that does as it is told, and what is seen of it."""

    def __init__(self, paths: list[Path]) -> None:
        command = [sys.executable, "-S", "-c", READER]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self._hear()
        self.positions = FilePositions(paths)
        self._at_ns = 0

    def _hear(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline()

    def do(self, deed: str, name: str = "a", value: object = "-") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{deed} {name} {value}\n")
        self._hear()

    def seen(self, *, opened: bool = False) -> list[tuple[int, int, int, int]]:
        """Number of the file, first byte, the one behind the last, and since which look."""
        self._at_ns += 1
        moves = self.positions.look(self._at_ns, [self.process.pid], opened=opened)
        return [(move.file, move.start_bytes, move.end_bytes, move.since_ns) for move in moves]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / name for name in ("first", "second", "other")]
    for path in paths:
        path.write_bytes(bytes(SIZE))
    return paths


@pytest.fixture
def reader(files: list[Path]) -> Iterator[Reader]:
    """It knows two of the three files."""
    made = Reader(files[:2])
    yield made
    made.positions.close()
    made.process.kill()
    made.process.communicate()


def test_that_what_is_read_on_is_told_with_its_place_and_since_when(
    reader: Reader, files: list[Path]
) -> None:
    assert reader.seen() == []
    reader.do("open", "a", files[0])
    reader.do("open", "b", files[1])
    reader.do("read", "a", 300_000)
    assert reader.seen(opened=True) == [(0, 0, 300_000, 2)]
    assert reader.seen() == []
    reader.do("read", "a", 100_000)
    reader.do("read", "b", 50_000)
    assert reader.seen() == [(0, 300_000, 400_000, 2), (1, 0, 50_000, 2)]
    reader.do("read", "a", 1)
    assert reader.seen() == [(0, 400_000, 400_001, 4)]


def test_that_neither_a_jump_nor_another_way_to_read_counts(
    reader: Reader, files: list[Path]
) -> None:
    reader.seen()
    reader.do("open", "a", files[0])
    reader.do("open", "other", files[2])
    reader.do("read", "other", 20_000)
    reader.do("seek", "a", 500_000)
    assert reader.seen(opened=True) == []
    reader.do("pread", "a", SIZE)
    assert reader.seen() == []
    reader.do("read", "a", 1000)
    assert [place[:3] for place in reader.seen()] == [(0, 500_000, 501_000)]
    reader.do("seek", "a", 0)
    assert reader.seen() == []
    reader.do("read", "a", 10)
    assert [place[:3] for place in reader.seen()] == [(0, 0, 10)]


def test_that_the_rest_of_a_closed_file_was_read_if_so_much_was_asked_for(
    reader: Reader, files: list[Path]
) -> None:
    reader.seen()
    for name, path in (("a", files[0]), ("b", files[1])):
        reader.do("open", name, path)
        reader.do("read", name, 400_000)
    assert len(reader.seen(opened=True)) == 2
    reader.do("close", "b")
    assert reader.seen() == []
    reader.do("read", "a", SIZE - 400_000)
    reader.do("close", "a")
    # Its number is another file's now.
    reader.do("open", "other", files[2])
    assert [place[:3] for place in reader.seen()] == [(0, 400_000, SIZE)]
    reader.do("read", "other", 100_000)
    assert reader.seen() == []


def test_that_what_was_read_before_the_first_look_does_not_count(
    reader: Reader, files: list[Path]
) -> None:
    reader.do("open", "a", files[0])
    reader.do("read", "a", 300_000)
    assert reader.seen() == []
    reader.do("read", "a", 100_000)
    assert reader.seen() == [(0, 300_000, 400_000, 1)]
    reader.process.kill()
    reader.process.wait()
    assert reader.seen() == []


def test_that_what_was_read_between_the_last_look_and_the_end_counts(
    reader: Reader, files: list[Path]
) -> None:
    reader.seen()
    reader.do("open", "a", files[0])
    reader.do("read", "a", 400_000)
    assert reader.seen(opened=True) == [(0, 0, 400_000, 2)]
    reader.do("read", "a", SIZE - 400_000)
    reader.process.kill()
    os.waitid(os.P_PID, reader.process.pid, os.WEXITED | os.WNOWAIT)
    # It does not run any more, and is not reaped yet.
    moves = reader.positions.look(3, [], opened=False)
    assert [move[1:4] for move in moves] == [(0, 400_000, SIZE)]
    assert reader.positions.look(4, [], opened=False) == []
