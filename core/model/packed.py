"""What is known of a weight that a file stores as several tensors."""

from __future__ import annotations

from typing import Literal, NamedTuple

Packing = Literal["bitsandbytes", "MXFP4", "fp8", "GPTQ", "AWQ", "AWQ GEMV"]


class Packed(NamedTuple):
    """A weight whose codes are in tensor number `tensor`, and all else that its values take in its
    `helpers`: by their role in the format, the numbers of the tensors.

    The codes are stored in blocks of `block_values` values in `block_bytes` bytes, which can be
    decoded on their own; the last block may be shorter. `settings` are the format's own numbers:
    core/load/unpack.py says which. JSON can carry all of it.
    """

    tensor: int
    packing: Packing
    helpers: dict[str, int]
    block_values: int
    block_bytes: int
    settings: dict[str, float]

    @property
    def is_transposed(self) -> bool:
        """Whether a matrix is stored column after column of its shape."""
        return self.packing in ("GPTQ", "AWQ")
