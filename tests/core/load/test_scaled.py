"""Weights that other tensors make up: each value is the one that its format defines."""

import json
import struct
from contextlib import suppress
from dataclasses import replace
from functools import partial

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.load import scaled_files as files

from modelmon.core.best.candidates import admission
from modelmon.core.diagnose.inspection import inspect_model
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.load import decode
from modelmon.core.load.api import lazy_model, load_model, stream_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.decode import FLOATS
from modelmon.core.load.in_process import engine_for, work_for
from modelmon.core.load.planner import plan_load
from modelmon.core.machine.memory import Memory
from modelmon.core.model.open import open_model
from modelmon.core.model.safetensors import DTYPE_BITS, WITHOUT_FLOATS
from modelmon.core.model.scaled_weights import decoded_model
from modelmon.core.units import GIB, KIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job

ONES = np.linspace(-3, 3, 77, dtype=np.float32)


def scales(*shape):
    odd = files.ODD_SINGLES
    found = np.resize(np.concatenate([ONES, odd]), shape)
    return found.astype(np.float32)


with np.errstate(all="ignore"):
    WEIGHTS = {
        "fp8-blocks": files.fp8("a.weight", (260, 300), scales(3, 3), (128, 128)),
        "fp8-even-blocks": files.fp8("a.weight", (256, 128), scales(2, 1), (128, 128)),
        "fp8-tensor": files.fp8("a.weight", (33, 40), scales(1), (33, 40), suffix="_scale"),
        "fp8-scalar": files.fp8("a.weight", (33, 40), scales(), (33, 40), suffix="_scale"),
        "fp8-mistral": files.fp8("a.weight", (33, 40), scales(), (33, 40), named="a.qscale_weight"),
        "fp8-rows": files.fp8(
            "a.weight", (33, 40), scales(33, 1).astype(ml_dtypes.bfloat16), (1, 40), suffix="_scale"
        ),
        "fp8-each-row": files.fp8(
            "a.weight", (33, 40), scales(33), (1, 40), kind=ml_dtypes.float8_e5m2
        ),
        "fp8-each-expert": files.fp8("a.experts", (3, 64, 96), scales(3), (64, 96)),
        "fp8-experts": files.fp8("a.experts", (3, 64, 96), scales(3, 2, 3), (32, 32)),
    }
CONFIGS = {
    "small": LoadConfig(access="read", readers=1, chunk_bytes=4 * KIB),
    "three": LoadConfig(access="read", readers=3, chunk_bytes=4 * KIB, order="random"),
    "mapped": LoadConfig(access="mmap", readers=2),
}


def assert_same(ours, expected):
    """Bit for bit; of NaN only that it is one, since processors differ in its bits."""
    assert ours.shape == expected.shape
    ours, expected = np.ascontiguousarray(ours), np.ascontiguousarray(expected)
    numbers = ~np.isnan(expected.astype(np.float32))
    bits = f"u{expected.itemsize}"
    np.testing.assert_array_equal(ours.view(bits)[numbers], expected.view(bits)[numbers])
    assert np.isnan(ours.astype(np.float32)[~numbers]).all()


def written(folder, name):
    """The weight between plain tensors, whose places in the file are odd."""
    others = files.plain("a.bias", (3,)), files.plain("lm_head.weight")
    return files.write(folder / "model.safetensors", WEIGHTS[name], *others)


@pytest.fixture(params=["compiled", "numpy"])
def decoders(request, monkeypatch):
    if request.param == "compiled":
        pytest.importorskip("numba", reason="the compiled decoders need numba: modelmon[decode]")
        yield
        return
    decode._decoder.cache_clear()
    monkeypatch.setattr("modelmon.core.load.decode.kernels", lambda: None)
    monkeypatch.setattr("modelmon.core.load.part_decoder.kernels", lambda: None)
    try:
        yield
    finally:
        decode._decoder.cache_clear()


