"""The axes of a LoadConfig in words: their names, their values, what they are for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.load.config import NO_LIBRARY, SIZES, LoadConfig
from modelmon.core.units import request_text
from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable

AXIS_NAMES = {
    "access": mark("access"),
    "order": mark("order"),
    "readers": mark("readers"),
    "reader_kind": mark("reader kind"),
    "ranks": mark("ranks"),
    "rank_share": mark("each rank loads"),
    "descriptor": mark("descriptor"),
    "chunk_bytes": mark("request size"),
    "warmup": mark("warm-up"),
    "prefetch_bytes": mark("read ahead"),
    "advice": mark("advice"),
    "deliver": mark("deliver"),
    "huge_pages": mark("huge pages"),
    "library": mark("library"),
}
AXIS_HELP = {
    "access": mark(
        "mmap maps the file and touches every page; read goes through the page cache; "
        "direct goes past it; auto chooses by what is cached."
    ),
    "order": mark(
        "file goes by offset; model goes block by block; random is the worst case, seeded."
    ),
    "readers": mark("How many readers share the work. Each byte is read by exactly one of them."),
    "reader_kind": mark("Whether the readers are threads of one process or processes."),
    "ranks": mark("How many processes load at once, as the workers of several GPUs do."),
    "rank_share": mark("Whether each rank loads the whole model or its tensor-parallel slice."),
    "descriptor": mark("own opens the file once per reader; shared hands one descriptor to all."),
    "chunk_bytes": mark("Size of one request."),
    "warmup": mark(
        "Fills the page cache first; its time counts. read reads, readahead and willneed "
        "tell the kernel to, populate maps every page at once."
    ),
    "prefetch_bytes": mark("How far a second thread reads ahead of each reader."),
    "advice": mark("What the kernel is told about the access pattern."),
    "deliver": mark(
        "usable: each byte can be reached without further I/O. owned: it is in private "
        "memory. streamed: it passes through a small buffer. decoded: it becomes float32. "
        "The same for A and B. untouched: a library returned, whether or not anything was read."
    ),
    "huge_pages": mark("Whether private memory asks for pages of 2 MiB."),
    "library": mark(
        "A library that loads as its users call it, to measure against. It decides for "
        "most other axes."
    ),
}

_COUNTED = {
    "thread": (mark("1 thread"), mark("{count} threads")),
    "process": (mark("1 process"), mark("{count} processes")),
}


def value_text(axis: str, value: object) -> str:
    """A value as people read it: `4 MiB`, `off`, `model`."""
    if axis in SIZES and isinstance(value, int):
        return request_text(value) if value else "off"
    return str(value)


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip of a card: the axes it stands for, and their values in a few words.

    `name` is marked, to be translated where it is shown. One that is not `always` shown appears
    where its value is unusual or differs. A `plain` one is understood without its name, where
    room is short.
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
    about = Chip(mark("version"), ("library",), lambda _: version or tr("not installed"))
    return (about, *_LIBRARY_CHIPS)


def _access(config: LoadConfig) -> str:
    return f"{config.access}, {request_text(config.chunk_bytes)}"


def _readers(config: LoadConfig) -> str:
    one, several = _COUNTED[config.reader_kind]
    return tr(one) if config.readers == 1 else tr(several, count=config.readers)


def _ranks(config: LoadConfig) -> str:
    return f"{config.ranks}, {config.rank_share}" if config.ranks > 1 else "1"


def _library_delivers(config: LoadConfig) -> str:
    return {"owned": tr("touched, owned"), "usable": tr("touched")}.get(
        config.deliver, config.deliver
    )


def _value_of(axis: str) -> Callable[[LoadConfig], str]:
    return lambda config: value_text(axis, getattr(config, axis))


_ORDER = Chip(mark("order"), ("order",), _value_of("order"))
_RANKS = Chip(mark("ranks"), ("ranks", "rank_share"), _ranks, always=False)
_WARMUP = Chip(mark("warm-up"), ("warmup",), _value_of("warmup"), always=False)
_HUGE_PAGES = Chip(mark("huge pages"), ("huge_pages",), _value_of("huge_pages"), always=False)
_OWN_CHIPS = (
    Chip(mark("access"), ("access", "chunk_bytes", "library"), _access, plain=True),
    _ORDER,
    Chip(mark("readers"), ("readers", "reader_kind"), _readers, plain=True),
    Chip(mark("descriptor"), ("descriptor",), _value_of("descriptor")),
    Chip(mark("deliver"), ("deliver",), _value_of("deliver")),
    _RANKS,
    _WARMUP,
    Chip(mark("ahead"), ("prefetch_bytes",), _value_of("prefetch_bytes"), always=False),
    Chip(mark("advice"), ("advice",), _value_of("advice"), always=False),
    _HUGE_PAGES,
)
_LIBRARY_CHIPS = (
    Chip(mark("deliver"), ("deliver",), _library_delivers, plain=True),
    _ORDER,
    _RANKS,
    _WARMUP,
    _HUGE_PAGES,
)
