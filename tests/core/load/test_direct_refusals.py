"""Where direct reads are refused: `auto` goes round it and says so, `direct` says what to do."""

import errno
import os
import sys
import tempfile
from pathlib import Path

import pytest

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.load.api import stream_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.machine import direct_io
from modelmon.core.model import header
from modelmon.core.units import KIB, MIB

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="O_DIRECT is of Linux")
AUTO = LoadConfig(access="auto", readers=2)
DIRECT = LoadConfig(access="direct", readers=2)
IN_MEMORY = Path("/dev/shm")


@pytest.fixture
def in_memory(sample):
    """The small model on tmpfs."""
    if not IN_MEMORY.is_dir():
        pytest.skip("there is no /dev/shm here")
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        copy = Path(folder) / "copy.safetensors"
        copy.write_bytes(sample.read_bytes())
        yield copy


def test_that_on_tmpfs_auto_maps_and_says_so(in_memory, load_here):
    loaded = load_here(in_memory, AUTO)
    assert loaded.matches is True
    assert loaded.notes == ["The file is in memory (tmpfs): all was memory-mapped."]


def test_that_on_tmpfs_direct_is_refused_with_reason_and_remedy(in_memory, load_here):
    with pytest.raises(ConfigError, match=r"tmpfs.*can't be direct here.*read or auto"):
        load_here(in_memory, DIRECT)


def _is_direct(descriptor):
    flags = Path(f"/proc/self/fdinfo/{descriptor}").read_text(encoding="ascii").split()[3]
    return bool(int(flags, 8) & os.O_DIRECT)


def test_that_a_filesystem_that_opens_directly_and_then_refuses_to_read_is_noticed(
    sample, load_here, needs_direct, monkeypatch
):
    del needs_direct
    read, advised = os.preadv, []

    def refusing(descriptor, buffers, offset):
        if _is_direct(descriptor):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return read(descriptor, buffers, offset)

    monkeypatch.setattr(direct_io, "_tried", set())
    monkeypatch.setattr(os, "preadv", refusing)
    monkeypatch.setattr(os, "posix_fadvise", lambda *args: advised.append(args))
    # Headers are read without readahead on a descriptor of their own.
    monkeypatch.setattr(header, "stop_readahead", lambda _descriptor: None)
    loaded = load_here(sample, AUTO)
    assert loaded.matches is True
    assert loaded.notes == ["A direct read failed: Invalid argument: all was memory-mapped."]
    assert advised == [], "what reads instead must not be left without readahead"
    with pytest.raises(ConfigError, match="direct read failed: Invalid argument"):
        load_here(sample, DIRECT)


def test_that_a_refused_open_is_noticed(sample, load_here, monkeypatch):
    opened = os.open

    def refusing(path, flags, *mode):
        if flags & os.O_DIRECT:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return opened(path, flags, *mode)

    monkeypatch.setattr(os, "open", refusing)
    assert "refuses O_DIRECT" in load_here(sample, AUTO).notes[0]
    with pytest.raises(ConfigError, match="refuses O_DIRECT"):
        load_here(sample, DIRECT)


def test_that_a_kernel_that_tells_no_alignment_is_tried_with_a_page(
    sample, load_here, needs_direct, monkeypatch
):
    del needs_direct
    monkeypatch.setattr(direct_io, "_told_alignment_bytes", lambda _descriptor: None)
    monkeypatch.setattr(direct_io, "_tried", set())
    assert load_here(sample, DIRECT).matches is True


def test_that_a_file_is_tried_once_however_many_readers_open_it(
    sample, load_here, needs_direct, monkeypatch
):
    del needs_direct
    tried = []
    monkeypatch.setattr(direct_io, "_tried", set())
    monkeypatch.setattr(direct_io, "_try", lambda descriptor, _nbytes: tried.append(descriptor))
    assert load_here(sample, AUTO).matches is True
    assert load_here(sample, DIRECT).matches is True
    assert len(tried) == 1


@pytest.mark.parametrize("deliver", ["owned", "streamed"])
def test_that_an_alignment_wider_than_a_page_takes_a_detour(
    sample, load_here, needs_direct, deliver, monkeypatch
):
    del needs_direct
    monkeypatch.setattr(direct_io, "_told_alignment_bytes", lambda _descriptor: 64 * KIB)
    config = LoadConfig(access="direct", readers=2, chunk_bytes=32 * KIB, deliver=deliver)
    assert load_here(sample, config).matches is True


@pytest.mark.parametrize("warm", ["cold", "half", "warm"])
@pytest.mark.parametrize("access", ["direct", "auto", "read"])
def test_that_a_file_cut_while_it_is_loaded_is_an_error_and_not_a_crash(
    own_copy, needs_direct, access, warm
):
    del needs_direct
    with own_copy.open("rb", buffering=0) as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        size = {"cold": 0, "half": own_copy.stat().st_size // 2, "warm": -1}[warm]
        file.read(size)

    def cut(_tensor, _position, _data):
        os.truncate(own_copy, MIB)

    config = LoadConfig(access=access, chunk_bytes=256 * KIB)
    with pytest.raises(LoadFailedError, match=r"copy\.safetensors .*it now has 1,048,576 bytes"):
        stream_model(own_copy, cut, config)


def _shorten(most):
    read = os.preadv

    def short(descriptor, buffers, offset):
        return read(descriptor, [buffers[0][:most]], offset)

    return short


@pytest.mark.parametrize("access", ["direct", "auto", "read"])
def test_that_answers_in_parts_are_put_together(
    sample, load_here, needs_direct, access, monkeypatch
):
    del needs_direct
    monkeypatch.setattr(os, "preadv", _shorten(12 * KIB))
    config = LoadConfig(access=access, readers=2, chunk_bytes=64 * KIB)
    assert load_here(sample, config).matches is True
