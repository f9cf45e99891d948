"""Headers and folders from strangers, 200,000 and 1,000 in the soak: each a model or an error."""

import time
from random import Random

import pytest
from safetensors import deserialize
from tests.fuzz import odd_files
from tests.fuzz.test_model_headers import opened, safetensors_file

from modelmon.core.errors import ModelFileError
from modelmon.core.model.caches import models_at
from modelmon.core.model.found_models import OWN, read_found
from modelmon.core.model.open import open_model
from modelmon.core.terminal_safe import CONTROLS

MOST_S = 1.0
"""Of processor time, for one file or folder of a few kB."""


def batches(few, size, count):
    """From where and how many seeds: `few` each time, `count` in the soak."""
    soak = (pytest.param(at, size, marks=pytest.mark.soak) for at in range(0, count, size))
    return pytest.mark.parametrize(("first", "count"), [(0, few), *soak])


@pytest.mark.parametrize("form", ["safetensors", "gguf"])
@batches(300, 10_000, 100_000)
def test_that_an_odd_file_is_a_model_or_an_error(tmp_path, form, first, count):
    taken = 0
    for seed in range(first, first + count):
        content = getattr(odd_files, form)(Random(seed))
        begun_s = time.thread_time()
        model = opened(tmp_path / "model", content)
        assert time.thread_time() - begun_s < MOST_S, seed
        if model is None:
            continue
        taken += 1
        assert not any(CONTROLS.search(block.name) for block in model.blocks), seed
        if form == "safetensors":
            names = {name for name, _ in deserialize(content)}
            assert names == {tensor.name for tensor in model.tensors}, seed
    assert 0.1 * count < taken < 0.9 * count


@batches(12, 250, 1_000)
def test_that_an_odd_folder_has_models_or_errors(tmp_path, monkeypatch, first, count):
    monkeypatch.chdir(tmp_path)
    secret = {"secret": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}
    (tmp_path / "secret.safetensors").write_bytes(safetensors_file(secret, b"\0"))
    models = 0
    for seed in range(first, first + count):
        folder = tmp_path / str(seed)
        folder.mkdir()
        odd_files.put_folder(Random(seed), folder)
        for path in (folder, *sorted(folder.rglob("*"))):
            begun_s, refusal, names = time.process_time(), None, set()
            try:
                names = {tensor.name for tensor in open_model(path).tensors}
            except ModelFileError as error:
                refusal = error
            assert time.process_time() - begun_s < MOST_S, (seed, path)
            assert "secret" not in names, (seed, path)
            assert refusal is None or refusal.remedy, (seed, refusal)
            assert not CONTROLS.search(str(refusal)), (seed, path)
            models += refusal is None
        for found in models_at(folder):
            assert read_found(found, OWN).path
    assert models > count
    assert len([*tmp_path.iterdir()]) == count + 1, "nothing was written or run"
