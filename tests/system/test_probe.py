"""A real probe of real files: what it reads, what it leaves behind, and how it ends."""

import os
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest
from tests.page_cache import kept
from tests.system.needs import on_linux

from modelmon.core.errors import LoadFailedError, ModelmonError
from modelmon.core.machine.direct_io import DirectRefusedError
from modelmon.core.machine.page_cache import evict_verified, residency
from modelmon.core.machine.storage import storage_of
from modelmon.core.probe import client, memory
from modelmon.core.probe import reads as probe_files
from modelmon.core.probe.client import probe_command, run_probe
from modelmon.core.probe.process import take_probe
from modelmon.core.probe.store import probes_file
from modelmon.core.units import MIB
from modelmon.core.worker import client as worker_client
from modelmon.core.worker.child_process import ChildProcess

pytestmark = on_linux
STEPS = [1, 2, 4, 8]


@pytest.fixture(autouse=True)
def _small_copies(monkeypatch):
    """In this process the rates of memory say nothing to any test."""
    monkeypatch.setattr(memory, "copied_bytes", lambda _usable_bytes: 8 * MIB)


def cached_share(path):
    with path.open("rb") as file:
        return residency(file.fileno(), [(0, path.stat().st_size)]).share


def make_cold(path):
    with path.open("rb") as file:
        whole = [(0, path.stat().st_size)]
        why = evict_verified([(file.fileno(), whole)]) or residency(file.fileno(), whole)
    if isinstance(why, str) or why.share is None:
        pytest.skip(why if isinstance(why, str) else why.source)


def short_probe(path):
    """In this process, where its length doesn't matter."""
    return take_probe([path], 0.1, lambda: False)


def test_that_a_cold_file_is_measured_and_left_cold(on_a_device):
    make_cold(on_a_device)
    # Time enough for each of eight readers, however busy the machine is.
    probe = run_probe(on_a_device, 10.0).probe
    found = probe.storage
    ways = {(one.access, one.readers) for one in found.every_rate}
    assert {("read", 1), ("read", 4), ("mmap", 1), ("mmap", 4)} <= ways
    assert probe.model_bytes == on_a_device.stat().st_size
    assert 0 < found.latency.samples <= 4000
    assert [reads.readers for reads in found.readers] == STEPS
    assert found.read_bytes > probe.model_bytes
    assert found.buffered is not None
    assert found.left_cached_bytes == 0
    assert found.repeated_places
    assert {copy.threads for copy in probe.memory.copies} >= {1}
    assert probe.storage_class != "unknown" or found.met_others
    assert cached_share(on_a_device) == 0


def test_that_a_warm_file_stays_warm(on_a_device):
    with kept(on_a_device):
        found = take_probe([on_a_device], 1.0, lambda: False).storage
        assert cached_share(on_a_device) == 1
    assert found.buffered is None
    assert "is cached" in found.buffered_reason
    assert found.mapped_bytes_per_s is not None


