"""The axes of a LoadConfig in words: their names, their values, what they are for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.load.config import NO_LIBRARY, SIZES, LoadConfig
from modelmon.core.units import request_text

if TYPE_CHECKING:
    from collections.abc import Callable

AXIS_NAMES = {
    "access": "access",
    "order": "order",
    "readers": "readers",
    "reader_kind": "reader kind",
    "ranks": "ranks",
    "rank_share": "each rank loads",
    "descriptor": "descriptor",
    "chunk_bytes": "request size",
    "warmup": "warm-up",
    "prefetch_bytes": "read ahead",
    "advice": "advice",
    "deliver": "deliver",
    "huge_pages": "huge pages",
    "library": "library",
}
AXIS_HELP = {
    "access": "mmap maps the file and touches every page; read goes through the page cache; "
    "direct goes past it; auto chooses by what is cached.",
    "order": "file goes by offset; model goes block by block; random is the worst case, seeded.",
    "readers": "How many readers share the work. Each byte is read by exactly one of them.",
    "reader_kind": "Whether the readers are threads of one process or processes.",
    "ranks": "How many processes load at once, as the workers of several GPUs do.",
    "rank_share": "Whether each rank loads the whole model or its tensor-parallel slice.",
    "descriptor": "own opens the file once per reader; shared hands one descriptor to all.",
    "chunk_bytes": "Size of one request.",
    "warmup": "Fills the page cache first; its time counts. read reads, readahead and willneed "
    "tell the kernel to, populate maps every page at once.",
    "prefetch_bytes": "How far a second thread reads ahead of each reader.",
    "advice": "What the kernel is told about the access pattern.",
    "deliver": "usable: each byte can be reached without further I/O. owned: it is in private "
    "memory. streamed: it passes through a small buffer. decoded: it becomes float32. "
    "The same for A and B. untouched: a library returned, whether or not anything was read.",
    "huge_pages": "Whether private memory asks for pages of 2 MiB.",
    "library": "A library that loads as its users call it, to measure against. It decides for "
    "most other axes.",
}


def value_text(axis: str, value: object) -> str:
    """A value as people read it: `4 MiB`, `off`, `model`."""
    if axis in SIZES and isinstance(value, int):
        return request_text(value) if value else "off"
    return str(value)


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip of a card: the axes it stands for, and their values in a few words.

    One that is not `always` shown appears where its value is unusual or differs. A `plain` one
    is understood without its name, where room is short.
    """

    name: str
    axes: tuple[str, ...]
    text: Callable[[LoadConfig], str]
    always: bool = True
    plain: bool = False


def chips_of(config: LoadConfig, version: str) -> tuple[Chip, ...]:
    """What a card shows of a configuration; a library decides for most of it itself."""
    if config.library == NO_LIBRARY:
        return _OWN_CHIPS
    about = Chip("version", ("library",), lambda _: version or "not installed")
    return (about, *_LIBRARY_CHIPS)


def _access(config: LoadConfig) -> str:
    return f"{config.access}, {request_text(config.chunk_bytes)}"


def _readers(config: LoadConfig) -> str:
    plural = {"thread": "threads", "process": "processes"}[config.reader_kind]
    return f"{config.readers} {config.reader_kind if config.readers == 1 else plural}"


def _ranks(config: LoadConfig) -> str:
    return f"{config.ranks}, {config.rank_share}" if config.ranks > 1 else "1"


def _library_delivers(config: LoadConfig) -> str:
    return {"owned": "touched, owned", "usable": "touched"}.get(config.deliver, config.deliver)


def _value_of(axis: str) -> Callable[[LoadConfig], str]:
    return lambda config: value_text(axis, getattr(config, axis))


_ORDER = Chip("order", ("order",), _value_of("order"))
_RANKS = Chip("ranks", ("ranks", "rank_share"), _ranks, always=False)
_WARMUP = Chip("warm-up", ("warmup",), _value_of("warmup"), always=False)
_HUGE_PAGES = Chip("huge pages", ("huge_pages",), _value_of("huge_pages"), always=False)
_OWN_CHIPS = (
    Chip("access", ("access", "chunk_bytes", "library"), _access, plain=True),
    _ORDER,
    Chip("readers", ("readers", "reader_kind"), _readers, plain=True),
    Chip("descriptor", ("descriptor",), _value_of("descriptor")),
    Chip("deliver", ("deliver",), _value_of("deliver")),
    _RANKS,
    _WARMUP,
    Chip("ahead", ("prefetch_bytes",), _value_of("prefetch_bytes"), always=False),
    Chip("advice", ("advice",), _value_of("advice"), always=False),
    _HUGE_PAGES,
)
_LIBRARY_CHIPS = (
    Chip("deliver", ("deliver",), _library_delivers, plain=True),
    _ORDER,
    _RANKS,
    _WARMUP,
    _HUGE_PAGES,
)
