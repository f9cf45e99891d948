"""Which model it is, whatever its path: a digest of its layout."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model


def fingerprint(model: Model) -> str:
    """SHA-256 over tensor names, types, shapes and places and the shards' sizes, as hex."""
    layout = (
        tuple((shard.size_bytes, shard.data_start_bytes) for shard in model.shards),
        tuple(
            (tensor.name, tensor.dtype, tensor.shape, tensor.shard, tensor.offset_bytes)
            for tensor in model.tensors
        ),
    )
    return sha256(msgspec.json.encode(layout)).hexdigest()
