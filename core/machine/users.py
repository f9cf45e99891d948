"""Which other processes have a file open or mapped."""

from __future__ import annotations

import msgspec


class FileUser(msgspec.Struct, frozen=True):
    """A process that uses the file: `how` is `open` or `mapped`."""

    pid: int
    name: str
    how: str
