"""Serves one file through FUSE at the cost of an object store, a hard disk or a line.

    python -m modelmon.core.simulate.server FILE MOUNT_POINT COST

COST is a `Cost` as JSON. It prints `ready`, or why nothing could be mounted; answers each line of
its input with its counters as JSON, after it has done what the line asks for (a fault, `hold`, or
nothing); and unmounts when the input ends: also when whoever started it was killed.
"""

from __future__ import annotations

import os
import queue
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.simulate import fuse_protocol as fuse
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import HOLD, Cost, Counts, Fault, fault_of

if TYPE_CHECKING:
    from collections.abc import Callable


_AHEAD_BYTES = 1024 * 1024
"""As drives read ahead, and connections keep in flight."""


class Stream:
    """Where the last read of a handle, or of the device, ended, and when it is free again."""

    def __init__(self) -> None:
        # Nothing was read yet: the first read is a request of its own, wherever it starts.
        self.end_bytes = -1
        self.free_s = 0.0
        self.lock = threading.Lock()


Reads = queue.SimpleQueue[tuple[int, fuse.Read] | None]


class Server:
    """Answers the kernel's requests; the reads of a handle one after the other."""

    def __init__(self, device: int, path: str, cost: Cost) -> None:
        self._device = device
        self._file = os.open(path, os.O_RDONLY)
        self._whole_bytes = os.fstat(self._file).st_size
        self._name = os.fsencode(Path(path).name)
        self._cost = cost
        self._one = Stream() if cost.per == "device" else None
        self._line_lock = threading.Lock()
        self._line_free_s = 0.0
        self._queues: dict[int, Reads] = {}
        self._count_lock = threading.Lock()
        self._counts = Counts()
        self._handles = 0
        self._holds = False
        self._faults: dict[str, Fault] = {}
        self._answers: dict[int, Callable[[fuse.Request], bytes | None]] = {
            fuse.INIT: lambda _: fuse.init_body(cost.readahead_bytes),
            fuse.LOOKUP: self._look_up,
            fuse.GETATTR: self._attributes,
            fuse.OPEN: self._open,
            fuse.RELEASE: self._release,
            fuse.OPENDIR: lambda _: fuse.open_body(0, keep_cache=False),
            fuse.READDIR: self._names,
            fuse.RELEASEDIR: lambda _: b"",
            fuse.STATFS: lambda _: fuse.statfs_body(),
        }

    def do(self, command: str) -> Counts:
        """What a line of the input asks for; returns the counters since the last one."""
        if command == HOLD:
            # Who waits for an answer cannot be killed before the mount ends.
            self._holds = True
        elif command:
            fault = fault_of(command)
            if fault.kind == "none":
                self._faults = {}
            else:
                self._faults = {**self._faults, fault.kind: fault}
        with self._count_lock:
            counts, self._counts = self._counts, Counts()
        return counts

    def serve(self) -> None:
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

    @property
    def _size_bytes(self) -> int:
        cut = self._faults.get("truncate")
        return self._whole_bytes if cut is None else min(self._whole_bytes, cut.offset_bytes)

    def _reply(self, request: fuse.Request) -> None:
        answer = self._answers.get(request.opcode)
        body = answer(request) if answer else None
        if body is None:
            error = fuse.ENOENT if request.opcode == fuse.LOOKUP else fuse.ENOSYS
            self._write(fuse.answer(request.unique, error=error))
        else:
            self._write(fuse.answer(request.unique, body))

    def _look_up(self, request: fuse.Request) -> bytes | None:
        if request.body.rstrip(b"\0") != self._name:
            return None
        keep = self._cost.keep_attributes
        return fuse.entry_body(fuse.FILE_NODE, self._size_bytes, keep=keep)

    def _attributes(self, request: fuse.Request) -> bytes:
        keep = self._cost.keep_attributes
        return fuse.attributes_body(request.node, self._size_bytes, keep=keep)

    def _release(self, request: fuse.Request) -> bytes:
        handle = struct.unpack_from("<Q", request.body)[0]
        self._queues.pop(handle).put(None)
        return b""

    def _names(self, request: fuse.Request) -> bytes:
        if struct.unpack_from("<QQ", request.body)[1]:
            return b""
        entry = struct.pack("<QQII", fuse.FILE_NODE, 1, len(self._name), 8) + self._name
        return entry + bytes(-len(entry) % 8)

    def _open(self, _request: fuse.Request) -> bytes:
        with self._count_lock:
            self._counts.handles += 1
        self._hold_if_asked()
        self._handles += 1
        handle = self._handles
        self._queues[handle] = queue.SimpleQueue()
        work = (self._queues[handle], self._one or Stream())
        threading.Thread(target=self._follow, args=work, daemon=True).start()
        # Only reads past the page cache can be short: else a short answer is the file's end.
        direct = "short" in self._faults
        return fuse.open_body(handle, keep_cache=self._cost.keep_cache, direct=direct)

    def _hold_if_asked(self, *, stalled: bool = False) -> None:
        if self._holds or stalled:
            with self._count_lock:
                self._counts.held += 1
            threading.Event().wait()

    def _follow(self, reads: Reads, stream: Stream) -> None:
        """The reads of one handle, in the order in which the kernel sent them."""
        while (item := reads.get()) is not None:
            unique, read = item
            faults = self._faults
            self._hold_if_asked(stalled="stall" in faults and faults["stall"].meets(read))
            if "eio" in faults and faults["eio"].meets(read):
                self._write(fuse.answer(unique, error=fuse.EIO))
                continue
            wanted = max(0, min(read.nbytes, self._size_bytes - read.offset_bytes))
            if "short" in faults:
                wanted -= wanted // 2
            self._pay(stream, read.offset_bytes, wanted)
            self._write(fuse.answer(unique, os.pread(self._file, wanted, read.offset_bytes)))

    def _pay(self, stream: Stream, offset_bytes: int, wanted: int) -> None:
        """Wait as long as the storage would take for this read."""
        cost = self._cost
        transfer_s = wanted / cost.bytes_per_s
        with stream.lock:
            jumped = offset_bytes != stream.end_bytes
            wait_s = cost.request_s + cost.first_byte_s * jumped
            # What continues was read into the storage's own buffer while nobody asked.
            ahead_s = 0.0 if jumped or wait_s else _AHEAD_BYTES / cost.bytes_per_s
            begin_s = max(stream.free_s, time.monotonic() - ahead_s) + wait_s
            own_s = wanted / (cost.stream_bytes_per_s or cost.bytes_per_s)
            free_s = max(begin_s + own_s, self._line_end_s(transfer_s, ahead_s))
            stream.free_s, stream.end_bytes = free_s, offset_bytes + wanted
        with self._count_lock:
            counts = self._counts
            counts.first_s = counts.first_s or time.monotonic()
            counts.requests += 1
            counts.bytes += wanted
            counts.seeks += jumped
            counts.last_s = max(counts.last_s, free_s)
        time.sleep(max(0.0, free_s - time.monotonic()))

    def _line_end_s(self, transfer_s: float, ahead_s: float) -> float:
        """When the line that all streams share has carried this as well."""
        with self._line_lock:
            self._line_free_s = max(self._line_free_s, time.monotonic() - ahead_s) + transfer_s
            return self._line_free_s

    def _write(self, message: bytes) -> None:
        try:
            os.write(self._device, message)
        except OSError as error:
            # The asker was killed meanwhile, or the file unmounted; nobody waits for this answer.
            if error.errno not in {fuse.ENOENT, fuse.ENODEV}:
                raise


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Mount, serve, answer for the counters, unmount."""
    path, point, text = sys.argv[1:]
    cost = msgspec.json.decode(text, type=Cost)
    # Storage answers when it is due, whatever the processors have to do.
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    try:
        device = mounts.mount(point, cost.kind)
    except OSError as error:
        _say(error.strerror or str(error))
        return
    server = Server(device, path, cost)
    threading.Thread(target=server.serve, daemon=True).start()
    try:
        _say("ready")
        for command in sys.stdin:
            _say(msgspec.json.encode(server.do(command.strip())).decode())
    finally:
        mounts.unmount(point)


if __name__ == "__main__":
    main()
