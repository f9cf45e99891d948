"""Sample models: right by the official packages, incompressible, repeatable, all or nothing; where
they are refused or cancelled, nothing is lost, and nothing is left behind.
"""

from __future__ import annotations

import hashlib
import shutil
import zlib
from typing import Literal, NamedTuple

import gguf
import ml_dtypes
import numpy as np
import pytest
from safetensors import deserialize, safe_open

from modelmon.core.errors import ModelmonError
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import GIB, MIB

Format = Literal["safetensors", "sharded", "gguf"]
FORMATS = ("safetensors", "sharded", "gguf")
SIZE_BYTES = 8 * MIB
LAYERS = 4


def content(path):
    """All files of a sample."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A small sample of each format."""
    folder = tmp_path_factory.mktemp("samples")
    return {form: write_sample(folder / form, form, SIZE_BYTES, LAYERS, seed=7) for form in FORMATS}


@pytest.mark.parametrize("form", FORMATS)
def test_that_a_sample_is_a_llama_of_the_size_asked_for(samples, form):
    model = open_model(samples[form])
    layer = "blk" if form == "gguf" else "layers"
    names = [block.name for block in model.blocks]
    assert names == ["embeddings", *(f"{layer}.{n}" for n in range(LAYERS)), "output"]
    assert sum(len(file) for file in content(samples[form]).values()) == pytest.approx(
        SIZE_BYTES, rel=0.01
    )
    assert len(model.shards) == (4 if form == "sharded" else 1)
    assert model.name == form


@pytest.mark.parametrize("form", ["safetensors", "gguf"])
@pytest.mark.parametrize(("size_bytes", "layers"), [(4 * MIB, 4), (24 * MIB, 1), (40 * MIB, 13)])
def test_that_other_sizes_are_met_too(tmp_path, form, size_bytes, layers):
    path = write_sample(tmp_path / "m", form, size_bytes, layers, seed=1)
    assert path.stat().st_size == pytest.approx(size_bytes, rel=0.01)
    shapes = [tensor.shape for tensor in open_model(path).tensors]
    assert all(shape[-1] % 256 == 0 for shape in shapes)


def test_that_the_official_library_reads_the_safetensors_sample(samples):
    path = samples["safetensors"]
    model = open_model(path)
    with safe_open(path, framework="np") as file:
        assert sorted(file.keys()) == sorted(tensor.name for tensor in model.tensors)
        for tensor in model.tensors:
            part = file.get_slice(tensor.name)
            assert (part.get_dtype(), tuple(part.get_shape())) == ("BF16", tensor.shape)


def test_that_weights_are_finite_and_spread_as_trained_ones(samples):
    tensors = dict(deserialize(samples["safetensors"].read_bytes()))
    raw = tensors["model.layers.0.self_attn.q_proj.weight"]["data"]
    weights = np.frombuffer(raw, ml_dtypes.bfloat16).astype(np.float32)
    assert np.isfinite(weights).all()
    assert abs(weights.mean()) < 0.001
    assert weights.std() == pytest.approx(0.02, rel=0.2)
    raw = tensors["model.norm.weight"]["data"]
    norm = np.frombuffer(raw, ml_dtypes.bfloat16).astype(np.float32)
    assert ((norm >= 1) & (norm < 1.5)).all()


def test_that_the_shards_and_their_index_agree(samples):
    folder = samples["sharded"]
    model = open_model(folder / "model.safetensors.index.json")
    names = []
    for file in model.files:
        with safe_open(file, framework="np") as shard:
            names += shard.keys()
    assert sorted(names) == sorted(tensor.name for tensor in model.tensors)
    sizes = [shard.size_bytes for shard in model.shards]
    assert max(sizes) < 2 * min(sizes)


def test_that_the_official_package_reads_the_gguf_sample(samples):
    reader = gguf.GGUFReader(samples["gguf"])
    model = open_model(samples["gguf"])
    official = {tensor.name: tensor for tensor in reader.tensors}
    assert official.keys() == {tensor.name for tensor in model.tensors}
    for tensor in model.tensors:
        theirs = official[tensor.name]
        assert (theirs.tensor_type.name, theirs.data_offset, theirs.n_bytes) == (
            tensor.dtype,
            tensor.offset_bytes,
            tensor.nbytes,
        )
        values = gguf.quants.dequantize(theirs.data, theirs.tensor_type)
        assert np.isfinite(values).all()
        assert values.std() > 0
    assert {tensor.dtype for tensor in model.tensors} == {"F32", "Q4_K", "Q6_K"}


def test_that_the_gguf_sample_describes_itself(samples):
    reader = gguf.GGUFReader(samples["gguf"])
    fields = {name: field.contents() for name, field in reader.fields.items()}
    shapes = {tensor.name: tensor.shape for tensor in open_model(samples["gguf"]).tensors}
    tokens = fields["tokenizer.ggml.tokens"]
    assert fields["general.architecture"] == "llama"
    assert fields["llama.block_count"] == LAYERS
    assert shapes["token_embd.weight"] == (len(tokens), fields["llama.embedding_length"])
    assert shapes["blk.0.ffn_up.weight"][0] == fields["llama.feed_forward_length"]
    heads, heads_kv = (
        fields[f"llama.attention.{name}"] for name in ("head_count", "head_count_kv")
    )
    assert shapes["blk.0.attn_k.weight"][0] * heads == shapes["blk.0.attn_q.weight"][0] * heads_kv
    assert len(set(tokens)) == len(tokens) == len(fields["tokenizer.ggml.scores"])