def test_that_only_what_was_not_cached_is_read_through_the_cache(on_a_device):
    make_cold(on_a_device)
    with kept(on_a_device, (0, on_a_device.stat().st_size // 2)):
        before = cached_share(on_a_device)
        found = take_probe([on_a_device], 1.0, lambda: False).storage
        assert cached_share(on_a_device) == before
    assert found.buffered is not None


def test_that_without_direct_reads_only_uncached_places_are_read_and_dropped_again(
    on_a_device, monkeypatch
):
    def refuse(_):
        raise DirectRefusedError("Refused here")

    monkeypatch.setattr(probe_files, "open_direct", refuse)
    make_cold(on_a_device)
    # Time enough for eight readers on a busy machine; so small a file takes less.
    found = take_probe([on_a_device], 20.0, lambda: False).storage
    assert (found.way, found.way_reason) == ("cache", "Refused here.")
    assert found.latency is not None
    assert [reads.readers for reads in found.readers] == STEPS
    assert found.left_cached_bytes == 0
    assert cached_share(on_a_device) == 0
    with kept(on_a_device):
        warm = short_probe(on_a_device).storage
        assert cached_share(on_a_device) == 1
    assert warm.latency is None
    assert warm.read_bytes == 0


def test_that_a_file_in_memory_is_known_as_such():
    if not Path("/dev/shm").is_dir() or storage_of(Path("/dev/shm")).filesystem != "tmpfs":
        pytest.skip("there is no tmpfs")
    with tempfile.NamedTemporaryFile(dir="/dev/shm", suffix=".gguf") as file:
        file.write(os.urandom(16 * 1024**2))
        file.flush()
        # On a busy machine a tenth of a second may be over before anything is read.
        while (probe := short_probe(Path(file.name))).storage.sequential is None:
            pass
    assert probe.storage.way == "memory"
    assert probe.storage_class == "memory"
    assert "tmpfs" in probe.storage.way_reason
    assert probe.storage.buffered is None


@pytest.mark.parametrize("nbytes", [1, pytest.param(1000, marks=pytest.mark.long), 4097])
def test_that_tiny_files_have_a_latency_and_no_rate(on_a_device, tmp_path, nbytes):
    del on_a_device
    file = tmp_path / "tiny.bin"
    with file.open("wb") as written:
        written.write(os.urandom(nbytes))
        written.flush()
        os.fsync(written.fileno())
    # Time enough for each page, however busy the machine is.
    found = take_probe([file], 5.0, lambda: False).storage
    assert found.latency.samples == -(-nbytes // 4096)
    assert found.latency.p99_ns is None
    assert found.best_reads is None


def test_that_a_file_that_cannot_be_opened_is_named_and_an_empty_one_is_no_obstacle(
    tmp_path, monkeypatch
):
    with pytest.raises(ModelmonError, match="doesn't exist"):
        run_probe(tmp_path / "gone.gguf", 1.0)
    (tmp_path / "empty.bin").touch()
    empty = short_probe(tmp_path / "empty.bin")
    assert (empty.storage.way, empty.storage.read_bytes) == ("none", 0)
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("model.gguf")
        with pytest.raises(LoadFailedError, match=r"model.gguf"):
            short_probe(Path("model.gguf"))


def test_that_the_end_of_its_input_stops_a_probe_without_a_trace(on_a_device):
    make_cold(on_a_device)
    with subprocess.Popen(
        probe_command(on_a_device, 60), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        while not cached_share(on_a_device):
            assert process.poll() is None
        process.stdin.close()
        assert not process.stdout.read()
    assert process.returncode == 130
    assert not probes_file().exists()
    assert cached_share(on_a_device) == 0


@pytest.fixture
def signalled(monkeypatch):
    """Let what is asked get this signal as soon as it runs."""

    def to_get(number):
        class Signalled(ChildProcess):
            def __init__(self, *arguments, **options):
                super().__init__(*arguments, **options)
                psutil.Process().children()[-1].send_signal(number)

        monkeypatch.setattr(worker_client, "ChildProcess", Signalled)

    return to_get


def test_that_a_probe_that_dies_is_told(sample, signalled):
    signalled(signal.SIGKILL)
    with pytest.raises(LoadFailedError, match="signal 9"):
        run_probe(sample, 1.0)


def test_that_a_probe_that_hangs_is_given_up(sample, signalled, monkeypatch):
    signalled(signal.SIGSTOP)
    monkeypatch.setattr(client, "deadline_s", lambda _seconds: 0.1)
    with pytest.raises(LoadFailedError, match=r"doesn't respond\. Measuring it was abandoned"):
        run_probe(sample, 1.0)
    assert not psutil.Process().children()


def test_that_what_others_do_on_the_disk_meanwhile_is_counted(on_a_device, tmp_path):
    written = tmp_path / "others"

    def disturb():
        """It is asked whether it should stop while it reads."""
        if not written.exists():
            with written.open("wb") as file:
                file.write(os.urandom(2**25))
                file.flush()
                os.fsync(file.fileno())
        return False

    found = take_probe([on_a_device], 1.0, disturb).storage
    if found.way != "direct" or found.others_bytes is None:
        pytest.skip("the devices do not count, or refuse direct reads")
    assert found.direct_bytes > 0
    assert found.others_bytes >= 2**25
