"""Threads of a load: who reads what and when, ahead of whom, and where their time went."""

import os
import subprocess
import sys
import threading
import time
from itertools import pairwise
from queue import SimpleQueue

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelmon.core.errors import LoadFailedError
from modelmon.core.load import readers as of_readers
from modelmon.core.load import threads as accounts
from modelmon.core.load import turns as of_turns
from modelmon.core.load.api import stream_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.extents import Extent, coalesce, distinct, split, total_bytes, within
from modelmon.core.load.progress import create, reserve
from modelmon.core.load.readers import Reader, Requests, run_readers
from modelmon.core.load.sources import Begun
from modelmon.core.load.threads import (
    Account,
    RequestTimes,
    Stopwatch,
    beside,
    io_wait_share,
    run_queue_share,
)
from modelmon.core.load.turns import Turns
from modelmon.core.load.warmup import Prefetch
from modelmon.core.units import KIB, MIB

PATIENCE_S = 60
CHUNK_BYTES = 10


class Made:
    """A source without a file, which notes what it is asked for by which thread."""

    looks = True

    def __init__(self, *, cached, deliver):
        self.cached = cached
        self.begun = False
        self.placed = []
        self.threads = {}
        self._deliver = deliver

    def begin(self, extents):
        del extents
        self.begun = True
        return Begun([(each, RequestTimes(1, 2)) for each in self.placed], self.cached)

    def deliver(self, request):
        self.threads[request] = threading.current_thread()
        self._deliver(request)

    def delivered(self, request):
        return memoryview(bytes(request.nbytes))

    def done(self, request):
        pass


def made(number, source, requests, *, placed=True):
    extents = [Extent(0, number * 1000, requests * CHUNK_BYTES)]
    return Reader(number, extents, Requests(number, extents, CHUNK_BYTES), source, placed=placed)


def nothing(_request):
    pass


class Recorded:
    """The numbers of each reader's requests, in the order in which they were recorded."""

    def __init__(self):
        self.numbers = {}
        self.nbytes = 0

    def __call__(self, reader, number, times, nbytes, count=1, /):
        assert times.start_ns <= times.end_ns
        self.numbers.setdefault(reader, []).extend(range(number, number + count))
        self.nbytes += nbytes


@pytest.fixture(autouse=True)
def _one_request_in_a_call(monkeypatch):
    monkeypatch.setattr(of_readers, "_COPIED_TOGETHER", 1)


@pytest.fixture
def two_processors(monkeypatch):
    monkeypatch.setattr(of_readers, "allowed_processors", lambda: 2)


@pytest.mark.usefixtures("two_processors")
def test_that_readers_that_only_copy_take_no_more_threads_than_there_are_processors():
    sources = [Made(cached=True, deliver=nothing) for _ in range(8)]
    recorded = Recorded()
    run_readers([made(at, source, 3) for at, source in enumerate(sources)], recorded)
    assert recorded.numbers == {at: [0, 1, 2] for at in range(8)}
    assert recorded.nbytes == 8 * 3 * CHUNK_BYTES
    assert len({thread for source in sources for thread in source.threads.values()}) <= 2


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize(
    ("cached", "placed"), [(False, True), (True, False)], ids=["waiting", "one buffer each"]
)
def test_that_readers_that_may_wait_each_have_a_thread_of_their_own(cached, placed):
    # Each waits for all others: with fewer threads they would never meet.
    together = threading.Barrier(8, timeout=PATIENCE_S)
    sources = [Made(cached=cached, deliver=lambda _: together.wait() and None) for _ in range(8)]
    run_readers(
        [made(at, source, 2, placed=placed) for at, source in enumerate(sources)], Recorded()
    )
    assert all(len(set(source.threads.values())) == 1 for source in sources)


