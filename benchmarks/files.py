"""The files that are loaded: made once in a folder, realistic, incompressible, for a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from modelmon.core.model.sample import check_space, placed_when_complete, write_sample
from modelmon.core.model.sample_layout import (
    TensorSpec,
    dimensions_for,
    safetensors_header,
    safetensors_index,
    tensors_of,
)
from modelmon.core.model.sample_values import SampleValues
from modelmon.core.model.sharded import INDEX_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

FileName = Literal["dense", "shards", "gguf", "small"]
FILES: tuple[FileName, ...] = ("dense", "shards", "gguf", "small")

DENSE_BYTES = 2_000_000_000
_GGUF_BYTES = 2_000_000_000
_LAYERS = 32
_SHARDS = 4
_SMALL_TENSORS = 20_000
_SMALL_SHAPE = (100, 125)
_EXPERTS = 400
_SEED = 3


def provide(folder: Path, name: FileName, scale: float) -> Path:
    """The path to open of a file `scale` times its full size; written if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    writers: dict[FileName, tuple[str, Callable[[Path, float], object]]] = {
        "dense": (f"dense-{_mb(DENSE_BYTES, scale)}.safetensors", write_dense),
        "shards": (f"{_SHARDS}-shards-{_mb(DENSE_BYTES, scale)}", _write_shards),
        "gguf": (f"q4_k-{_mb(_GGUF_BYTES, scale)}.gguf", _write_gguf),
        "small": (f"small-{round(_SMALL_TENSORS * scale)}.safetensors", _write_small),
    }
    file_name, write = writers[name]
    path = folder / file_name
    if not path.exists():
        write(path, scale)
    return path


def _mb(nbytes: int, scale: float) -> str:
    return f"{round(nbytes * scale / 1e6)}mb"


def write_dense(path: Path, scale: float) -> None:
    """A Llama of 291 bf16 tensors, 2 GB; smaller ones have fewer layers of the same kind."""
    write_sample(path, "safetensors", round(DENSE_BYTES * scale), _layers(scale), _SEED)


def write_tensors(path: Path, count: int) -> None:
    """`count` tensors of 16 bytes: nearly nothing but a header."""
    _write(path, [TensorSpec(f"block.{n // 8}.weight.{n}", "BF16", (8,)) for n in range(count)])


def _layers(scale: float) -> int:
    return max(2, round(_LAYERS * min(1.0, scale)))


def _write_gguf(path: Path, scale: float) -> None:
    write_sample(path, "gguf", round(_GGUF_BYTES * scale), _layers(scale), _SEED)


def _write_small(path: Path, scale: float) -> None:
    """20,000 matrices of 25 kB, as a model of many experts has them."""
    _write(path, [_expert(n) for n in range(round(_SMALL_TENSORS * scale))])


def _expert(number: int) -> TensorSpec:
    layer, expert = divmod(number, _EXPERTS)
    name = f"model.layers.{layer:02}.mlp.experts.{expert:03}.up_proj.weight"
    return TensorSpec(name, "BF16", _SMALL_SHAPE)


def _write_shards(path: Path, scale: float) -> None:
    """The dense model's tensors in four files with an index."""
    dimensions = dimensions_for("sharded", round(DENSE_BYTES * scale), _layers(scale))
    specs = tensors_of("sharded", dimensions)
    parts: list[list[TensorSpec]] = [[] for _ in range(_SHARDS)]
    total, done = sum(spec.nbytes for spec in specs), 0
    for spec in specs:
        parts[min(done * _SHARDS // total, _SHARDS - 1)].append(spec)
        done += spec.nbytes
    named = [
        (f"model-{number:05}-of-{_SHARDS:05}.safetensors", part)
        for number, part in enumerate(parts, start=1)
    ]
    check_space(path, total)
    values = SampleValues(_SEED, total)
    with placed_when_complete(path, is_folder=True) as folder:
        for name, part in named:
            _write_one(folder / name, part, values)
        (folder / f"model{INDEX_SUFFIX}").write_bytes(safetensors_index(named))


def _write(path: Path, specs: Sequence[TensorSpec]) -> None:
    total = sum(spec.nbytes for spec in specs)
    check_space(path, total)
    with placed_when_complete(path, is_folder=False) as folder:
        _write_one(folder / path.name, specs, SampleValues(_SEED, total))


def _write_one(path: Path, specs: Sequence[TensorSpec], values: SampleValues) -> None:
    with path.open("xb") as stream:
        stream.write(safetensors_header(specs))
        for spec in specs:
            for chunk in values.chunks(spec):
                stream.write(chunk.data)
