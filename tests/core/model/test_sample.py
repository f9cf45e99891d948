"""Sample models: right by the official packages, repeatable, all or nothing; where they are refused
or cancelled, nothing is lost, and nothing is left behind.
"""

import hashlib
import shutil
from typing import NamedTuple

import gguf
import numpy as np
import pytest
from safetensors import safe_open

from modelmon.core.errors import ModelmonError
from modelmon.core.model.open import open_model
from modelmon.core.model.sample import write_sample
from modelmon.core.units import GIB, MIB

FORMATS = ("safetensors", "sharded", "gguf", "gguf-q8_0")
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
    layer = "blk" if form.startswith("gguf") else "layers"
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


@pytest.mark.parametrize(
    ("form", "digest"),
    [
        ("safetensors", "8e33c7cab6866a0c"),
        ("sharded", "e961667a866bcd4c"),
        ("gguf", "c163ce12e5d171e8"),
    ],
)
def test_that_a_seed_gives_the_same_bytes_on_every_machine(samples, tmp_path, form, digest):
    whole = b"".join(content(samples[form]).values())
    assert hashlib.sha256(whole).hexdigest()[:16] == digest
    other = write_sample(tmp_path / form, form, SIZE_BYTES, LAYERS, seed=8)
    assert content(other) != content(samples[form])


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
    ("form", "size_bytes", "layers", "said", "remedy"),
    [
        *(
            (form, MIB, LAYERS, "cannot be as small as 1 MiB", "It takes at least")
            for form in FORMATS
        ),
        ("gguf", SIZE_BYTES, 0, "cannot have 0 layers", "from 1 to 1000"),
        ("gguf", SIZE_BYTES, 1001, "cannot have 1001 layers", "from 1 to 1000"),
    ],
)
def test_that_an_impossible_size_is_refused_with_what_is_possible(
    tmp_path, form, size_bytes, layers, said, remedy
):
    with pytest.raises(ModelmonError, match=said) as caught:
        write_sample(tmp_path / "m", form, size_bytes, layers, seed=1)
    assert remedy in caught.value.remedy
    assert not list(tmp_path.iterdir())


def test_that_a_sample_needs_a_folder_and_room(tmp_path, monkeypatch):
    with pytest.raises(ModelmonError, match="doesn't exist"):
        write_sample(tmp_path / "absent" / "m.gguf", "gguf", SIZE_BYTES, LAYERS, seed=1)
    for disk, size_bytes in (
        (Disk(100 * GIB, 0, 5 * GIB + 4 * MIB), SIZE_BYTES),
        (Disk(4 * GIB, 0, GIB + 4 * MIB), SIZE_BYTES),
        (Disk(4000 * GIB, 0, 1000 * GIB), 900 * GIB),
    ):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, disk=disk: disk)
        with pytest.raises(ModelmonError, match=r"doesn't fit in .* free, of which .* must stay"):
            write_sample(tmp_path / "m.gguf", "gguf", size_bytes, LAYERS, seed=1)
    assert not list(tmp_path.iterdir())


def test_that_a_storage_error_is_a_sentence(tmp_path, monkeypatch):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ModelmonError, match=r"m\.gguf: No space left on device"):
        write_sample(tmp_path / "m.gguf", "gguf", SIZE_BYTES, LAYERS, seed=1)
    assert not list(tmp_path.iterdir())
