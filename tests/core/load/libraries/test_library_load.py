import mmap
from pathlib import Path

import pytest

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.libraries.baseline import (
    Baseline,
    Delivered,
    LibraryLoad,
    LibraryRequest,
    WantedTensor,
)
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.machine.procfs import parse_pid_status_rss
from modelmon.core.units import MIB

REQUEST = LibraryRequest(("a", "b"), tuple(WantedTensor(name, 0, 4) for name in "xyz"))


class Fake(Baseline):
    """Hands out what a test gives it."""

    name = "fake"
    when_it_wins = "Never."
    distribution = "fake"
    formats = ("safetensors",)
    memory_kind = "mapped"
    threads = False

    def __init__(self, deliver):
        self._deliver = deliver

    def own_threads(self, *, owned):
        del owned
        return self.threads

    def prepare(self):
        pass

    def load(self, request):
        return self._deliver(request)


def hidden(request):
    """Tensors whose memory the library does not tell, read by one call at 17."""
    for tensor in request.tensors:
        yield Delivered(tensor.name, 0, tensor.nbytes, None, asked_ns=17)


def load_with(fake, deliver="usable", request=REQUEST):
    load = LibraryLoad(fake, request, touches=deliver != "untouched")
    load.prepare()
    return load


def ignore(*_values):
    pass


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_that_pages_count_as_loaded_only_when_they_were_touched(tmp_path):
    size = 32 * MIB
    path = tmp_path / "data"
    path.write_bytes(b"x" * size)

    def mapped_bytes():
        rss = parse_pid_status_rss(Path("/proc/self/status").read_text())
        assert rss is not None
        return rss.file_bytes + rss.shmem_bytes

    def map_it(request):
        with path.open("rb") as file:
            mapping = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
        yield Delivered(request.tensors[0].name, address_of(mapping), size, mapping)

    grown = {}
    for deliver in ("untouched", "usable", "owned"):
        # It maps, although it's asked for private memory: others' packages do what they like.
        owned = deliver == "owned"
        request = LibraryRequest((str(path),), (WantedTensor("x", 0, size),), owned)
        load = load_with(Fake(map_it), deliver, request)
        before = mapped_bytes()
        load.run(ignore)
        grown[deliver] = mapped_bytes() - before
    assert grown["untouched"] < size / 2
    assert min(grown["usable"], grown["owned"]) > 0.9 * size


def test_that_tensors_of_one_call_count_from_that_call():
    records = []
    load = load_with(Fake(hidden))
    load.run(lambda *values: records.append(values))
    started = [(number, times.start_ns) for _, number, times, _ in records]
    assert started == [(0, 17), (1, 17), (2, 17)]
    assert load.checksum() is None


def test_that_waiting_is_unknown_where_the_library_has_threads():
    fake = Fake(hidden)
    fake.threads = True
    (account,) = load_with(fake).run(ignore)
    assert account.run_queue_ns is None


def raises(error):
    def deliver(_request):
        raise error

    return deliver


def converts(request):
    for tensor in request.tensors:
        yield Delivered(tensor.name, 0, 2 * tensor.nbytes, None)


@pytest.mark.parametrize(
    ("deliver", "sentence"),
    [
        (raises(KeyError("x")), "fake couldn't load the model: 'x'"),
        (raises(ValueError()), "fake couldn't load the model: ValueError"),
        (raises(LoadFailedError("Its own words.")), "^Its own words"),
        (lambda _request: iter(()), "fake ended before it returned tensor x"),
        (lambda request: reversed(list(hidden(request))), "bytes of x"),
        (converts, "fake delivered 8 bytes as tensor x; wanted were the 4 bytes"),
    ],
)
def test_that_what_goes_wrong_in_a_library_is_a_sentence(deliver, sentence):
    with pytest.raises(LoadFailedError, match=sentence):
        load_with(Fake(deliver)).run(ignore)
