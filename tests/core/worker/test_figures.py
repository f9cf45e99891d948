"""What is read of processes that load, here of ones whose work is known, and of a part of it."""

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import psutil
import pytest
from tests.system.runs import until

from modelmon.core.machine.processes import descendants, is_running, newest_process
from modelmon.core.machine.procfs import parse_pid_stat
from modelmon.core.machine.storage import storage_of
from modelmon.core.units import MIB
from modelmon.core.watch.program_figures import ProgramReader
from modelmon.core.worker.figures import (
    LoaderReader,
    LoaderTotals,
    ProcFile,
    ProcReader,
    PsutilReader,
    SystemCounters,
    crowded_out,
)
from modelmon.core.worker.sampler import Sampler

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

BURNT_NS = 200_000_000
TICK_NS = 10_000_000


@contextmanager
def running(script, *arguments):
    """A process that does `script`, and how to give it a line and get its answer."""
    command, pipe = [sys.executable, "-P", "-c", script, *map(str, arguments)], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as process:

        def let_it(deed=""):
            process.stdin.write(f"{deed}\n")
            return process.stdout.readline()

        try:
            yield process, let_it
        finally:
            # Nobody else would ever end a child of it.
            with suppress(psutil.NoSuchProcess):
                for each in (*psutil.Process(process.pid).children(), process):
                    each.kill()


def cpu_ns(found):
    return (found.cpu_user_ns or 0) + (found.cpu_system_ns or 0)


DECODES = f"""
import sys, threading, time
from modelmon.core.load import readers as decoding

burnt, end = threading.Event(), threading.Event()

def decode():
    decoding.name_this_thread()
    while time.thread_time_ns() < {BURNT_NS}:
        pass
    burnt.set()
    end.wait()

while time.process_time_ns() < {BURNT_NS}:
    pass
thread = threading.Thread(target=decode)
thread.start()
burnt.wait()
print("burnt", flush=True)
sys.stdin.readline()
end.set()
thread.join()
print("ended", flush=True)
sys.stdin.readline()
"""


def test_that_the_decoders_time_is_told_apart_and_outlives_them():
    with running(DECODES) as (process, let_it):
        process.stdout.readline()
        reader = ProcReader([process.pid], readers=1, decoders=1)
        plain = ProcReader([process.pid], readers=1)
        found = reader.read()
        assert BURNT_NS - 2 * TICK_NS <= found.decode_ns < 2 * BURNT_NS
        assert cpu_ns(found) >= found.decode_ns + BURNT_NS - 4 * TICK_NS
        assert plain.read().decode_ns is None
        let_it()
        assert reader.read().decode_ns == found.decode_ns
        reader.close()
        plain.close()


LATE_READER = """
import os, sys, threading

def wait():
    # The kernel keeps the thread in state D until its child has opened the FIFO.
    opened = [(os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)]
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}, file_actions=opened), 0)

print("begun", flush=True)
for _ in range(2):
    sys.stdin.readline()
    thread = threading.Thread(target=wait)
    thread.start()
    thread.join()
    print("ended", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize(
    "make", [lambda pids: ProcReader(pids, 1), lambda pids: ProcReader(pids, 8), ProgramReader]
)
def test_that_readers_are_found_however_late_they_start_and_those_that_sleep_left_out(
    tmp_path, make
):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with running(LATE_READER, fifo) as (process, _):
        # Until then it waits for the disk to give it what it imports.
        assert process.stdout.readline() == "begun\n"
        reader = make([process.pid])
        until(lambda: reader.read().waiting_share == 0.0)
        # The second thread replaces the first between two looks.
        for _ in range(2):
            process.stdin.write("\n")
            while not waits_for_child(process.pid):
                assert process.poll() is None
            # The main thread asks for the interpreter now and then, which the other one holds.
            until(lambda: reader.read().waiting_share == 1.0)
            assert all(reader.read().waiting_share for _ in range(10))
            fifo.open("wb").close()
            assert process.stdout.readline() == "ended\n"
        reader.close()


def waits_for_child(pid):
    """Whether a thread that has a child is in state D, where it stays until the child goes on."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            stat = parse_pid_stat((task / "stat").read_text())
            if stat is not None and stat.state == "D" and (task / "children").read_text():
                return True
    return False


SLEEPERS = """
import sys, threading, time
for _ in range(20):
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
for _ in range(2):
    print("sleeps", flush=True)
    sys.stdin.readline()
"""


