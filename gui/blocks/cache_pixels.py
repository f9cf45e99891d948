"""The pixels of a page cache strip: how much of what each stands for is cached."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.gui.blocks.cache_rows import CacheRow

_FAINTEST = 0.2


class RunningSums(NamedTuple):
    """Offsets of bucket edges over all files; cached and known bytes up to each of them."""

    edges: NDArray[np.float64]
    cached: NDArray[np.float64]
    known: NDArray[np.float64]


def shares_along(
    sums: RunningSums, pixels: int, part: tuple[float, float] | None = None
) -> NDArray[np.float64]:
    """The cached share of what each of `pixels` equal parts of all files stands for.

    `part` is from and to of another part of the files that is divided. nan where more is unknown
    than known. Buckets are taken to be filled evenly.
    """
    low, high = part or (0.0, float(sums.edges[-1]))
    at = np.linspace(low, high, pixels + 1)
    there = np.diff(np.interp(at, sums.edges, sums.known))
    cached = np.diff(np.interp(at, sums.edges, sums.cached))
    shares = np.full(pixels, np.nan)
    enough = there > 0.5 * (high - low) / pixels
    shares[enough] = cached[enough] / there[enough]
    return shares


def running_sums(found: ResidencyMap) -> RunningSums:
    """What `shares_along` needs of one look."""
    lengths: list[NDArray[np.float64]] = [np.zeros(1)]
    cached: list[NDArray[np.float64]] = [np.zeros(1)]
    known: list[NDArray[np.float64]] = [np.zeros(1)]
    for number, file in enumerate(found.files):
        if not file.is_known:
            lengths.append(np.array([file.size_bytes], dtype=float))
            cached.append(np.zeros(1))
            known.append(np.zeros(1))
            continue
        pages = np.array(found.pages_of(number), dtype=float)
        span = np.full(len(pages), float(found.bucket_bytes))
        span[-1] = file.size_bytes - found.bucket_bytes * (len(pages) - 1)
        lengths.append(span)
        cached.append(span * np.array(file.cached_pages, dtype=float) / pages)
        known.append(span)
    return RunningSums(
        np.cumsum(np.concatenate(lengths)),
        np.cumsum(np.concatenate(cached)),
        np.cumsum(np.concatenate(known)),
    )


def strip_image(
    row: CacheRow, width: int, height: int, colour: QColor, part: tuple[float, float]
) -> QImage:
    """A part of the line in `colour`, the more opaque the more is cached; clear where nothing is
    known.
    """
    which = np.array([row.number_at((line + 0.5) / height) for line in range(height)])
    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    pixels[..., 0], pixels[..., 1], pixels[..., 2] = colour.blue(), colour.green(), colour.red()
    for number in np.unique(which):
        shares = np.nan_to_num(shares_along(row.sums[number], width, part))
        alpha = np.where(shares > 0, _FAINTEST + (1 - _FAINTEST) * shares, 0.0)
        pixels[which == number, :, 3] = np.round(alpha * 255)
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32)
    # The picture lends the array's memory, which is gone after this.
    return image.copy()


def bucket_at(found: ResidencyMap, offset_bytes: float) -> tuple[int, int] | None:
    """File and bucket at an offset over all files; None where that file is unknown, or none."""
    start = 0
    for number, file in enumerate(found.files):
        if start <= offset_bytes < start + file.size_bytes:
            if not file.is_known:
                return None
            return number, int((offset_bytes - start) // found.bucket_bytes)
        start += file.size_bytes
    return None
