"""A program of somebody else, as `modelmon watch` meets them; standard library only.

    python somebodys_program.py DEED MODEL NOTES [...]

It notes the number of each of its processes in the folder NOTES before it does anything.
"""

import fcntl
import mmap
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path

REQUEST_BYTES = 1 << 20


def note_process(notes):
    """Leave this process's number for whoever looks for it later."""
    (notes / f"{os.getpid()}.pid").touch()


def wait_for(path):
    """Return when somebody has made it."""
    while not path.exists():
        time.sleep(0.005)


def load_mapped(model, start, end):
    """Touch every page."""
    with Path(model).open("rb") as file:
        pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    for at in range(start, end, mmap.PAGESIZE):
        pages[at]
    return pages


def load_read(model, flags=0):
    """Read from the first to the last byte into the same small buffer."""
    descriptor = os.open(model, os.O_RDONLY | flags)
    buffer, at = mmap.mmap(-1, REQUEST_BYTES), 0
    while nbytes := os.preadv(descriptor, [buffer], at):
        at += nbytes


def compute(seconds):
    """Keep a processor busy for so long, by its own clock: whoever has none waits."""
    until_s = time.monotonic() + seconds
    while time.monotonic() < until_s:
        pass


def fill(nbytes, seconds):
    """Fill so much new memory, page by page, and keep it for so long; after a pause, so that looks
    part it from the reading before.
    """
    time.sleep(0.2)
    pages = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE)
    for at in range(0, nbytes, mmap.PAGESIZE):
        pages[at] = 1
    time.sleep(seconds)


def load_in_two_processes(model, notes):
    """Each maps a half; the parent waits for both, which end before it does."""
    size = Path(model).stat().st_size
    middle = size // 2 // mmap.PAGESIZE * mmap.PAGESIZE
    for start, end in ((0, middle), (middle, size)):
        if not os.fork():
            note_process(notes)
            load_mapped(model, start, end)
            os._exit(0)
    for _ in range(2):
        os.wait()


def open_for_direct_reads(model, notes):
    """Have it open as engines with direct I/O do, and read none of it."""
    os.open(model, os.O_RDONLY | os.O_DIRECT)
    wait_for(notes / "never")


def go_on_in_the_background(notes):
    """Become a daemon: another session, whose parent has ended."""
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    note_process(notes)


def serve(port):
    """Answer 503 once, and 200 from then on, with a process beside it that does not want to end."""
    answers = ["503 Service Unavailable"]
    with socket.create_server(("127.0.0.1", port)) as server:
        while True:
            with server.accept()[0] as connection:
                connection.recv(REQUEST_BYTES)
                status = answers.pop() if answers else "200 OK"
                connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())


def fail():
    """Say why, on both streams, in colors."""
    sys.stdout.write("\x1b[1mloading the model\x1b[0m\n")
    sys.stdout.flush()
    sys.stderr.write("out of luck\n")
    sys.exit(3)