@pytest.mark.filterwarnings("ignore:Decoded by numpy")
@pytest.mark.usefixtures("decoders")
@pytest.mark.parametrize("way", CONFIGS)
@pytest.mark.parametrize("name", WEIGHTS)
def test_that_a_scaled_weight_has_the_values_of_its_definition(tmp_path, name, way):
    weight = WEIGHTS[name]
    model = load_model(written(tmp_path, name), CONFIGS[way], decode="float32")
    assert set(model) == {weight.name, "a.bias", "lm_head.weight"}
    assert_same(model[weight.name], weight.values)
    assert model.info(weight.name).shape == weight.values.shape
    np.testing.assert_array_equal(model["lm_head.weight"], files.plain("x").values)


@pytest.mark.filterwarnings("ignore:Decoded by numpy")
@pytest.mark.usefixtures("decoders")
@pytest.mark.parametrize("name", WEIGHTS)
def test_that_a_scaled_weight_has_the_same_values_lazily(tmp_path, name):
    weight = WEIGHTS[name]
    # Chosen alone: what else its values take isn't.
    lazy = lazy_model(written(tmp_path, name), decode="float32", tensors=weight.name)
    assert set(lazy) == {weight.name}
    assert lazy[weight.name] is lazy[weight.name]
    assert_same(lazy[weight.name], weight.values)


@pytest.mark.parametrize("way", CONFIGS)
@pytest.mark.parametrize("name", WEIGHTS)
def test_that_a_scaled_weight_has_the_same_values_streamed(tmp_path, name, way):
    weight = WEIGHTS[name]
    path = written(tmp_path, name)
    expected = weight.values.reshape(-1)
    streamed = np.full(expected.size, -7, np.float32)
    names = set()

    def consume(tensor, position, values):
        names.add(tensor.name)
        if tensor.name == weight.name:
            assert tensor.shape == weight.values.shape
            streamed[position : position + values.size] = values

    stream_model(path, consume, CONFIGS[way], decode="float32")
    assert names == {weight.name, "a.bias", "lm_head.weight"}
    assert_same(streamed, expected)


@pytest.mark.filterwarnings("ignore:Decoded by numpy")
@pytest.mark.usefixtures("decoders")
@pytest.mark.parametrize("to", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["fp8-blocks", "fp8-scalar", "fp8-experts"])
def test_that_values_are_rounded_once(tmp_path, name, to):
    weight = WEIGHTS[name]
    with np.errstate(all="ignore"):
        expected = weight.values.astype(FLOATS[to])
    path = written(tmp_path, name)
    for load in (load_model, lazy_model):
        ours = load(path, decode=to)[weight.name]
        assert ours.dtype == FLOATS[to]
        assert_same(ours, expected)


@pytest.mark.parametrize("pattern", ["*a.weight", "*a.w*"])
def test_that_a_scaled_weight_is_chosen_by_its_name(tmp_path, pattern):
    path = written(tmp_path, "fp8-blocks")
    model = load_model(path, decode="float32", tensors=pattern)
    assert set(model) == {"a.weight"}
    assert_same(model["a.weight"], WEIGHTS["fp8-blocks"].values)


def test_that_stored_tensors_are_what_they_were_where_nothing_is_decoded(tmp_path):
    path = written(tmp_path, "fp8-blocks")
    assert set(load_model(path)) == {*WEIGHTS["fp8-blocks"].tensors, "a.bias", "lm_head.weight"}


