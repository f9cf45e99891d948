"""The axes of a LoadConfig in words: their names, their values, what they are for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.load.config import NO_LIBRARY, LoadConfig
from modelmon.core.units import request_text
from modelmon.gui.language import mark, tr
from modelmon.gui.session.setting_words import value_text

if TYPE_CHECKING:
    from collections.abc import Callable

_COUNTED = {
    "thread": (mark("1 thread"), mark("{count} threads")),
    "process": (mark("1 process"), mark("{count} processes")),
}


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
