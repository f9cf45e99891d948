"""The pixels of a page cache strip: how much of what each stands for is cached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from modelmon.core.machine.residency_map import ResidencyMap
    from modelmon.gui.plots.cache.cache_rows import CacheRow

_FAINTEST = 0.2


def shares_along(found: ResidencyMap, pixels: int) -> NDArray[np.float64]:
    """The cached share of what each of `pixels` equal parts of all files stands for.

    nan where more of a part is unknown than known. Buckets are taken to be filled evenly.
    """
    edges, cached, known = _running_sums(found)
    at = np.linspace(0.0, edges[-1], pixels + 1)
    there = np.diff(np.interp(at, edges, known))
    sums = np.diff(np.interp(at, edges, cached))
    shares = np.full(pixels, np.nan)
    enough = there > 0.5 * edges[-1] / pixels
    shares[enough] = sums[enough] / there[enough]
    return shares


def _running_sums(
    found: ResidencyMap,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Offsets of bucket edges over all files; cached and known bytes up to each of them."""
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
    return (
        np.cumsum(np.concatenate(lengths)),
        np.cumsum(np.concatenate(cached)),
        np.cumsum(np.concatenate(known)),
    )


def strip_image(row: CacheRow, width: int, height: int, colour: QColor) -> QImage:
    """The line in `colour`, the more opaque the more is cached; clear where nothing is known."""
    which = np.array([row.number_at((line + 0.5) / height) for line in range(height)])
    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    pixels[..., 0], pixels[..., 1], pixels[..., 2] = colour.blue(), colour.green(), colour.red()
    for number in np.unique(which):
        shares = np.nan_to_num(shares_along(row.looks[number], width))
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
