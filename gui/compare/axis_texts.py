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
    "access": mark("Access"),
    "order": mark("Order"),
    "readers": mark("Readers"),
    "reader_kind": mark("Reader kind"),
    "ranks": mark("Ranks"),
    "rank_share": mark("Each rank loads"),
    "descriptor": mark("Descriptor"),
    "chunk_bytes": mark("Request size"),
    "warmup": mark("Warm-up"),
    "prefetch_bytes": mark("Read ahead"),
    "advice": mark("Advice"),
    "deliver": mark("Delivery"),
    "huge_pages": mark("Huge pages"),
    "library": mark("Library"),
}
AXIS_HELP = {
    "access": mark(
        "mmap: maps the file. read: buffered reads. direct: direct I/O. auto: chooses by "
        "what is cached."
    ),
    "order": mark("file: by offset; model: block by block; random: the worst case (seeded)"),
    "readers": mark("How many readers share the work. Exactly one of them reads each byte."),
    "reader_kind": mark("Whether readers are threads of one process or separate processes"),
    "ranks": mark("How many processes load at once, like the workers of several GPUs"),
    "rank_share": mark("Whether each rank loads the whole model or its tensor-parallel slice"),
    "descriptor": mark("own: each reader opens the file; shared: all readers use one descriptor"),
    "chunk_bytes": mark(
        "Size of one request. Larger ones wait less often; smaller ones are shared out more evenly."
    ),
    "warmup": mark(
        "Fill the page cache first (timed). read: reads the file; readahead, willneed: ask the "
        "kernel to; populate: maps all pages."
    ),
    "prefetch_bytes": mark(
        "How far a second thread reads ahead of each reader. Helps readers that wait for storage."
    ),
    "advice": mark(
        "What the kernel is told about the access pattern. sequential: it reads farther ahead; "
        "random: not at all."
    ),
    "deliver": mark(
        "usable: in memory; owned: private copy; streamed: small buffer; decoded: float32; "
        "untouched: perhaps unread. Must match in A and B."
    ),
    "huge_pages": mark("Whether private memory uses 2 MiB pages, which cost fewer page faults"),
    "library": mark("A library, called the way its users call it. It decides most other settings."),
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
    where its value is unusual or differs.
    """

    name: str
    axes: tuple[str, ...]
    text: Callable[[LoadConfig], str]
    always: bool = True


def chips_of(config: LoadConfig, version: str) -> tuple[Chip, ...]:
    """What a card shows of a configuration; a library decides for most of it itself."""
    if config.library == NO_LIBRARY:
        return _OWN_CHIPS
    about = Chip(mark("Version"), ("library",), lambda _: version or tr("not installed"))
    return (about, *_LIBRARY_CHIPS)


def _access(config: LoadConfig) -> str:
    return f"{config.access}, {request_text(config.chunk_bytes)}"


def _readers(config: LoadConfig) -> str:
    one, several = _COUNTED[config.reader_kind]
    return tr(one) if config.readers == 1 else tr(several, count=config.readers)


def _descriptor(config: LoadConfig) -> str:
    return tr("per reader") if config.descriptor == "own" else tr("shared")


def _ranks(config: LoadConfig) -> str:
    return f"{config.ranks}, {config.rank_share}" if config.ranks > 1 else "1"


def _library_delivers(config: LoadConfig) -> str:
    return {"owned": tr("read in, private copy"), "usable": tr("read in")}.get(
        config.deliver, config.deliver
    )


def _value_of(axis: str) -> Callable[[LoadConfig], str]:
    return lambda config: value_text(axis, getattr(config, axis))


_ORDER = Chip(mark("Order"), ("order",), _value_of("order"))
_RANKS = Chip(mark("Ranks"), ("ranks", "rank_share"), _ranks, always=False)
_WARMUP = Chip(mark("Warm-up"), ("warmup",), _value_of("warmup"), always=False)
_HUGE_PAGES = Chip(mark("Huge pages"), ("huge_pages",), _value_of("huge_pages"), always=False)
_OWN_CHIPS = (
    Chip(mark("Access"), ("access", "chunk_bytes", "library"), _access),
    _ORDER,
    Chip(mark("Readers"), ("readers", "reader_kind"), _readers),
    Chip(mark("Descriptor"), ("descriptor",), _descriptor),
    Chip(mark("Delivery"), ("deliver",), _value_of("deliver")),
    _RANKS,
    _WARMUP,
    Chip(mark("Read ahead"), ("prefetch_bytes",), _value_of("prefetch_bytes"), always=False),
    Chip(mark("Advice"), ("advice",), _value_of("advice"), always=False),
    _HUGE_PAGES,
)
_LIBRARY_CHIPS = (
    Chip(mark("Delivery"), ("deliver",), _library_delivers),
    _ORDER,
    _RANKS,
    _WARMUP,
    _HUGE_PAGES,
)
