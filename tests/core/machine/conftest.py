"""Real files on a real disk, to look at through an open descriptor."""

import os
import sys

import pytest
from tests.core.machine.pretended import Pretended

from modelmon.core.machine.page_cache import eviction_obstacle

FILE_BYTES = 8 * 1024**2


@pytest.fixture
def disk(tmp_path):
    """An empty folder whose files can be dropped from the page cache."""
    if sys.platform != "linux":
        pytest.skip("needs Linux's page cache calls")
    folder = os.open(tmp_path, os.O_RDONLY)
    obstacle = eviction_obstacle(folder)
    os.close(folder)
    if obstacle:
        pytest.skip(f"{tmp_path}: {obstacle} Choose another place with --basetemp.")
    return tmp_path


@pytest.fixture
def big_file(disk):
    """8 MiB that were just written and not yet synced: cached and dirty."""
    path = disk / "weights.bin"
    path.write_bytes(os.urandom(FILE_BYTES))
    return path


@pytest.fixture
def big_fd(big_file):
    """The same file, open for reading only."""
    fd = os.open(big_file, os.O_RDONLY)
    yield fd
    os.close(fd)


@pytest.fixture
def machine(tmp_path):
    """A pretended machine."""
    return Pretended(tmp_path)
