"""The part of the kernel's FUSE protocol that a read-only folder with one file needs.

Source: include/uapi/linux/fuse.h, protocol 7.31.
"""

from __future__ import annotations

import os
import struct
from typing import NamedTuple

ROOT_NODE, FILE_NODE = 1, 2
ENOENT, EINTR, EIO, EAGAIN, ENODEV, ENOSYS = 2, 4, 5, 11, 19, 38
REQUEST_IS_GONE = frozenset({ENOENT, EINTR, EAGAIN})
"""The next request was withdrawn before it could be read."""

LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, RELEASE = 1, 2, 3, 14, 15, 17, 18
INIT, OPENDIR, READDIR, RELEASEDIR, INTERRUPT, BATCH_FORGET = 26, 27, 28, 29, 36, 42
UNANSWERED = frozenset({FORGET, INTERRUPT, BATCH_FORGET})
LARGEST_REQUEST_BYTES = 1 << 20

_ASYNC_READ = 1
_DIRECT = 1
_KEEP_CACHE = 2
_HEADER = struct.Struct("<IIQQIIII")
_ANSWER = struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<QQQQQQIIIIIIIIII")
_FOLDER, _FILE = 0o040755, 0o100644
_FOREVER_S = 3600
_OWNER = os.getuid(), os.getgid()


class Request(NamedTuple):
    """One request of the kernel; `body` is what follows the header."""

    opcode: int
    unique: int
    node: int
    body: bytes


class Read(NamedTuple):
    """What a READ asks for."""

    handle: int
    offset_bytes: int
    nbytes: int


def parse(message: bytes) -> Request:
    """A request as it was read from /dev/fuse."""
    length, opcode, unique, node, *_ = _HEADER.unpack_from(message)
    return Request(opcode, unique, node, message[_HEADER.size : length])


def parse_read(body: bytes) -> Read:
    """The body of a READ."""
    return Read(*struct.unpack_from("<QQI", body))


def answer(unique: int, body: bytes = b"", error: int = 0) -> bytes:
    """An answer as it is written to /dev/fuse."""
    return _ANSWER.pack(_ANSWER.size + len(body), -error, unique) + body


def init_body(readahead_bytes: int) -> bytes:
    """Answer to INIT: protocol 7.31, reads of at most 128 KiB, several at a time."""
    sizes = struct.pack("<IIII", 7, 31, readahead_bytes, _ASYNC_READ)
    limits = struct.pack("<HHIIHHI", 64, 48, 1 << 17, 1, 32, 0, 0)
    return sizes + limits + bytes(28)


def attributes(node: int, nbytes: int) -> bytes:
    """The attributes of the folder or of the file, which belong to whoever serves them: the kernel
    hides from others how much of a file is cached.
    """
    mode = _FOLDER if node == ROOT_NODE else _FILE
    size = 0 if node == ROOT_NODE else nbytes
    blocks = -(-size // 512)
    return _ATTRIBUTES.pack(node, size, blocks, 0, 0, 0, 0, 0, 0, mode, 1, *_OWNER, 0, 4096, 0)


def entry_body(node: int, nbytes: int, *, keep: bool) -> bytes:
    """Answer to LOOKUP; whoever does not `keep` the attributes asks for them each time."""
    head = struct.pack("<QQQQII", node, 0, _FOREVER_S, _FOREVER_S * keep, 0, 0)
    return head + attributes(node, nbytes)


def attributes_body(node: int, nbytes: int, *, keep: bool) -> bytes:
    """Answer to GETATTR."""
    return struct.pack("<QII", _FOREVER_S * keep, 0, 0) + attributes(node, nbytes)


def open_body(handle: int, *, keep_cache: bool, direct: bool = False) -> bytes:
    """Answer to OPEN and OPENDIR; `direct` passes reads by the page cache."""
    return struct.pack("<QII", handle, _KEEP_CACHE * keep_cache | _DIRECT * direct, 0)


def statfs_body() -> bytes:
    """Answer to STATFS: an empty disk of some size."""
    return struct.pack("<QQQQQIIII", 1 << 20, 1 << 19, 1 << 19, 2, 0, 4096, 255, 4096, 0) + bytes(
        24
    )