@pytest.mark.parametrize(
    ("all_bytes_per_s", "one_bytes_per_s", "at_hand", "others_s", "seconds", "takes_turns"),
    [
        (10e6, 200e6, 0, range(0), 60, True),
        (10e6, 200e6, 0, range(10, 15), 600, True),
        (100e6, 120e6, 0, range(0), 60, False),
        (100e6, 30e6, 0, range(0), 60, False),
        (100e6, 30e6, 0.2, range(0), 60, False),
        # The trial would cost more than it could save.
        (10e6, 200e6, 0, range(0), 5, False),
    ],
    ids=[
        "a disk that seeks",
        "a disk that others use for a while",
        "a disk",
        "a server",
        "a server with a cache",
        "soon over",
    ],
)
def test_that_readers_take_turns_where_one_alone_is_faster(
    monkeypatch, all_bytes_per_s, one_bytes_per_s, at_hand, others_s, seconds, takes_turns
):
    """Of the first reader's bytes a share is `at_hand`, which one alone gets at once. Beside
    `others` each gets little.
    """
    now_ns, stop = [0], threading.Event()
    monkeypatch.setattr(of_turns.time, "monotonic_ns", lambda: now_ns[0])
    extents = [Extent(0, 0, round(seconds * all_bytes_per_s / 4))]
    source = Made(cached=False, deliver=nothing)
    readers = [Reader(at, extents, Requests(at, extents, MIB), source) for at in range(4)]
    turns, left = Turns(readers), dict.fromkeys(range(4), extents[0].nbytes // MIB)
    order = []
    while left:
        # All that may read do so by turns, as those with a request each under way.
        for reader in [turns.alone] if turns.alone is not None else list(left):
            turns.wait(reader, stop)
            is_there = left.get(0, 0) * MIB > (1 - at_hand) * extents[0].nbytes
            alone_bytes_per_s = 1e9 if is_there else one_bytes_per_s
            rate = all_bytes_per_s if turns.alone is None else alone_bytes_per_s
            rate = 5e6 if now_ns[0] // 10**9 in others_s else rate
            now_ns[0] += round(MIB * 1e9 / rate)
            turns.has_read(MIB)
            order.append(reader)
            left[reader] -= 1
            if not left[reader]:
                del left[reader]
                turns.leave(reader)
    changes = sum(one != after for one, after in pairwise(order[len(order) // 2 :]))
    assert changes <= 3 if takes_turns else changes > len(order) // 4


def test_that_readers_that_wait_for_their_turn_ask_nothing_more_once_one_has_failed(monkeypatch):
    waited, both = [], threading.Barrier(2, timeout=PATIENCE_S)

    def wait(_turns, reader, stop):
        both.wait()
        waited.append(reader and stop.wait(PATIENCE_S))
        return 0

    def deliver(request):
        assert not request.offset_bytes
        raise LoadFailedError("the disk is gone", "")

    monkeypatch.setattr(Turns, "wait", wait)
    sources = [Made(cached=False, deliver=deliver) for _ in range(2)]
    with pytest.raises(LoadFailedError, match="the disk is gone"):
        run_readers([made(at, source, 1) for at, source in enumerate(sources)], Recorded())
    assert waited == [0, True]
    assert [len(source.threads) for source in sources] == [1, 0]


def test_that_who_has_no_turn_waits_for_it_or_for_the_end():
    extents, stop = [Extent(0, 0, MIB)], threading.Event()
    source = Made(cached=False, deliver=nothing)
    turns = Turns([Reader(at, extents, Requests(at, extents, MIB), source) for at in range(3)])
    turns.alone = 0
    waiting = [threading.Thread(target=turns.wait, args=(at, stop)) for at in (1, 2)]
    for each in waiting:
        each.start()
    turns.leave(0)
    waiting[0].join(PATIENCE_S)
    assert (waiting[0].is_alive(), waiting[1].is_alive()) == (False, True)
    stop.set()
    waiting[1].join(PATIENCE_S)
    assert not waiting[1].is_alive()


@pytest.mark.usefixtures("two_processors")
def test_that_what_one_thread_is_late_with_is_copied_by_the_other_and_recorded_in_order():
    others = threading.Semaphore(0)

    def deliver(request):
        if request.offset_bytes:
            others.release()
            return
        # The first request ends when all others of its reader have ended.
        for _ in range(4):
            assert others.acquire(timeout=PATIENCE_S)

    source, recorded = Made(cached=True, deliver=deliver), Recorded()
    readers = [made(0, source, 5), made(1, Made(cached=True, deliver=nothing), 1)]
    run_readers(readers, recorded)
    assert recorded.numbers == {0: [0, 1, 2, 3, 4], 1: [0]}
    assert len(set(source.threads.values())) == 2


def test_that_neighbours_are_copied_in_one_call(monkeypatch):
    monkeypatch.setattr(of_readers, "_COPIED_TOGETHER", 3)
    # A gap, another file, and a request that is shorter than the others.
    extents = [Extent(0, 0, 50), Extent(0, 60, 20), Extent(1, 80, 13)]
    source, recorded = Made(cached=True, deliver=nothing), Recorded()
    requests = Requests(0, extents, CHUNK_BYTES)
    run_readers([Reader(0, extents, requests, source, placed=True)], recorded)
    calls = [Extent(0, 0, 30), Extent(0, 30, 20), Extent(0, 60, 20), Extent(1, 80, 13)]
    assert list(source.threads) == calls
    assert recorded.numbers == {0: list(range(9))}


def test_that_requests_of_one_call_have_even_shares_of_its_time():
    progress, _ = create([5], reserve())
    progress.record(0, 0, RequestTimes(10, 20, 3, 4), 7)
    progress.record(0, 1, RequestTimes(30, 60), 30, 3)
    progress.record(0, 4, RequestTimes(70, 80), 7)
    times = [10, 20, 3, 4, 30, 40, 0, 0, 40, 50, 0, 0, 50, 60, 0, 0, 70, 80, 0, 0]
    assert progress.times(0, 0) == times
    assert progress.delivered_bytes == 44


@settings(deadline=None)
@given(
    gaps=st.lists(st.tuples(st.integers(0, 2), st.integers(1, 45)), min_size=1, max_size=6),
    cached=st.lists(st.booleans(), min_size=1, max_size=4),
    together=st.integers(1, 5),
    in_place=st.lists(st.booleans(), min_size=1, max_size=9),
)
def test_that_each_request_is_delivered_and_recorded_once_in_its_order(
    gaps, cached, together, in_place
):
    recorded, readers, sources = Recorded(), [], []
    for number, is_cached in enumerate(cached):
        extents, end = [], 7 * number
        for gap, nbytes in gaps:
            extents.append(Extent(number, end + gap, nbytes))
            end += gap + nbytes
        sources.append(Made(cached=is_cached, deliver=nothing))
        # Some of the requests are there already, neighbours among them together.
        wanted = [each for extent in extents for each in split(extent, CHUNK_BYTES)]
        there = coalesce(each for each, is_there in zip(wanted, in_place, strict=False) if is_there)
        sources[-1].placed = within(extents, there)
        requests = Requests(number, extents, CHUNK_BYTES)
        readers.append(Reader(number, extents, requests, sources[-1], placed=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_readers, "_COPIED_TOGETHER", together)
        run_readers(readers, recorded)
    for reader, source in zip(readers, sources, strict=True):
        wanted = [each for extent in reader.extents for each in split(extent, CHUNK_BYTES)]
        assert recorded.numbers[reader.number] == list(range(len(wanted)))
        left = [each for each in wanted if not any(p.contains(each) for p in source.placed)]
        assert distinct(source.threads) == distinct(left)
        assert sum(call.nbytes for call in source.threads) == total_bytes(left)
    assert recorded.nbytes == sum(total_bytes(reader.extents) for reader in readers)


def test_that_all_look_what_is_cached_before_one_reads():
    sources = []

    def deliver(_request):
        assert all(source.begun for source in sources)

    sources += [Made(cached=at % 2 == 0, deliver=deliver) for at in range(4)]
    run_readers([made(at, source, 2) for at, source in enumerate(sources)], Recorded())


@pytest.mark.usefixtures("two_processors")
def test_that_all_processors_look_what_is_cached_of_much(monkeypatch):
    monkeypatch.setattr(of_readers, "_LOOKED_AT_BYTES", 1)
    # Both look at once: one thread would wait for ever.
    together = threading.Barrier(2, timeout=PATIENCE_S)

    class Looked(Made):
        def begin(self, extents):
            together.wait()
            return super().begin(extents)

    recorded = Recorded()
    sources = [Looked(cached=True, deliver=nothing) for _ in range(4)]
    run_readers([made(at, source, 2) for at, source in enumerate(sources)], recorded)
    assert recorded.numbers == {at: [0, 1] for at in range(4)}


def test_that_those_that_copy_keep_pace_with_those_that_wait_for_storage(monkeypatch):
    monkeypatch.setattr(of_readers, "allowed_processors", lambda: 1)
    monkeypatch.setattr(of_readers, "_PATIENCE_S", PATIENCE_S)
    recorded, copied = Recorded(), threading.Semaphore(0)
    ahead = []

    def read(request):
        # Of five requests to copy beside five to read one comes first, and one after each.
        assert copied.acquire(timeout=PATIENCE_S)

    def copy(_request):
        ahead.append(len(recorded.numbers.get(0, ())))
        copied.release()

    sources = Made(cached=False, deliver=read), Made(cached=True, deliver=copy)
    run_readers([made(at, source, 5) for at, source in enumerate(sources)], recorded)
    assert all(reads >= at for at, reads in enumerate(ahead))
    assert recorded.numbers == {0: [0, 1, 2, 3, 4], 1: [0, 1, 2, 3, 4]}


def test_that_what_is_cached_is_copied_although_storage_gives_nothing():
    done = threading.Semaphore(0)

    def read(_request):
        for _ in range(5):
            assert done.acquire(timeout=PATIENCE_S)

    sources = (
        Made(cached=False, deliver=read),
        Made(cached=True, deliver=lambda _: done.release()),
    )
    recorded = Recorded()
    run_readers([made(0, sources[0], 1), made(1, sources[1], 5)], recorded)
    assert recorded.numbers == {0: [0], 1: [0, 1, 2, 3, 4]}


@pytest.mark.usefixtures("two_processors")
def test_that_an_error_of_one_that_copies_ends_all():
    def deliver(request):
        if request.offset_bytes == CHUNK_BYTES:
            raise OSError("the disk is gone")

    failing, recorded = Made(cached=True, deliver=deliver), Recorded()
    fine = [made(at, Made(cached=True, deliver=nothing), 2) for at in range(1, 4)]
    with pytest.raises(OSError, match="the disk is gone"):
        run_readers([made(0, failing, 3), *fine], recorded)
    assert 1 not in recorded.numbers[0]


CHUNK = 64 * KIB


def test_that_reading_ahead_keeps_within_its_window_and_leaves_out_what_was_passed():
    class Files:
        read = SimpleQueue()

        def read_into(self, view, request):
            assert len(view) == request.nbytes
            self.read.put(request.offset_bytes // CHUNK)

    def taken(count):
        return [Files.read.get(timeout=PATIENCE_S) for _ in range(count)]

    ahead = Prefetch(Files(), [Extent(0, 0, 92 * CHUNK)], CHUNK, 4 * CHUNK)
    ahead.start()
    assert taken(4) == [0, 1, 2, 3]
    ahead.passed(3)
    assert taken(3) == [4, 5, 6]
    time.sleep(0.02)
    assert Files.read.empty()
    ahead.passed(90)
    # One may have been on its way before.
    assert taken(2)[-1] == 91 or taken(1) == [91]
    ahead.stop()
    assert Files.read.empty()
    assert ahead.take_problem() is None


@pytest.mark.parametrize("readers", [1, 3])
def test_that_no_thread_is_left_when_the_load_ends_or_fails(sample, readers):
    config = LoadConfig(readers=readers, chunk_bytes=CHUNK, prefetch_bytes=4 * CHUNK)
    before = threading.active_count()
    stream_model(sample, lambda *_: None, config)
    assert threading.active_count() == before

    def refuse(_tensor, _position, _data):
        raise ArithmeticError("no more")

    with pytest.raises(ArithmeticError, match="no more"):
        stream_model(sample, refuse, config)
    assert threading.active_count() == before


def test_that_a_failure_to_read_ahead_fails_the_load(sample, monkeypatch):
    def broken(self):
        self._problem = LoadFailedError("The disk is gone.")

    monkeypatch.setattr(Prefetch, "_run", broken)
    config = LoadConfig(chunk_bytes=CHUNK, prefetch_bytes=4 * CHUNK)
    with pytest.raises(LoadFailedError, match="disk is gone"):
        stream_model(sample, lambda *_: None, config)


INTERRUPTED = """
import os, signal
os.kill(os.getpid(), signal.SIGINT)
whole = True
"""
IMPORTS = """
from modelmon.core.load.threads import imported
try:
    imported("interrupted")
except KeyboardInterrupt:
    print("stopped")
print(imported("interrupted").whole)
"""
LOADS = """
import sys
from modelmon.core.torch import load_file
try:
    load_file(sys.argv[1])
except ImportError as error:
    print(error)
"""


def said(folder, script, *arguments):
    command = [sys.executable, "-P", "-c", script, *arguments]
    others = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, env=others, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_that_ctrl_c_leaves_no_module_half_imported(tmp_path):
    (tmp_path / "interrupted.py").write_text(INTERRUPTED)
    assert said(tmp_path, IMPORTS) == "stopped\nTrue\n"


def test_that_a_torch_that_cannot_be_imported_is_not_blamed_on_the_file(tmp_path, sample):
    (tmp_path / "torch.py").write_text("raise AttributeError('no _C')")
    assert said(tmp_path, LOADS, str(sample)) == "torch can't be imported: no _C\n"


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the scheduler's counters of Linux")

# Two threads of one process would share its interpreter; two processes share a processor alone.


def test_that_a_reader_waits_for_what_the_scheduler_counts(monkeypatch):
    told = iter(("1000 200 3", "2000 500 4"))
    monkeypatch.setattr(accounts, "value", lambda _path: next(told))
    assert Stopwatch().stop().run_queue_ns == 300
    shares = [Account(wall_ns=600, on_cpu_ns=150, run_queue_ns=300), Account(400, 250, 100)]
    assert run_queue_share(shares) == pytest.approx(0.4)
    assert io_wait_share(shares) == pytest.approx(0.2)


def test_that_what_a_reader_waits_for_decoders_is_no_wait_for_storage(monkeypatch):
    told = iter(("0 200 1", "0 250 2", "0 400 3", "0 500 4"))
    monkeypatch.setattr(accounts, "value", lambda _path: next(told))
    watch = Stopwatch()
    with watch.waiting_for_decoders():
        pass
    account = watch.stop()
    # What they leave of the processors meanwhile is part of that wait.
    assert account.run_queue_ns == 150
    assert account.decoders_ns > 0
    shares = [Account(wall_ns=600, on_cpu_ns=50, run_queue_ns=50, decoders_ns=200)]
    assert io_wait_share(shares) == pytest.approx(0.5)


def test_that_decoders_without_a_processor_are_waited_for_as_a_processor_is():
    reader = Account(wall_ns=1000, on_cpu_ns=100, run_queue_ns=100, decoders_ns=600)
    decoders = [Account(1000, 100, 300), Account(1000, 100, 100)]
    assert beside(reader, decoders) == Account(1000, 100, 500, 200)
    share = io_wait_share([beside(reader, decoders)])
    assert share == pytest.approx(io_wait_share([reader]))
    for unknown in ([], [Account(1000, 0, None)]):
        assert beside(reader, unknown) == reader
    nothing = reader._replace(run_queue_ns=None)
    assert beside(nothing, decoders) == nothing


def test_that_shares_are_unknown_where_the_scheduler_tells_a_reader_nothing():
    shares = [Account(wall_ns=600, on_cpu_ns=150, run_queue_ns=300), Account(400, 250, None)]
    assert (run_queue_share(shares), io_wait_share(shares)) == (None, None)
