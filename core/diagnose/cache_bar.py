"""The page cache of a model's files as one line of text: how full each part of it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modelmon.core.machine.residency import ResidencyMap

_CELLS = 56
_LEVELS = " ░▒▓█"
_BETWEEN_FILES = "│"


def cache_bar(found: ResidencyMap) -> str:
    """A mark for each part: blank is not cached, a full one is cached whole.

    Several files stand one after the other with a line between them, as long as their sizes
    say; of very many, some get no mark. A file of which nothing is known has question marks.
    """
    total = sum(file.size_bytes for file in found.files) or 1
    bars = []
    start = 0
    for number, file in enumerate(found.files):
        first = round(start * _CELLS / total)
        start += file.size_bytes
        cells = round(start * _CELLS / total) - first
        if not file.is_known:
            bars.append("?" * cells)
            continue
        bars.append(_marks(file.cached_pages, found.pages_of(number), cells))
    return f"[{_BETWEEN_FILES.join(bar for bar in bars if bar)}]"


def _marks(cached: tuple[int, ...], pages: tuple[int, ...], cells: int) -> str:
    """`cells` marks for the buckets of a file; where there are more cells, some say the same."""
    marks = []
    for cell in range(cells):
        first = cell * len(cached) // cells
        last = max(first + 1, (cell + 1) * len(cached) // cells)
        there, whole = sum(cached[first:last]), sum(pages[first:last])
        # Blank and full mean all of it; what lies between never looks like either.
        between = 1 + there * (len(_LEVELS) - 2) // whole
        marks.append(_LEVELS[0 if not there else -1 if there >= whole else between])
    return "".join(marks)