@pytest.mark.parametrize("readers", [1, 2, 5])
@pytest.mark.parametrize("portion_bytes", [None, 5000])
@pytest.mark.parametrize("order", ["file", "model", "random"])
def test_that_helpers_are_read_once_and_first(tmp_path, readers, portion_bytes, order):
    path = files.write(
        tmp_path / "model.safetensors",
        *(files.fp8(f"layers.{n}.weight", (64, 128), scales(2, 4), (32, 32)) for n in range(3)),
        files.plain("norm", (40,)),
    )
    model = decoded_model(open_model(path))
    config = LoadConfig(deliver="decoded", readers=readers, chunk_bytes=4 * KIB, order=order)
    plan = plan_load(model, config, portion_bytes)
    decoded = set()
    read = []
    for extents, parts in zip(plan.readers, plan.parts, strict=True):
        helps = [part.tensor in model.scales for held in parts for part in held]
        assert helps == sorted(helps, reverse=True)
        decoded |= {part.tensor for held in parts for part in held}
        read += extents
    assert sum(extent.nbytes for extent in plan.wanted) == sum(extent.nbytes for extent in read)
    for each in model.scaled:
        assert each.tensor not in decoded or each.scale in decoded
    if portion_bytes is None:
        assert sum(extent.nbytes for extent in read) == model.nbytes


def test_that_a_worker_measures_loads_of_scaled_weights(tmp_path):
    path = written(tmp_path, "fp8-blocks")
    config = LoadConfig(access="read", deliver="decoded", readers=2, chunk_bytes=4 * KIB)
    record = run_job(Job(str(path), config, cache="warm", verify=True))
    assert record.finished is not None
    assert record.finished.delivered_bytes == open_model(path).nbytes


@pytest.mark.parametrize("dtype", sorted(WITHOUT_FLOATS))
def test_that_what_cannot_be_decoded_is_not_said_to_fit_decoded(tmp_path, dtype):
    entry = {"dtype": dtype, "shape": [8], "data_offsets": [0, DTYPE_BITS[dtype]]}
    header = json.dumps({"a": entry}).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(DTYPE_BITS[dtype]))
    assert {fit.delivery for fit in inspect_model(path).fit} == {"mapped", "owned"}


def test_that_processes_are_refused_as_readers(tmp_path):
    model = decoded_model(open_model(written(tmp_path, "fp8-blocks")))
    config = LoadConfig(deliver="decoded", readers=2, reader_kind="process")
    with pytest.raises(ConfigError, match="other tensors"):
        plan_load(model, config)


def test_that_fp8_has_the_blocks_that_the_configuration_states(tmp_path):
    weight = files.fp8("a.weight", (192, 300), scales(2, 4), (96, 96))
    path = files.write(tmp_path / "model.safetensors", weight)
    files.configure(tmp_path, quant_method="fp8", weight_block_size=[96, 96])
    assert_same(load_model(path, decode="float32")["a.weight"], weight.values)
    files.configure(tmp_path, quant_method="fp8", weight_block_size=[64, 96])
    with pytest.warns(UserWarning, match="as stored"):
        assert load_model(path, decode="float32")["a.weight"].itemsize == 1


@pytest.mark.parametrize("processors", [1, 5])
def test_that_requests_end_in_order_whoever_decodes_them(tmp_path, monkeypatch, processors):
    monkeypatch.setattr("modelmon.core.load.decoding.usable_processors", lambda: processors)
    path = files.write(
        tmp_path / "model.safetensors",
        WEIGHTS["fp8-blocks"],
        *(files.plain(f"n{n}", (5000,)) for n in range(9)),
    )
    config = LoadConfig(access="read", deliver="decoded", chunk_bytes=4 * KIB)
    seen = []
    work = work_for(decoded_model(open_model(path)), config)
    engine = engine_for(work)
    engine.run(lambda _reader, number, *_: seen.append(number))
    engine.close()
    assert seen == list(range(len(work.plan.readers[0])))


def test_that_find_best_tells_which_ways_cannot_decode_scaled_weights(tmp_path):
    obstacle = admission(open_model(written(tmp_path, "fp8-blocks")), None)
    threads = LoadConfig(deliver="decoded", readers=2)
    assert obstacle(threads) == ""
    assert "other tensors" in obstacle(replace(threads, reader_kind="process"))
    assert obstacle(LoadConfig(readers=2, reader_kind="process")) == ""


