"""The settings of a load in words: their names, their values, what they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.config import SIZES
from modelmon.core.load.strategies import changed_settings
from modelmon.core.units import request_text
from modelmon.gui.language import mark, tr
from modelmon.gui.session.notices import Chip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from modelmon.core.comparison.result import StrategySummary
    from modelmon.core.find_best.result import Recommendation

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


def value_text(axis: str, value: object) -> str:
    """A value as people read it: `4 MiB`, `off`, `model`."""
    if axis in SIZES and isinstance(value, int):
        return request_text(value) if value else "off"
    return str(value)


def settings_chip(arms: Mapping[str, StrategySummary | Recommendation]) -> Iterator[Chip]:
    """What isn't the default of the strategies that were measured; nothing where all is."""
    settings = {at: _settings(arm) for at, arm in arms.items()}
    both = set.intersection(*map(set, settings.values()))
    texts = [each for each in next(iter(settings.values())) if each in both]
    if texts and len(arms) > 1:
        texts[-1] = tr("{value} (A and B)", value=texts[-1])
    for at, found in settings.items():
        texts += [tr("{arm}: {value}", arm=at, value=each) for each in found if each not in both]
    if texts:
        more = f" +{len(texts) - 1}" if len(texts) > 1 else ""
        told = tr("Not the default settings:")
        yield Chip(f"{texts[0]}{more}", "info", tool_tip="\n".join((told, *texts)))


def _settings(arm: StrategySummary | Recommendation) -> list[str]:
    return [
        tr(
            "{name}: {value}",
            name=tr(AXIS_NAMES[axis]),
            value=value_text(axis, getattr(arm.config, axis)),
        )
        for axis in changed_settings(arm.strategy, arm.config)
    ]
