"""Serves one file through FUSE at the cost of an object store or a hard disk; root only.

    python fuse_server.py FILE MOUNT_POINT MODEL

MODEL is JSON: `first_byte_s` for a read that does not go on where the last one ended, `request_s`
for each, `bytes_per_s` of all together and `stream_bytes_per_s` of each stream, `per` (`handle`:
each open file is a stream of its own, as an object store's client has it; `device`: all share one
head, as on a hard disk), `readahead_bytes`, `keep_cache`, `keep_attributes` (else each stat is a
request), `name` (what it is mounted from). It says `ready`,
answers each line of its input with its counters as JSON, and unmounts when the input ends: also
when whoever started it was killed.
"""

from __future__ import annotations

import ctypes
import json
import os
import queue
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

sys.path.insert(0, str(Path(__file__).parent))

import fuse_protocol as fuse

_MS_RDONLY, _MS_NOSUID, _MS_NODEV = 1, 2, 4
_MNT_DETACH = 2


class Stream:
    """Where the last read of a handle, or of the device, ended, and when it is free again."""

    def __init__(self):
        # Nothing was read yet: the first read is a request of its own, wherever it starts.
        self.end_bytes = -1
        self.free_s = 0.0
        self.lock = threading.Lock()


class Model(TypedDict):
    """What storage costs, as described above."""

    first_byte_s: float
    request_s: float
    bytes_per_s: float
    stream_bytes_per_s: float
    per: str
    readahead_bytes: int
    keep_cache: bool
    keep_attributes: bool
    name: str