def test_that_find_best_opens_no_file_for_a_model_on_a_server(tmp_path):
    path = written(tmp_path, "fp8-blocks")
    model = open_model(path)
    path.unlink()
    obstacle = admission(model, None, Memory(total_bytes=GIB, available_bytes=GIB))
    threads = LoadConfig(deliver="decoded", readers=2)
    assert obstacle(threads) == ""
    assert "other tensors" in obstacle(replace(threads, reader_kind="process"))


DTYPES = st.sampled_from([*files.DTYPES, "float32", "uint8", "int32"])
SHAPES = st.lists(st.sampled_from([0, 1, 2, 3, 5, 8, 16, 20, 32, 40, 64, 300]), max_size=3)


@pytest.mark.filterwarnings("ignore:Delivered as stored")
@given(data=st.data())
def test_that_whatever_a_file_says_a_load_ends_well_or_tells_why(tmp_path, data):
    weight = WEIGHTS[data.draw(st.sampled_from(sorted(WEIGHTS)))]
    tensors = dict(weight.tensors)
    for name in data.draw(st.lists(st.sampled_from(sorted(tensors)), max_size=2, unique=True)):
        shape = tuple(data.draw(SHAPES))
        dtype = np.dtype(getattr(ml_dtypes, kind, kind) if (kind := data.draw(DTYPES)) else kind)
        size = int(np.prod(shape)) * dtype.itemsize
        tensors[name] = np.resize(np.arange(256, dtype=np.uint8), size).view(dtype).reshape(shape)
    path = files.write(tmp_path / "model.safetensors", weight._replace(tensors=tensors))
    sizes = st.sampled_from([None, 0, -1, 32, 10**30, "4"])
    files.configure(tmp_path, weight_block_size=data.draw(st.none() | st.lists(sizes, max_size=3)))
    for load in (partial(load_model, path, CONFIGS["three"]), partial(lazy_model, path)):
        with suppress(ModelmonError):
            model = load(decode="float32")
            for name, array in model.items():
                assert array.shape == model.info(name).shape


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
    "fp8, other shape": {
        "a.weight": np.ones((4, 8), ml_dtypes.float8_e4m3fn),
        "a.weight_scale": np.ones(3, np.float32),
    },
    "fp8, other name": {
        "a.weight": np.ones((4, 8), ml_dtypes.float8_e4m3fn),
        "a.weights_scaling_factor": np.ones(1, np.float32),
    },
    "fp8 of quanto": {
        "a.weight._data": np.ones((4, 8), ml_dtypes.float8_e5m2),
        "a.weight._scale": np.ones(1, np.float32),
    },
}


@pytest.mark.parametrize("way", CONFIGS)
@pytest.mark.parametrize("tensors", AS_STORED.values(), ids=AS_STORED.keys())
def test_that_what_has_no_floats_of_its_own_is_delivered_as_stored_and_that_this_is_said(
    tmp_path, tensors, way
):
    weight = files.plain("a")._replace(tensors=tensors | {"norm": np.ones(1, ml_dtypes.bfloat16)})
    path = files.write(tmp_path / "model.safetensors", weight)
    name, codes = next(iter(tensors.items()))
    said = f"as stored, not decoded: .*{files.DTYPES[codes.dtype.name]}"
    streamed = {}

    def consume(tensor, position, values):
        assert position == len(streamed.get(tensor.name, b"")) // values.itemsize
        streamed[tensor.name] = streamed.get(tensor.name, b"") + values.tobytes()

    for load in (partial(load_model, path, CONFIGS[way]), partial(lazy_model, path)):
        with pytest.warns(UserWarning, match=said):
            model = load(decode="float32")
        assert model.keys() == weight.tensors.keys()
        assert model["norm"].dtype == np.float32
        assert (model[name].dtype, model[name].shape) == (codes.dtype, codes.shape)
        assert model[name].tobytes() == codes.tobytes()
    with pytest.warns(UserWarning, match=said):
        stream_model(path, consume, CONFIGS["small"], decode="float32")
    assert streamed[name] == codes.tobytes()


