"""Where the scales of an fp8 weight are; standard library only, for the loader."""

from __future__ import annotations

from typing import NamedTuple


class ScaledWeight(NamedTuple):
    """A weight of fp8, in tensor number `tensor`, whose scales are in tensor number `scale`.

    Its matrices of `rows` and `columns` have a scale for each block of `block_rows` and
    `block_columns`; `scale_rows` are those of one matrix. Where that is 0 all have the same scale,
    and rows can be cut anywhere: `columns` is 1.
    """

    tensor: int
    scale: int
    columns: int = 1
    rows: int = 1
    scale_rows: int = 0
    block_rows: int = 1
    block_columns: int = 1