class Server:
    """Answers the kernel's requests; the reads of a handle one after the other."""

    def __init__(self, device, path, model):
        self._device = device
        self._file = os.open(path, os.O_RDONLY)
        self._size = os.fstat(self._file).st_size
        self._name = Path(path).name.encode()
        self._model = model
        self._one = Stream() if model["per"] == "device" else None
        self._line_lock = threading.Lock()
        self._line_free_s = 0.0
        self._queues = {}
        self._count_lock = threading.Lock()
        self._counts = {}
        self._handles = 0
        self._holds = False
        self._answers = {
            fuse.INIT: self._init,
            fuse.LOOKUP: self._look_up,
            fuse.GETATTR: self._attributes,
            fuse.OPEN: self._open,
            fuse.RELEASE: self._release,
            fuse.OPENDIR: lambda _: fuse.open_body(0, keep_cache=False),
            fuse.READDIR: self._names,
            fuse.RELEASEDIR: lambda _: b"",
            fuse.STATFS: lambda _: fuse.statfs_body(),
        }
        self.take_counts()

    def hold(self):
        """Answer no OPEN and no READ any more: who waits for one cannot be killed."""
        self._holds = True

    def take_counts(self):
        """The counters since the last call; times are those of the monotonic clock."""
        with self._count_lock:
            counts = self._counts
            self._counts = dict.fromkeys(
                ("requests", "bytes", "seeks", "handles", "held", "first_s", "last_s"), 0
            )
        return counts

    def serve(self):
        """Answer until the filesystem is unmounted."""
        while True:
            try:
                message = os.read(self._device, fuse.LARGEST_REQUEST_BYTES + 4096)
            except OSError as error:
                if error.errno in fuse.REQUEST_IS_GONE:
                    continue
                return
            request = fuse.parse(message)
            if request.opcode == fuse.READ and request.node == fuse.FILE_NODE:
                read = fuse.parse_read(request.body)
                self._queues[read.handle].put((request.unique, read))
            elif request.opcode not in fuse.UNANSWERED:
                self._reply(request)

    def _reply(self, request):
        answer = self._answers.get(request.opcode)
        body = answer(request) if answer else None
        if body is None:
            error = fuse.ENOENT if request.opcode == fuse.LOOKUP else fuse.ENOSYS
            self._write(fuse.answer(request.unique, error=error))
        else:
            self._write(fuse.answer(request.unique, body))

    def _init(self, _request):
        return fuse.init_body(self._model["readahead_bytes"])

    def _look_up(self, request):
        if request.body.rstrip(b"\0") != self._name:
            return None
        return fuse.entry_body(fuse.FILE_NODE, self._size, keep=self._model["keep_attributes"])

    def _attributes(self, request):
        keep = self._model["keep_attributes"]
        return fuse.attributes_body(request.node, self._size, keep=keep)

    def _release(self, request):
        handle = struct.unpack_from("<Q", request.body)[0]
        self._queues.pop(handle).put(None)
        return b""

    def _names(self, request):
        if struct.unpack_from("<QQ", request.body)[1]:
            return b""
        entry = struct.pack("<QQII", fuse.FILE_NODE, 1, len(self._name), 8) + self._name
        return entry + bytes(-len(entry) % 8)

    def _open(self, _request):
        with self._count_lock:
            self._counts["handles"] += 1
        self._hold_if_asked()
        self._handles += 1
        handle = self._handles
        self._queues[handle] = queue.SimpleQueue()
        work = (self._queues[handle], self._one or Stream())
        threading.Thread(target=self._follow, args=work, daemon=True).start()
        return fuse.open_body(handle, keep_cache=self._model["keep_cache"])

    def _hold_if_asked(self):
        if self._holds:
            with self._count_lock:
                self._counts["held"] += 1
            threading.Event().wait()

    def _follow(self, reads, stream):
        """The reads of one handle, in the order in which the kernel sent them."""
        while (item := reads.get()) is not None:
            unique, read = item
            self._hold_if_asked()
            self._pay(stream, read)
            data = os.pread(self._file, read.nbytes, read.offset_bytes)
            self._write(fuse.answer(unique, data))

    def _pay(self, stream, read):
        """Wait as long as the storage would take for this read."""
        wanted = min(read.nbytes, max(0, self._size - read.offset_bytes))
        transfer_s = wanted / self._model["bytes_per_s"]
        with stream.lock:
            jumped = read.offset_bytes != stream.end_bytes
            wait_s = self._model["request_s"] + self._model["first_byte_s"] * jumped
            begin_s = max(stream.free_s, time.monotonic()) + wait_s
            own_s = wanted / self._model["stream_bytes_per_s"]
            free_s = max(begin_s + own_s, self._line_end_s(transfer_s))
            stream.free_s, stream.end_bytes = free_s, read.offset_bytes + wanted
        with self._count_lock:
            counts = self._counts
            counts["first_s"] = counts["first_s"] or time.monotonic()
            counts["requests"] += 1
            counts["bytes"] += wanted
            counts["seeks"] += jumped
            counts["last_s"] = max(counts["last_s"], free_s)
        time.sleep(max(0.0, free_s - time.monotonic()))

    def _line_end_s(self, transfer_s):
        """When the line that all streams share has carried this as well."""
        with self._line_lock:
            self._line_free_s = max(self._line_free_s, time.monotonic()) + transfer_s
            return self._line_free_s

    def _write(self, message):
        try:
            os.write(self._device, message)
        except OSError as error:
            # The asker was killed meanwhile, or the file unmounted; nobody waits for this answer.
            if error.errno not in (fuse.ENOENT, fuse.ENODEV):
                raise


def main():
    """Mount, serve, answer for the counters, unmount."""
    path, point, model = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    # Storage answers when it is due, whatever the processors have to do.
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
    flags = _MS_RDONLY | _MS_NOSUID | _MS_NODEV
    # The source tells whose mount it is, should this process be killed before it unmounts.
    source = (model["name"] or f"modelmon-bed-{os.getpid()}").encode()
    if libc.mount(source, point.encode(), b"fuse.modelmon-bed", flags, options.encode()):
        sys.exit(f"mount: {os.strerror(ctypes.get_errno())}")
    server = Server(device, path, model)
    threading.Thread(target=server.serve, daemon=True).start()
    try:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        for command in sys.stdin:
            if command == "hold\n":
                server.hold()
            sys.stdout.write(json.dumps(server.take_counts()) + "\n")
            sys.stdout.flush()
    finally:
        libc.umount2(point.encode(), _MNT_DETACH)


if __name__ == "__main__":
    main()