def hang(model, notes):
    """Load in two processes that do not end when they are asked to."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if not os.fork():
        note_process(notes)
    load_read(model)
    (notes / "loaded").touch()
    wait_for(notes / "never")


def map_and_stay(model, notes, size):
    """Load, and keep the pages mapped as a server does."""
    pages = load_mapped(model, 0, size)
    wait_for(notes / "never")
    pages.close()


def read_beside_a_library(model, notes, size, begun_bytes):
    """Read so much, map something else, as large as the model, as a library is, and read the model
    into memory of its own.
    """
    with Path(model).open("rb") as file:
        file.read(begun_bytes)
    library = notes / "library"
    library.write_bytes(bytes(size))
    pages = load_mapped(str(library), 0, size)
    wait_for(notes / "go")
    weights = Path(model).read_bytes()
    wait_for(notes / "never")
    del pages, weights


def stay(notes, *opened):
    """Have these files open, and do nothing."""
    for path in opened:
        os.open(path, os.O_RDONLY)
    (notes / "opened").touch()
    wait_for(notes / "never")


def announce(model, notes):
    """Load, and say so in a line that is not ended."""
    load_read(model)
    sys.stdout.write("weights are read\rserver is ready")
    sys.stdout.flush()
    (notes / "loaded").touch()
    wait_for(notes / "never")


def load_in_its_time(model, size, *, mapped):
    """Start, load and pause now and then, as a runtime that takes seconds for gigabytes: whoever
    watches it sees the process before it reads, and its memory grow as it does: a bytearray would
    be zeroed, all of it resident, before the first read.
    """
    time.sleep(0.3)
    with Path(model).open("rb") as file:
        pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) if mapped else None
        weights = None if mapped else mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE)
        for at in range(0, size, 8 * REQUEST_BYTES):
            end = min(size, at + 8 * REQUEST_BYTES)
            if weights is not None:
                os.preadv(file.fileno(), [memoryview(weights)[at:end]], at)
            elif pages is not None:
                for page in range(at, end, mmap.PAGESIZE):
                    pages[page]
            time.sleep(0.03)
    return pages, weights


def tell(notes, weights):
    """Say that it has them, and keep them."""
    sys.stdout.write("loaded\n")
    sys.stdout.flush()
    wait_for(notes / "never")
    del weights


def daemonise(model, notes):
    """Load in the background, and stay there."""
    go_on_in_the_background(notes)
    announce(model, notes)


def check_alone(notes):
    """Fail where a process of an earlier run is still there."""
    for path in notes.glob("*.pid"):
        if path.stem != str(os.getpid()) and Path("/proc", path.stem).exists():
            sys.exit(f"process {path.stem} was left behind")


def fail_the_second_time(model, notes):
    """Load, unless it was started before."""
    if (notes / "once").exists() and not (notes / "mended").exists():
        fail()
    (notes / "once").touch()
    load_read(model)


def compute_together(number, seconds):
    """So many processes at once: threads of Python would take turns."""
    children = []
    for _ in range(number):
        child = os.fork()
        if not child:
            compute(seconds)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


def read_in_pieces(path):
    """Read it 4 KiB at a time from back to front, as modules are read from a slow mount."""
    descriptor = os.open(path, os.O_RDONLY)
    for at in range(os.fstat(descriptor).st_size - 4096, 0, -4096):
        os.pread(descriptor, 4096, at)


def poll(place):
    """Wait for an answer as event loops do."""
    host, _, port = place.partition(" ")
    with socket.create_connection((host, int(port))) as connection:
        select.select([connection], [], [])


def start_as_told(model, notes, size):
    """Do what stands in `start`, a step a line, and note in `times` when each was begun."""
    steps = {
        "in": lambda _: None,
        "say": lambda text: sys.stdout.write(f"{text}\n"),
        "sleep": lambda seconds: time.sleep(float(seconds)),
        "compute": lambda seconds: compute(float(seconds)),
        "fill": lambda seconds: fill(size, float(seconds)),
        "read": lambda _: load_read(model),
        "lock": lambda path: fcntl.flock(os.open(path, os.O_RDWR), fcntl.LOCK_EX),
        "import": read_in_pieces,
        "poll": poll,
        "download": lambda port: socket.create_connection(("127.0.0.1", int(port))).recv(1),
        "threads": lambda number: compute_together(int(number), 1.0),
    }
    with (notes / "times").open("w") as times:
        for line in (notes / "start").read_text().splitlines():
            step, _, value = line.partition(" ")
            times.write(f"{time.monotonic_ns()} {line}\n")
            times.flush()
            steps[step](value)


def main(deed, model, folder, number="0"):
    """Do the deed."""
    notes = Path(folder)
    note_process(notes)
    size = Path(model).stat().st_size
    deeds = {
        "nothing": lambda: None,
        "mmap": lambda: load_mapped(model, 0, size),
        "mmap-and-stay": lambda: map_and_stay(model, notes, size),
        "half": lambda: load_mapped(model, 0, size // 2),
        "read": lambda: load_read(model),
        "direct": lambda: load_read(model, os.O_DIRECT),
        "opens-and-stays": lambda: stay(notes, model),
        "stays": lambda: stay(notes),
        "opens-directly": lambda: open_for_direct_reads(model, notes),
        "read-twice": lambda: (load_read(model), load_read(model)),
        "two-processes": lambda: load_in_two_processes(model, notes),
        "fails": fail,
        "is-killed": lambda: (load_read(model), os.kill(os.getpid(), signal.SIGKILL)),
        "beside-a-library": lambda: read_beside_a_library(model, notes, size, int(number)),
        "hangs": lambda: hang(model, notes),
        "mmap-and-tell": lambda: tell(notes, load_in_its_time(model, size, mapped=True)),
        "read-and-tell": lambda: tell(notes, load_in_its_time(model, size, mapped=False)),
        "starts-as-told": lambda: start_as_told(model, notes, size),
        "lingers": lambda: (load_read(model), time.sleep(float(number))),
        "computes": lambda: (load_read(model), compute(float(number))),
        "computes-before": lambda: (compute(float(number)), load_read(model)),
        "fills": lambda: (load_read(model), fill(size, float(number))),
        "alone": lambda: (
            check_alone(notes),
            go_on_in_the_background(notes),
            announce(model, notes),
        ),
        "fails-the-second-time": lambda: fail_the_second_time(model, notes),
        "daemon": lambda: daemonise(model, notes),
        "announces": lambda: announce(model, notes),
        "serves": lambda: (load_read(model), serve(int(number))),
        "waits": lambda: (wait_for(notes / "go"), load_mapped(model, 0, size)),
        "waits-for-half": lambda: (wait_for(notes / "go"), load_mapped(model, 0, size // 2)),
    }
    deeds[deed]()


if __name__ == "__main__":
    main(*sys.argv[1:])
