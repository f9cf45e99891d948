"""Serves one file through FUSE at the cost of an object store or a hard disk; root only.

    python fuse_server.py FILE MOUNT_POINT MODEL

MODEL is JSON: `first_byte_s`, `bytes_per_s`, `per` (`handle`: each open file is a stream of
its own, as an object store's client has it; `device`: all share one head, as on a hard
disk), `readahead_bytes`, `keep_cache`. It says `ready`, answers each line of its input with
its counters as JSON, and unmounts when the input ends.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import fuse_protocol as fuse

_MS_RDONLY, _MS_NOSUID, _MS_NODEV = 1, 2, 4
_MNT_DETACH = 2


class Stream:
    """Where the last read of a handle, or of the device, ended, and when it is free again."""

    def __init__(self) -> None:
        self.end_bytes = 0
        self.free_s = 0.0
        self.lock = threading.Lock()


class Server:
    """Answers the kernel's requests; the reads of a handle one after the other."""

    def __init__(self, device: int, path: str, model: dict[str, float | str | bool]) -> None:
        self._device = device
        self._file = os.open(path, os.O_RDONLY)
        self._size = os.fstat(self._file).st_size
        self._name = os.path.basename(path).encode()  # noqa: PTH119
        self._model = model
        self._one = Stream() if model["per"] == "device" else None
        self._queues: dict[int, queue.SimpleQueue[tuple[int, fuse.Read] | None]] = {}
        self._count_lock = threading.Lock()
        self._counts: dict[str, float] = {}
        self._handles = 0
        self.take_counts()

    def take_counts(self) -> dict[str, float]:
        """The counters since the last call; times are those of the monotonic clock."""
        with self._count_lock:
            counts = self._counts
            self._counts = dict.fromkeys(
                ("requests", "bytes", "seeks", "handles", "first_s", "last_s"), 0
            )
        return counts

    def serve(self) -> None:
        """Answer until the filesystem is unmounted."""
        while True:
            try:
                message = os.read(self._device, fuse.LARGEST_REQUEST_BYTES + 4096)
            except OSError:
                return
            request = fuse.parse(message)
            if request.opcode == fuse.READ and request.node == fuse.FILE_NODE:
                read = fuse.parse_read(request.body)
                self._queues[read.handle].put((request.unique, read))
            elif request.opcode not in fuse.UNANSWERED:
                self._reply(request)

    def _reply(self, request: fuse.Request) -> None:
        body, error = self._body(request)
        self._write(fuse.answer(request.unique, body, error))

    def _body(self, request: fuse.Request) -> tuple[bytes, int]:
        if request.opcode == fuse.INIT:
            return fuse.init_body(int(self._model["readahead_bytes"])), 0
        if request.opcode == fuse.LOOKUP:
            if request.body.rstrip(b"\0") != self._name:
                return b"", fuse.ENOENT
            return fuse.entry_body(fuse.FILE_NODE, self._size), 0
        if request.opcode == fuse.GETATTR:
            return fuse.attributes_body(request.node, self._size), 0
        if request.opcode == fuse.OPEN:
            return fuse.open_body(self._open(), keep_cache=bool(self._model["keep_cache"])), 0
        if request.opcode == fuse.OPENDIR:
            return fuse.open_body(0, keep_cache=False), 0
        if request.opcode == fuse.READDIR:
            return self._names(request.body), 0
        if request.opcode == fuse.STATFS:
            return fuse.statfs_body(), 0
        if request.opcode == fuse.RELEASE:
            handle = struct.unpack_from("<Q", request.body)[0]
            self._queues.pop(handle).put(None)
            return b"", 0
        return b"", 0 if request.opcode == fuse.RELEASEDIR else fuse.ENOSYS

    def _names(self, body: bytes) -> bytes:
        if struct.unpack_from("<QQ", body)[1]:
            return b""
        entry = struct.pack("<QQII", fuse.FILE_NODE, 1, len(self._name), 8) + self._name
        return entry + bytes(-len(entry) % 8)

    def _open(self) -> int:
        with self._count_lock:
            self._counts["handles"] += 1
        self._handles += 1
        handle = self._handles
        self._queues[handle] = queue.SimpleQueue()
        work = (self._queues[handle], self._one or Stream())
        threading.Thread(target=self._follow, args=work, daemon=True).start()
        return handle

    def _follow(
        self, reads: queue.SimpleQueue[tuple[int, fuse.Read] | None], stream: Stream
    ) -> None:
        """The reads of one handle, in the order in which the kernel sent them."""
        while (item := reads.get()) is not None:
            unique, read = item
            self._pay(stream, read)
            data = os.pread(self._file, read.nbytes, read.offset_bytes)
            self._write(fuse.answer(unique, data))

    def _pay(self, stream: Stream, read: fuse.Read) -> None:
        """Wait as long as the storage would take for this read."""
        wanted = min(read.nbytes, max(0, self._size - read.offset_bytes))
        with stream.lock:
            jumped = read.offset_bytes != stream.end_bytes
            cost_s = wanted / float(self._model["bytes_per_s"])
            cost_s += float(self._model["first_byte_s"]) * jumped
            stream.free_s = max(stream.free_s, time.monotonic()) + cost_s
            stream.end_bytes = read.offset_bytes + wanted
            free_s = stream.free_s
        with self._count_lock:
            counts = self._counts
            counts["first_s"] = counts["first_s"] or time.monotonic()
            counts["requests"] += 1
            counts["bytes"] += wanted
            counts["seeks"] += jumped
            counts["last_s"] = max(counts["last_s"], free_s)
        time.sleep(max(0.0, free_s - time.monotonic()))

    def _write(self, message: bytes) -> None:
        try:
            os.write(self._device, message)
        except OSError as error:
            # The asker was killed meanwhile; nobody waits for this answer.
            if error.errno != fuse.ENOENT:
                raise


def main() -> None:
    """Mount, serve, answer for the counters, unmount."""
    path, point, model = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
    flags = _MS_RDONLY | _MS_NOSUID | _MS_NODEV
    if libc.mount(b"modelmon-bed", point.encode(), b"fuse.modelmon-bed", flags, options.encode()):
        sys.exit(f"mount: {os.strerror(ctypes.get_errno())}")
    server = Server(device, path, model)
    threading.Thread(target=server.serve, daemon=True).start()
    try:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        for _ in sys.stdin:
            sys.stdout.write(json.dumps(server.take_counts()) + "\n")
            sys.stdout.flush()
    finally:
        libc.umount2(point.encode(), _MNT_DETACH)


if __name__ == "__main__":
    main()
