"""All stories by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from modelmon.core.demo import cache, gguf, object_store
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.demo.stage import Stage

StoryName = Literal["object-store", "cache", "gguf"]


class Story(NamedTuple):
    """A story: its title, the room that its models take, and how it is played."""

    title: Message
    nbytes: int
    play: Callable[[Stage], None]


STORIES: dict[str, Story] = {
    "object-store": Story(
        Message("Object store: four workers share one descriptor"),
        object_store.MODEL_BYTES,
        object_store.play,
    ),
    "cache": Story(
        Message("Page cache: a load that is faster than the disk"), cache.MODEL_BYTES, cache.play
    ),
    "gguf": Story(
        Message("Quantized GGUF: disk, map or decoding?"),
        gguf.Q4_BYTES + gguf.Q8_BYTES,
        gguf.play,
    ),
}
