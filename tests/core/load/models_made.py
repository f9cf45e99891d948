"""Models that are headers only: no file has their bytes."""

from __future__ import annotations

from modelmon.core.model.blocks import blocks_of
from modelmon.core.model.tensors import Model, Shard, Tensor


def model_of(tensors: list[Tensor], model_format: str = "safetensors") -> Model:
    end = max((t.offset_bytes + t.nbytes for t in tensors), default=0)
    shards = tuple(Shard(f"/{n}", end, 0) for n in range(1 + max(t.shard for t in tensors)))
    return Model("m", "/m", model_format, shards, tuple(tensors), blocks_of(tensors), {})


def llama(layers: int = 12) -> Model:
    names = ["model.embed_tokens.weight", "lm_head.weight", "model.norm.weight"]
    for layer in range(layers):
        names += [f"model.layers.{layer}.self_attn.{x}_proj.weight" for x in "qkvo"]
    return model_of([Tensor(name, "U8", (4, 4), 0, 16 * n, 16) for n, name in enumerate(names)])