def test_that_threads_are_left_alone_while_none_of_them_runs(monkeypatch):
    texts = []
    read = ProcFile.read
    monkeypatch.setattr(ProcFile, "read", lambda file: texts.append(read(file)) or texts[-1])
    with running(SLEEPERS) as (process, _):
        reader = ProgramReader([process.pid])

        def looked_at_threads():
            texts.clear()
            reader.read()
            return len(texts) > 20

        for _ in range(2):
            process.stdout.readline()
            assert looked_at_threads()
            # Until its last thread sleeps.
            until(lambda: not looked_at_threads())
            process.stdin.write("\n")
        reader.close()


MOTHER = """
import os, sys, time

def burn_and_read():
    with open(sys.argv[1], "rb", buffering=0) as file:
        file.read()
    while time.process_time_ns() < 200_000_000:
        pass
    os._exit(0)

for waits in (True, False):
    child = os.fork() or burn_and_read()
    if waits:
        os.waitpid(child, 0)
print(child, flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def model(tmp_path):
    """Ten megabytes."""
    path = tmp_path / "model"
    path.write_bytes(bytes(10_000_000))
    return path


def test_that_what_children_used_and_read_is_not_lost_when_they_end(model):
    with running(MOTHER, model) as (process, let_it):
        child = int(process.stdout.readline())
        while is_running(child):
            assert process.poll() is None
        assert descendants(process.pid) == [child]
        pids = [process.pid, child]
        reader = ProgramReader(pids)
        found = reader.read()
        assert cpu_ns(found) >= 2 * BURNT_NS - 4 * TICK_NS
        assert 20_000_000 <= (found.asked_bytes or 0) < 30_000_000
        let_it()
        process.wait()
        pids.clear()
        assert reader.read().asked_bytes == found.asked_bytes
        reader.close()


def test_that_it_is_told_when_a_process_or_thread_was_started(monkeypatch):
    for start in (lambda: subprocess.run(["true"], check=True), lambda: Thread().start()):
        before = newest_process()
        if not before:
            pytest.skip("this kernel doesn't tell")
        start()
        assert newest_process() != before

    def hidden(path, *_, **__):
        raise FileNotFoundError(path)

    monkeypatch.setattr("builtins.open", hidden)
    assert newest_process() == ""


def test_that_who_shares_a_processor_is_seen_to_wait_for_it():
    spin = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nwhile True: pass"
    with running(spin) as (one, _), running(spin):
        reader = ProgramReader([one.pid])
        begun_ns = time.monotonic_ns()
        before = reader.read()
        until(lambda: (reader.read().since(before).queued_ns or 0) > 50_000_000)
        assert (reader.read().since(before).queued_ns or 0) <= time.monotonic_ns() - begun_ns
        reader.close()


CONNECTS = """
import socket, subprocess, sys
sys.stdin.readline()
hosts = ("127.0.0.1", sys.argv[1])
connected = [socket.create_connection((host, int(sys.argv[2]))) for host in hosts]
children = [subprocess.Popen(["sleep", "60"]) for _ in range(3)]
print("done", flush=True)
sys.stdin.readline()
"""


def test_that_processes_and_connections_that_a_program_begins_are_counted():
    # An address of this machine's own that other machines use.
    of_cards = (
        each.address
        for name, every in psutil.net_if_addrs().items()
        for each in every
        if name != "lo" and each.family == socket.AF_INET
    )
    address = next(of_cards, None)
    if address is None:
        pytest.skip("this machine has no network")
    server = socket.create_server(("", 0))
    with server, running(CONNECTS, address, server.getsockname()[1]) as (process, let_it):
        pids = [process.pid]
        reader = ProgramReader(pids)
        before = reader.read()
        let_it()
        pids.extend(descendants(process.pid))
        until(lambda: reader.read().since(before).connections)
        began = reader.read().since(before)
        # That to this machine itself is none.
        assert (began.processes, began.connections) == (3, 1)
        reader.close()


ONE_READ = """
import mmap, os, sys
file = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
sys.stdin.readline()
os.preadv(file, [mmap.mmap(-1, 1 << 20)], 0)
print("read", flush=True)
while True:
    pass
