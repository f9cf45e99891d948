"""What a strategy is to another program: how it reads, not how modelmon does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import request_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache

Access = Literal["mapped", "buffered", "direct", "unknown"]
"""Unknown is how the program of somebody else reads."""
ACCESS_WORDS: dict[Access, Message] = {
    "mapped": Message("memory-mapped files"),
    "buffered": Message("reads into private memory"),
    "direct": Message("direct I/O"),
}

_AXES: dict[str, Access] = {
    "mmap": "mapped",
    "read": "buffered",
    "direct": "direct",
    "auto": "direct",
}
_LIBRARIES: dict[str, Access] = {
    "safetensors.get_tensor": "mapped",
    "safetensors.get_slice": "mapped",
    "safetensors.torch.load_file": "mapped",
    "safetensors.numpy.load_file": "mapped",
    "gguf.GGUFReader": "mapped",
    "safetensors.pread": "buffered",
    "llama-cpp.read": "buffered",
    "fastsafetensors": "buffered",
    "runai-model-streamer": "buffered",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model's bytes are fetched.

    `ahead`: the page cache is filled before or beside the load. `readers` and `request_bytes` are
    None where the program decides them by itself.
    """

    access: Access
    readers: int | None = None
    request_bytes: int | None = None
    ahead: bool = False

    def missing_from(self, wanted: Reading) -> Message:
        """What of `wanted` this is not; NOTHING where it is all of it."""
        return joined(self._lacks(wanted), ", ")

    def _lacks(self, wanted: Reading) -> Iterator[Message]:
        if wanted.access != self.access:
            yield ACCESS_WORDS[wanted.access]
        if wanted.ahead and not self.ahead:
            yield Message("reading ahead")
        if wanted.readers != self.readers and (wanted.readers or 1) > 1:
            yield Message("{readers} readers", readers=wanted.readers)
        if wanted.request_bytes not in (None, self.request_bytes):
            size = request_text(wanted.request_bytes or 0)
            yield Message("requests of {size}", size=size)


def reading_of(config: LoadConfig, cache: Cache) -> Reading:
    """How a strategy reads from this state of the page cache.

    `auto` maps what is cached, or copies it to be owned, and reads the rest past the cache.
    Raises ConfigError for a library of which it is not known.
    """
    if config.library in _LIBRARIES:
        return Reading(_LIBRARIES[config.library])
    if config.library == PROGRAM:
        return Reading("unknown")
    if config.library != NO_LIBRARY:
        raise ConfigError(
            Message(
                "{library} loads by itself: what other programs should set doesn't follow from it.",
                library=config.library,
            ),
            Message("Export a strategy of modelmon."),
        )
    access = _AXES[config.access]
    if config.access == "auto" and cache == "warm":
        if config.deliver == "usable":
            # Nothing is read: how many map it matters little.
            return Reading("mapped")
        access = "buffered"
    return Reading(
        access,
        config.readers,
        # The kernel decides how much one page fault reads.
        None if access == "mapped" else config.chunk_bytes,
        ahead=config.warmup != "none" or config.prefetch_bytes > 0,
    )


def missing_text(missing: Message, title: str) -> Message:
    """What a program cannot be told, as a sentence; NOTHING where that is nothing."""
    if not missing:
        return NOTHING
    return Message("{title} has no setting for: {missing}.", title=title, missing=missing)
