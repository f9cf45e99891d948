"""Looks at paths for the window, which never waits for a disk itself.

    python -m modelmon.core.worker.look [--list] PATH...

A line of JSON for each, as soon as it is known: a mount that hangs keeps the others from nothing.
"""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.messages import NOTHING, Message, from_wire, to_wire
from modelmon.core.model.found_models import FolderEntries, folder_entries
from modelmon.core.worker.child_process import GRACE_S, ChildProcess, SilentError, program

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST = "--list"
_SOON_S = 2.0

Kind = Literal["absent", "file", "folder"]


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is at `path`, with the entries of a folder where they are asked for, or why they can't
    be read. What can't be looked at is taken for a file: whoever opens it says why.
    """

    path: str
    kind: Kind
    entries: FolderEntries | None = None
    problem: Message = NOTHING


decode = msgspec.json.Decoder(Seen, dec_hook=from_wire).decode


def seen_at(path: str, *, lists: bool) -> Iterator[Seen]:
    """What is there now; entries without what links lead to come first, and then all of it."""
    kind: Kind = "file"
    with suppress(OSError):
        kind = "folder" if Path(path).is_dir() else "file" if Path(path).exists() else "absent"
    if not lists:
        yield Seen(path, kind)
        return
    try:
        for follows_links in (False, True):
            yield Seen(path, kind, folder_entries(Path(path), follows_links=follows_links))
    except ModelFileError as error:
        yield Seen(path, kind, problem=error.message)


def seen_soon(path: str) -> Seen | None:
    """What is there, seen by another process; None where storage doesn't answer within a moment."""
    child = ChildProcess(program(__spec__.name, path), quiet=True)
    try:
        line = child.line(_SOON_S)
    except SilentError:
        line = None
    child.end(GRACE_S)
    return decode(line) if line else None


def main() -> None:
    """Look at all of them at once."""
    lists, lock = LIST in sys.argv[1:], threading.Lock()

    def look(path: str) -> None:
        for seen in seen_at(path, lists=lists):
            with lock:
                sys.stdout.buffer.write(msgspec.json.encode(seen, enc_hook=to_wire) + b"\n")
                sys.stdout.buffer.flush()

    for path in sys.argv[1:]:
        if path != LIST:
            threading.Thread(target=look, args=(path,)).start()


if __name__ == "__main__":
    main()