"""


@pytest.mark.soak
def test_that_what_a_program_does_after_a_single_read_is_no_wait(model):
    with running(ONE_READ, model) as (process, let_it):
        reader = ProgramReader([process.pid])
        before = reader.read()
        if let_it() != "read\n":
            pytest.skip("no direct reads here")
        read = reader.read()
        if not read.since(before).device_bytes:
            pytest.skip("nothing came from a device")
        time.sleep(0.05)
        later = reader.read().since(read)
        assert (later.reading_ns or 0) >= 50_000_000
        assert 2 * (later.waited_ns or 0) < (later.reading_ns or 0)
        reader.close()


@pytest.mark.parametrize(
    ("device_bytes", "waited_ns", "share"), [(MIB, 0, 0.0), (64 * MIB, 0, None), (64 * MIB, 2, 0.5)]
)
def test_that_who_fetches_much_and_never_waits_may_wait_unseen(device_bytes, waited_ns, share):
    totals = LoaderTotals(device_bytes=device_bytes, reading_ns=4, waited_ns=waited_ns)
    assert totals.waited_share == share


SERVER = """
import signal, subprocess, sys
pipe = subprocess.PIPE
child = subprocess.Popen(
    [sys.executable, "-P", "-S", "-c", *sys.argv[1:]], stdin=pipe, stdout=pipe, text=True, bufsize=1
)
print(child.pid, flush=True)
for line in sys.stdin:
    if line == "end\\n":
        child.stdin.close()
        child.wait()
    elif line == "read\\n":
        with open(sys.argv[2], "rb", buffering=0) as file:
            file.read()
    else:
        child.stdin.write(line)
        child.stdout.readline()
    print("done", flush=True)
"""
RESTLESS = """
import sys
for line in sys.stdin:
    with open(sys.argv[1], "rb", buffering=0) as file:
        file.read(int(line))
    print("read", flush=True)
"""


def test_that_what_a_bystander_hands_to_its_parent_when_it_ends_does_not_count(model):
    with running(SERVER, RESTLESS, model) as (process, let_it):
        bystanders = {int(process.stdout.readline())}
        let_it("10000000")
        reader, alone = ProgramReader([process.pid], bystanders), ProgramReader([process.pid])
        before = reader.read()
        assert before.rss_anon_bytes == alone.read().rss_anon_bytes
        let_it("end")
        bystanders.clear()
        reader.read()
        let_it("read")
        grown_bytes = reader.read().since(before).asked_bytes or 0
        assert 10_000_000 <= grown_bytes < 11_000_000
        reader.close()
        alone.close()


@pytest.mark.parametrize(
    ("idle", "busy", "own_ms", "others"),
    [
        (0, 30, 0, True),  # two processors, both taken
        (0, 30, 300, False),  # by the load itself
        (16, 14, 0, False),  # one was free
        (220, 20, 200, False),  # 16 processors
        (None, None, 0, True),
    ],
)
def test_that_a_machine_is_busy_only_where_others_leave_no_processor(idle, busy, own_ms, others):
    zero = 0 if idle is not None else None
    total = zero if zero is None else idle + busy
    before = SystemCounters(0, zero, zero, zero, None, None)
    now = SystemCounters(150_000_000, idle, zero, total, None, None)
    assert crowded_out(before, now, own_ms * 10**6) is others


def test_that_figures_of_a_process_that_has_ended_are_unknown():
    """It may have ended before it is looked at, which is no fault of whoever looks."""
    reader = PsutilReader([os.getpid(), 2**22 + 1])
    assert reader.read() == LoaderTotals()
    assert reader.peak_rss_bytes() is None


def test_that_what_was_read_before_it_was_told_belongs_to_the_reading(sample):
    nothing = SimpleNamespace(delivered_bytes=0, warmup_bytes=0)
    loaders = SimpleNamespace(figures=LoaderReader(), progress=nothing)
    sampler = Sampler(loaders, storage_of(sample))
    sampler.rebase()

    def look(moment, device_bytes):
        totals = LoaderTotals(device_bytes=device_bytes)
        sampler.sample(0, 0, totals)
        sampler.mark(moment, totals)
        return time.monotonic_ns()

    look("before", 3 * MIB)  # its libraries
    begun_ns = look("before", 5 * MIB)
    look("before", 13 * MIB)  # read already, and not told yet
    look("reading", 69 * MIB)
    look("", 70 * MIB)
    assert sampler.part(begun_ns)[0].device_bytes == 65 * MIB
    assert sampler.part()[0].device_bytes == 57 * MIB
    sampler.close()
