"""Where a load's bytes are at its end, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import Message
from modelmon.core.units import percent_text

if TYPE_CHECKING:
    from modelmon.core.worker.result import RunFigures

_KINDS = {
    "mapped": Message("memory-mapped (reclaimable)"),
    "owned": Message("private copy"),
    "streamed": Message("streamed through a small buffer"),
}
_UNSEEN = Message("not seen in the program's own memory")
_MEANINGS = {
    "mapped": Message(
        "Memory-mapped (reclaimable): the kernel may drop the bytes and read them again."
    ),
    "owned": Message("Private copy: the kernel can't drop the bytes."),
    "streamed": Message("Streamed through a small buffer: no bytes are kept in memory."),
}
_MEANING_UNSEEN = Message("Not seen in the program's own memory.")


def memory_text(run: RunFigures) -> Message:
    """Where the bytes are, as a line, a cell or a chip has it."""
    share = run.mapped_share
    if run.memory_kind == "mixed" and share is not None:
        return Message(
            "{mapped} memory-mapped, {private} private",
            mapped=percent_text(share),
            private=percent_text(1 - share),
        )
    return _KINDS.get(run.memory_kind, _UNSEEN)


def memory_meaning(run: RunFigures) -> Message:
    """Where the bytes are, and what that means, as a sentence."""
    if run.memory_kind == "mixed" and run.mapped_share is not None:
        return Message(
            "{where}: the kernel may drop the mapped part and read it again.",
            where=memory_text(run),
        )
    return _MEANINGS.get(run.memory_kind, _MEANING_UNSEEN)
