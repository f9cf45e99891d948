"""Which model it is, whatever its path: a digest of its layout."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.bounded import Amount

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model


class ModelFingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which model a result is about; `digest` is SHA-256 over tensor names, types, shapes,
    places and the shards' sizes, so that it changes with the layout and not with the path.
    """

    name: str
    format: str
    nbytes: Amount
    tensors: Amount
    digest: str


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


def model_fingerprint(model: Model) -> ModelFingerprint:
    """The model's identity for results and exported files."""
    return ModelFingerprint(
        name=model.name,
        format=model.format,
        nbytes=model.nbytes,
        tensors=len(model.tensors),
        digest=fingerprint(model),
    )


def is_of(model: Model, kept: ModelFingerprint) -> bool:
    """Whether a result is about a model by what both tell at once, without a digest."""
    return (model.name, model.nbytes) == (kept.name, kept.nbytes)
