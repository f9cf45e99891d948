"""Which model it is, whatever its path: a digest of its layout, and one of a few of its pages."""

from __future__ import annotations

import re
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.model.tensors import Model, Tensor

_NUMBERS = re.compile(r"\d+")
_MOST_PAGES, _PAGE_BYTES = 16, 4096


class ModelFingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which model a result is about; `digest` is SHA-256 over tensor names, types, shapes,
    places and the shards' sizes, so that it changes with the layout and not with the path.
    `content` is SHA-256 over the `told_by` pages of the values; "" where nobody looked.
    """

    name: str
    format: str
    nbytes: Amount
    tensors: Amount
    digest: str
    content: str = ""


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


def told_by(model: Model) -> Iterator[tuple[int, int, int]]:
    """Shard, offset and length of the few pages that tell one content from another: from the
    middle of the last tensor of each kind, of the kinds that are most of the model. Kinds have a
    name in common but for its numbers: fine-tuning may change some of them alone.
    """
    kinds: dict[str, tuple[int, Tensor]] = {}
    for tensor in model.tensors:
        kind = _NUMBERS.sub("", tensor.name)
        others_bytes = kinds[kind][0] if kind in kinds else 0
        kinds[kind] = (others_bytes + tensor.nbytes, tensor)
    largest = sorted(kinds.values(), key=itemgetter(0), reverse=True)
    for _, tensor in largest[:_MOST_PAGES]:
        middle = tensor.offset_bytes + tensor.nbytes // 2
        start = max(tensor.offset_bytes, middle - middle % _PAGE_BYTES)
        yield tensor.shard, start, min(_PAGE_BYTES, tensor.offset_bytes + tensor.nbytes - start)


def model_fingerprint(model: Model, content: str = "") -> ModelFingerprint:
    """The model's identity for results and exported files."""
    return ModelFingerprint(
        name=model.name,
        format=model.format,
        nbytes=model.nbytes,
        tensors=len(model.tensors),
        digest=fingerprint(model),
        content=content,
    )


def is_of(model: Model, kept: ModelFingerprint) -> bool:
    """Whether a result is about a model by what both tell at once, without a digest."""
    return (model.name, model.nbytes) == (kept.name, kept.nbytes)