def test_that_a_run_says_what_it_delivered_as_stored(tmp_path):
    weight = files.plain("a")._replace(tensors=AS_STORED["GPTQ"])
    path = files.write(tmp_path / "model.safetensors", weight, files.plain("b"))
    config = LoadConfig(access="read", deliver="decoded", readers=2, chunk_bytes=4 * KIB)
    record = run_job(Job(str(path), config, cache="warm", verify=True))
    assert record.finished is not None
    assert record.finished.checksum_matches
    (kept,) = [each for each in record.warnings if each.kind == "as-stored"]
    assert kept.message == "Delivered as stored, not decoded: 2.05 kB of 2.36 kB, of type I32."
    record = run_job(Job(str(path), replace(config, deliver="owned"), cache="warm"))
    assert "as-stored" not in {each.kind for each in record.warnings}


def test_that_a_few_integers_are_as_stored_without_a_word(tmp_path, recwarn):
    tensors = {"ids": np.arange(9), "w": np.ones((99, 99), np.float16)}
    path = files.write(tmp_path / "m.safetensors", files.plain("w")._replace(tensors=tensors))
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
    weight = files.plain("weight")._replace(tensors=tensors)
    loaded = load_model(files.write(tmp_path / "model.safetensors", weight), decode="float32")
    assert {name: array.tolist() for name, array in loaded.items()} == {
        name: (array if name == "attention.bias" else array.astype(np.float32)).tolist()
        for name, array in tensors.items()
    }


def test_that_an_empty_weight_keeps_no_other_from_being_decoded(tmp_path):
    empty = np.empty((0, 8), ml_dtypes.float8_e4m3fn)
    tensors = {"e.weight": empty, "e.weight_scale": np.ones(1, np.float32)}
    weight = WEIGHTS["fp8-blocks"]
    path = files.write(
        tmp_path / "model.safetensors", weight, files.plain("e")._replace(tensors=tensors)
    )
    model = load_model(path, decode="float32")
    assert model["e.weight"].shape == (0, 8)
    assert_same(model[weight.name], weight.values)


@pytest.mark.parametrize("rank", range(2))
def test_that_a_rank_has_the_groups_of_its_inputs_in_whatever_order(tmp_path, rank):
    module = "layers.0.mlp.down_proj"
    draw = np.random.default_rng(3)
    whole = {
        f"{module}.qweight": draw.integers(0, 99, (8, 40), np.int32),
        f"{module}.qzeros": draw.integers(0, 99, (4, 5), np.int32),
        f"{module}.scales": draw.standard_normal((4, 40)).astype(np.float16),
        f"{module}.g_idx": draw.integers(0, 4, 64).astype(np.int32),
    }
    stored = files.plain(module)._replace(tensors=whole)
    files.write(tmp_path / "model.safetensors", stored)
    model = load_model(tmp_path, rank=(rank, 2))
    shared = {name: np.split(whole[f"{module}.{name}"], 2)[rank] for name in ("qweight", "g_idx")}
    for name in ("qweight", "g_idx", "qzeros", "scales"):
        expected = shared.get(name, whole[f"{module}.{name}"])
        np.testing.assert_array_equal(model[f"{module}.{name}"], expected)
    # Eight rows of words are none of three ranks' alone, and half a group is nobody's.
    for ranks in (3, 16):
        held = load_model(tmp_path, rank=(rank, ranks))
        assert all(held[name].shape == array.shape for name, array in whole.items())


def test_that_a_part_of_a_weight_is_no_tensor_to_ask_for(tmp_path):
    path = written(tmp_path, "fp8-blocks")
    with pytest.raises(ConfigError, match=r"a\.weight_scale_inv is part of a\.weight") as caught:
        load_model(path, decode="float32", tensors="a.weight_scale_inv")
    assert caught.value.remedy == "Ask for a.weight."
    assert list(load_model(path, tensors="a.weight_scale_inv")) == ["a.weight_scale_inv"]