@pytest.mark.parametrize(("form", "least"), [("safetensors", 0.7), ("gguf", 0.93)])
def test_that_nothing_repeats_or_compresses(samples, form, least):
    model = open_model(samples[form])
    raw = samples[form].read_bytes()[model.shards[0].data_start_bytes :]
    assert len(zlib.compress(raw, 6)) / len(raw) > least
    # Equal pages are looked for at every place where a copy of one could lie.
    page, step = 4096, 2
    seen = {raw[at : at + page] for at in range(0, len(raw) - page, page)}
    assert len(seen) == len(range(0, len(raw) - page, page))
    starts = np.array([int.from_bytes(piece[:8], "little") for piece in seen], np.uint64)
    repeated = sum(
        np.isin(np.frombuffer(raw, np.uint64, len(raw) // 8 - 1, at), starts).sum()
        for at in range(0, 8, step)
    )
    assert repeated <= len(seen)


@pytest.mark.parametrize("form", FORMATS)
def test_that_a_seed_gives_the_same_bytes_again(samples, tmp_path, form):
    again = write_sample(tmp_path / form, form, SIZE_BYTES, LAYERS, seed=7)
    other = write_sample(tmp_path / f"{form}-8", form, SIZE_BYTES, LAYERS, seed=8)
    assert content(again) == content(samples[form])
    assert content(other) != content(samples[form])


@pytest.mark.parametrize(
    ("form", "digest"),
    [
        ("safetensors", "8e33c7cab6866a0c"),
        ("sharded", "e961667a866bcd4c"),
        ("gguf", "c163ce12e5d171e8"),
    ],
)
def test_that_the_bytes_are_the_same_on_every_machine(samples, form, digest):
    whole = b"".join(content(samples[form]).values())
    assert hashlib.sha256(whole).hexdigest()[:16] == digest


def test_that_progress_ends_at_the_whole(tmp_path):
    seen = []
    path = write_sample(
        tmp_path / "m.safetensors",
        "safetensors",
        24 * MIB,
        LAYERS,
        seed=1,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)


class Disk(NamedTuple):
    total: int
    used: int
    free: int


def raise_interrupt(_done, _total):
    raise KeyboardInterrupt


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("exists", [False, True])
def test_that_a_cancelled_sample_leaves_what_was_there(tmp_path, form, exists):
    out = tmp_path / "m"
    if exists:
        write_sample(out, form, SIZE_BYTES, LAYERS, seed=1)
    before = content(out) if exists else None
    with pytest.raises(KeyboardInterrupt):
        write_sample(out, form, SIZE_BYTES, LAYERS, 2, force=True, progress=raise_interrupt)
    assert [path.name for path in tmp_path.iterdir()] == (["m"] if exists else [])
    assert not exists or content(out) == before


@pytest.mark.parametrize("form", FORMATS)
def test_that_only_force_replaces_a_sample(tmp_path, form):
    out = tmp_path / "m"
    write_sample(out, form, SIZE_BYTES, LAYERS, seed=1)
    before = content(out)
    with pytest.raises(ModelmonError, match="already exists"):
        write_sample(out, form, SIZE_BYTES, LAYERS, seed=2)
    assert content(out) == before
    write_sample(out, form, SIZE_BYTES, LAYERS, seed=2, force=True)
    assert content(out) != before
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_that_force_never_removes_a_folder_with_other_files(tmp_path):
    (tmp_path / "thesis.tex").write_text("important")
    with pytest.raises(ModelmonError, match="contains more than weights"):
        write_sample(tmp_path, "sharded", SIZE_BYTES, LAYERS, seed=1, force=True)
    with pytest.raises(ModelmonError, match="isn't a file"):
        write_sample(tmp_path, "gguf", SIZE_BYTES, LAYERS, seed=1, force=True)
    assert (tmp_path / "thesis.tex").read_text() == "important"


@pytest.mark.parametrize(
    ("disk", "size_bytes"),
    [
        (Disk(100 * GIB, 0, 5 * GIB + 4 * MIB), SIZE_BYTES),
        (Disk(4 * GIB, 0, GIB + 4 * MIB), SIZE_BYTES),
        (Disk(4000 * GIB, 0, 1000 * GIB), 900 * GIB),
    ],
)
def test_that_a_sample_never_fills_the_disk(tmp_path, monkeypatch, disk, size_bytes):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: disk)
    with pytest.raises(ModelmonError, match=r"doesn't fit in .* free, of which .* must stay"):
        write_sample(tmp_path / "m.gguf", "gguf", size_bytes, LAYERS, seed=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", FORMATS)
def test_that_a_size_too_small_for_the_layers_is_refused_with_the_least(tmp_path, form):
    with pytest.raises(ModelmonError, match="cannot be as small as 1 MiB") as caught:
        write_sample(tmp_path / "m", form, MIB, LAYERS, seed=1)
    assert "It takes at least" in caught.value.remedy
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("layers", [0, 1001])
def test_that_an_absurd_number_of_layers_is_refused(tmp_path, layers):
    with pytest.raises(ModelmonError, match=f"cannot have {layers} layers"):
        write_sample(tmp_path / "m", "gguf", SIZE_BYTES, layers, seed=1)


def test_that_a_sample_needs_an_existing_folder(tmp_path):
    with pytest.raises(ModelmonError, match="doesn't exist"):
        write_sample(tmp_path / "absent" / "m.gguf", "gguf", SIZE_BYTES, LAYERS, seed=1)


def test_that_a_storage_error_is_a_sentence(tmp_path, monkeypatch):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ModelmonError, match=r"m\.gguf: No space left on device"):
        write_sample(tmp_path / "m.gguf", "gguf", SIZE_BYTES, LAYERS, seed=1)
    assert not list(tmp_path.iterdir())
