"""Weights that programs decode on the GPU are loaded as they are stored, and that is said."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.load import stored_files as files

from modelmon.core.errors import ModelmonError
from modelmon.core.load.api import lazy_model, load_model, stream_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.subset import Subset
from modelmon.core.units import KIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job

SMALL = LoadConfig(access="read", readers=1, chunk_bytes=4 * KIB)


AS_STORED = {
    "GPTQ": {"a.qweight": np.ones((8, 64), np.int32), "a.scales": np.ones((2, 64), np.float16)},
    "AWQ": {"a.qweight": np.ones((64, 8), np.int32), "a.qzeros": np.ones((1, 8), np.int32)},
    "NF4": {"a.weight": np.ones((64, 1), np.uint8), "a.weight.absmax": np.ones(2, np.float32)},
    "NF4 as bf16": {
        "a.weight": np.ones((64, 1), ml_dtypes.bfloat16),
        "a.weight.absmax": np.ones(2, np.float32),
    },
    "MXFP4": {"a_blocks": np.ones((4, 2, 16), np.uint8), "a_scales": np.ones((4, 2), np.uint8)},
    "LLM.int8": {"a.weight": np.ones((4, 8), np.int8), "a.SCB": np.ones(4, np.float32)},
    "fp8 of DeepSeek": {
        "a.weight": np.ones((4, 8), ml_dtypes.float8_e4m3fn),
        "a.weight_scale_inv": np.ones((1, 1), np.float32),
    },
    "fp8 of Mistral": {
        "a.weight": np.ones((4, 8), ml_dtypes.float8_e4m3fn),
        "a.qscale_weight": np.array(1, np.float32),
    },
    "fp8 of experts": {
        "a.up_proj": np.ones((3, 4, 8), ml_dtypes.float8_e4m3fn),
        "a.up_proj_scale": np.ones((3, 1, 1), ml_dtypes.bfloat16),
    },
    "fp8 of no module": {
        "weight": np.ones((4, 8), ml_dtypes.float8_e4m3fn),
        "weight_scaling_factor": np.ones(1, np.float32),
    },
    "fp8 of quanto": {
        "a.weight._data": np.ones((4, 8), ml_dtypes.float8_e5m2),
        "a.weight._scale": np.ones(1, np.float32),
    },
}


@pytest.mark.parametrize("tensors", AS_STORED.values(), ids=AS_STORED.keys())
def test_that_what_has_no_floats_of_its_own_is_delivered_as_stored_and_that_this_is_said(
    tmp_path, tensors
):
    stored = tensors | {"norm": np.ones(1, ml_dtypes.bfloat16)}
    path = files.write(tmp_path / "model.safetensors", stored)
    name, codes = next(iter(tensors.items()))
    said = f"as stored, not decoded: .*{files.DTYPES[codes.dtype.name]}"
    streamed = {}

    def consume(tensor, position, values):
        assert position == len(streamed.get(tensor.name, b"")) // values.itemsize
        streamed[tensor.name] = streamed.get(tensor.name, b"") + values.tobytes()

    for load in (partial(load_model, path, SMALL), partial(lazy_model, path)):
        with pytest.warns(UserWarning, match=said):
            model = load(decode="float32")
        assert model.keys() == stored.keys()
        assert model["norm"].dtype == np.float32
        assert (model[name].dtype, model[name].shape) == (codes.dtype, codes.shape)
        assert model[name].tobytes() == codes.tobytes()
    with pytest.warns(UserWarning, match=said):
        stream_model(path, consume, SMALL, decode="float32")
    assert streamed[name] == codes.tobytes()


def test_that_a_run_says_what_it_delivered_as_stored(tmp_path):
    path = files.write(tmp_path / "model.safetensors", AS_STORED["GPTQ"] | files.plain("b"))
    config = LoadConfig(access="read", deliver="decoded", readers=2, chunk_bytes=4 * KIB)
    without = Subset(tuple(files.plain("b")))
    record = run_job(Job(str(path), config, cache="warm", subset=without))
    assert "as-stored" not in {each.kind for each in record.warnings}
    record = run_job(Job(str(path), config, cache="warm", verify=True))
    assert record.finished.checksum_matches
    (kept,) = [each for each in record.warnings if each.kind == "as-stored"]
    assert kept.message == "Delivered as stored, not decoded: 2.05 kB of 2.36 kB, of type I32."
    record = run_job(Job(str(path), replace(config, deliver="owned"), cache="warm"))
    assert "as-stored" not in {each.kind for each in record.warnings}


def test_that_a_few_integers_and_what_is_not_wanted_are_as_stored_without_a_word(tmp_path, recwarn):
    tensors = {"ids": np.arange(9), "w": np.ones((99, 99), np.float16)}
    codes = files.write(tmp_path / "codes.safetensors", tensors | {"codes": np.arange(9_999)})
    for load in (load_model, lazy_model):
        assert load(codes, tensors=list(tensors), decode="float32").keys() == tensors.keys()
    path = files.write(tmp_path / "m.safetensors", tensors)
    model = load_model(path, decode="float32")
    assert model["ids"].dtype == np.int64
    assert not recwarn.list


@pytest.mark.filterwarnings("ignore:Delivered as stored")
def test_that_scales_of_others_are_none_of_a_tensor(tmp_path):
    codes = np.arange(32, dtype=np.uint8).reshape(4, 8).view(ml_dtypes.float8_e4m3fn)
    tensors = {
        "positional_embedding": codes,
        "logit_scale": np.ones(1, np.float32),
        "attention.bias": codes.view(np.uint8),
        "attention.k_scale": np.ones(1, np.float32),
        "attention.k_proj.weight": codes,
        "norm.scale": codes,
        # All of it was cast.
        "head.weight": codes,
        "head.logit_scale": codes[0],
    }
    loaded = load_model(files.write(tmp_path / "model.safetensors", tensors), decode="float32")
    assert {name: array.tolist() for name, array in loaded.items()} == {
        name: (array if name == "attention.bias" else array.astype(np.float32)).tolist()
        for name, array in tensors.items()
    }


NAMES = st.sampled_from(
    ["a", "a.weight", "a.weight_scale", "a.scales", "a.weight.absmax", "b.weight", "b", "scale"]
)
ARRAYS = st.builds(
    lambda dtype, shape: np.ones(shape, dtype),
    st.sampled_from([ml_dtypes.float8_e4m3fn, ml_dtypes.bfloat16, np.float32, np.uint8, np.int64]),
    st.lists(st.integers(0, 9), max_size=3).map(tuple),
)


@pytest.mark.filterwarnings("ignore:Delivered as stored")
@given(tensors=st.dictionaries(NAMES, ARRAYS, min_size=1))
def test_that_whatever_a_file_says_each_tensor_has_its_shape_and_values(tmp_path, tensors):
    path = files.write(tmp_path / "m.safetensors", tensors)
    for load in (
        partial(load_model, path, replace(SMALL, readers=3, order="random")),
        partial(lazy_model, path),
    ):
        with suppress(ModelmonError):
            model = load(decode="float32")
            assert {name: array.tolist() for name, array in model.items()} == {
                name: array.tolist() for name, array in tensors.items()
            }
