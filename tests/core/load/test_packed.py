"""Weights that several tensors make up: each value is the one that its format defines."""

from __future__ import annotations

import json
import struct
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.load import packed_files as files

from modelmon.core.diagnose.inspection import inspect_model
from modelmon.core.errors import ConfigError, LoadFailedError, ModelmonError
from modelmon.core.experiment.race.candidates import admission
from modelmon.core.load import decode
from modelmon.core.load.api import lazy_model, load_model, stream_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.decode import FLOATS
from modelmon.core.load.in_process import engine_for, work_for
from modelmon.core.load.planner import plan_load
from modelmon.core.machine.memory import Memory
from modelmon.core.model.open import open_model
from modelmon.core.model.packed_weights import with_packed_weights
from modelmon.core.model.safetensors import DTYPE_BITS, WITHOUT_FLOATS
from modelmon.core.units import GIB, KIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.core.load.packed_files import Weight

    from modelmon.core.model.tensors import Tensor

ONES = np.linspace(-3, 3, 77, dtype=np.float32)


def scales(*shape: int) -> np.ndarray:
    odd = files.ODD_SINGLES
    found = np.resize(np.concatenate([ONES, odd]), shape)
    return found.astype(np.float32)


with np.errstate(all="ignore"):
    WEIGHTS: dict[str, Weight] = {
        "nf4": files.bitsandbytes("a.weight", (96, 128), nested=False),
        "nf4-nested": files.bitsandbytes("a.weight", (300, 128), nested=True),
        "fp4-rest": files.bitsandbytes("a.weight", (7, 30), 128, nested=False, kind="fp4"),
        "nf4-in-bf16": files.bitsandbytes("a.weight", (64, 64), nested=True, storage="bfloat16"),
        "mxfp4": files.mxfp4("experts.gate_up_proj", (3, 20), 7),
        "mxfp4-dot": files.mxfp4("block.0.mlp.mlp1_weight", (2, 6), 90, "."),
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
        "gptq": files.gptq("a", 64, 40, 16),
        "gptq-in-order": files.gptq("a", 64, 40, 16, act_order=False),
        "gptq-8-bits": files.gptq("a", 32, 20, 8, bits=8),
        "gptq-2-bits": files.gptq("a", 64, 32, 32, bits=2),
        "gptq-3-bits": files.gptq("a", 160, 64, 32, bits=3),
        "gptq-3-bits-in-order": files.gptq("a", 96, 32, 32, bits=3, act_order=False),
        "awq": files.awq("a", 64, 48, 16),
        "awq-gemv": files.awq_gemv("a", 384, 24, 64, 2),
        "awq-gemv-128": files.awq_gemv("a", 1152, 9, 128, 2),
        # Its shapes are those of 32 columns of GPTQ.
        "awq-gemv-32": files.awq_gemv("a", 256, 40, 32, 4),
    }
CONFIGS = {
    "small": LoadConfig(access="read", readers=1, chunk_bytes=4 * KIB),
    "three": LoadConfig(access="read", readers=3, chunk_bytes=4 * KIB, order="random"),
    "mapped": LoadConfig(access="mmap", readers=2),
}


def assert_same(ours: np.ndarray, expected: np.ndarray) -> None:
    """Bit for bit; of NaN only that it is one, since processors differ in its bits."""
    assert ours.shape == expected.shape
    ours, expected = np.ascontiguousarray(ours), np.ascontiguousarray(expected)
    numbers = ~np.isnan(expected.astype(np.float32))
    bits = f"u{expected.itemsize}"
    np.testing.assert_array_equal(ours.view(bits)[numbers], expected.view(bits)[numbers])
    assert np.isnan(ours.astype(np.float32)[~numbers]).all()


def written(folder: Path, name: str) -> Path:
    """The weight between plain tensors, whose places in the file are odd."""
    if name.startswith("gptq"):
        bits = int(name.split("-")[1]) if "bits" in name else 4
        group = 32 if bits == 3 else 16
        files.configure(folder, quant_method="gptq", bits=bits, group_size=group)
    if name.startswith("awq-gemv"):
        group = {"awq-gemv-128": 128, "awq-gemv-32": 32}.get(name, 64)
        files.configure(folder, quant_method="awq", bits=4, group_size=group, version="GEMV")
    others = files.plain("a.bias", (3,)), files.plain("lm_head.weight")
    return files.write(folder / "model.safetensors", WEIGHTS[name], *others)


@pytest.fixture(params=["compiled", "numpy"])
def decoders(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "compiled":
        pytest.importorskip("numba", reason="the compiled decoders need numba: modelmon[decode]")
        yield
        return
    decode._decoder.cache_clear()
    monkeypatch.setattr("modelmon.core.load.decode.kernels", lambda: None)
    monkeypatch.setattr("modelmon.core.load.unpack.kernels", lambda: None)
    try:
        yield
    finally:
        decode._decoder.cache_clear()


@pytest.mark.filterwarnings("ignore:Decoded by numpy")
@pytest.mark.usefixtures("decoders")
@pytest.mark.parametrize("way", CONFIGS)
@pytest.mark.parametrize("name", WEIGHTS)
def test_that_a_packed_weight_has_the_values_of_its_definition(
    tmp_path: Path, name: str, way: str
) -> None:
    weight = WEIGHTS[name]
    model = load_model(written(tmp_path, name), CONFIGS[way], decode="float32")
    assert set(model) == {weight.name, "a.bias", "lm_head.weight"}
    assert_same(model[weight.name], weight.values)
    assert model.info(weight.name).shape == weight.values.shape
    np.testing.assert_array_equal(model["lm_head.weight"], files.plain("x").values)


@pytest.mark.filterwarnings("ignore:Decoded by numpy")
@pytest.mark.usefixtures("decoders")
@pytest.mark.parametrize("name", WEIGHTS)
def test_that_a_packed_weight_has_the_same_values_lazily(tmp_path: Path, name: str) -> None:
    weight = WEIGHTS[name]
    # Chosen alone: what else its values take isn't.
    lazy = lazy_model(written(tmp_path, name), decode="float32", tensors=weight.name)
    assert set(lazy) == {weight.name}
    assert lazy[weight.name] is lazy[weight.name]
    assert_same(lazy[weight.name], weight.values)


@pytest.mark.parametrize("way", CONFIGS)
@pytest.mark.parametrize("name", WEIGHTS)
def test_that_a_packed_weight_has_the_same_values_streamed(
    tmp_path: Path, name: str, way: str
) -> None:
    weight = WEIGHTS[name]
    path = written(tmp_path, name)
    transposed = load_model(path, decode="float32")[weight.name].flags.f_contiguous
    expected = (weight.values.T if transposed else weight.values).reshape(-1)
    streamed = np.full(expected.size, -7, np.float32)
    names = set()

    def consume(tensor: Tensor, position: int, values: np.ndarray) -> None:
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
@pytest.mark.parametrize(
    "name", ["nf4-nested", "mxfp4", "fp8-blocks", "gptq", "gptq-3-bits", "awq", "awq-gemv"]
)
def test_that_values_are_rounded_once(tmp_path: Path, name: str, to: Any) -> None:
    weight = WEIGHTS[name]
    with np.errstate(all="ignore"):
        expected = weight.values.astype(FLOATS[to])
    path = written(tmp_path, name)
    for load in (load_model, lazy_model):
        ours = load(path, decode=to)[weight.name]
        assert ours.dtype == FLOATS[to]
        assert_same(ours, expected)


def test_that_zero_points_of_the_second_gptq_format_are_taken_as_they_are(tmp_path: Path) -> None:
    with np.errstate(all="ignore"):
        weight = files.gptq("a", 64, 40, 16, zero=0)
    path = files.write(tmp_path / "model.safetensors", weight)
    files.configure(tmp_path, quant_method="gptq", bits=4, checkpoint_format="gptq_v2")
    assert_same(load_model(path, decode="float32")["a.weight"], weight.values)


def test_that_a_config_of_its_own_tells_of_gptq(tmp_path: Path) -> None:
    weight = WEIGHTS["gptq-in-order"]
    path = files.write(tmp_path / "model.safetensors", weight)
    text = json.dumps({"bits": 4, "group_size": 16, "desc_act": False})
    (tmp_path / "quantize_config.json").write_text(text)
    assert_same(load_model(path, decode="float32")["a.weight"], weight.values)


@pytest.mark.parametrize("pattern", ["*a.weight", "*a.w*"])
def test_that_a_packed_weight_is_chosen_by_its_name(tmp_path: Path, pattern: str) -> None:
    path = written(tmp_path, "awq")
    model = load_model(path, decode="float32", tensors=pattern)
    assert set(model) == {"a.weight"}
    assert_same(model["a.weight"], WEIGHTS["awq"].values)


def test_that_stored_tensors_are_what_they_were_where_nothing_is_decoded(tmp_path: Path) -> None:
    path = written(tmp_path, "awq")
    assert set(load_model(path)) == {*WEIGHTS["awq"].tensors, "a.bias", "lm_head.weight"}


@pytest.mark.parametrize("readers", [1, 2, 5])
@pytest.mark.parametrize("portion_bytes", [None, 5000])
@pytest.mark.parametrize("order", ["file", "model", "random"])
def test_that_helpers_are_read_once_and_first(
    tmp_path: Path, readers: int, portion_bytes: int | None, order: Any
) -> None:
    path = files.write(
        tmp_path / "model.safetensors",
        *(files.bitsandbytes(f"layers.{n}.weight", (64, 128), nested=True) for n in range(3)),
        files.plain("norm", (40,)),
    )
    model = with_packed_weights(open_model(path))
    config = LoadConfig(deliver="decoded", readers=readers, chunk_bytes=4 * KIB, order=order)
    plan = plan_load(model, config, portion_bytes)
    decoded = set()
    read = []
    for extents, parts in zip(plan.readers, plan.parts, strict=True):
        helps = [part.tensor in model.helpers for held in parts for part in held]
        assert helps == sorted(helps, reverse=True)
        decoded |= {part.tensor for held in parts for part in held}
        read += extents
    assert sum(extent.nbytes for extent in plan.wanted) == sum(extent.nbytes for extent in read)
    for each in model.packed:
        assert each.tensor not in decoded or decoded.issuperset(each.helpers.values())
    if portion_bytes is None:
        assert sum(extent.nbytes for extent in read) == model.nbytes


def test_that_a_worker_measures_loads_of_packed_weights(tmp_path: Path) -> None:
    path = written(tmp_path, "nf4-nested")
    config = LoadConfig(access="read", deliver="decoded", readers=2, chunk_bytes=4 * KIB)
    record = run_job(Job(str(path), config, cache="warm", verify=True))
    assert record.finished is not None
    assert record.finished.delivered_bytes == open_model(path).nbytes


def test_that_what_packed_weights_need_is_not_guessed_by_their_shapes(tmp_path: Path) -> None:
    def deliveries(name: str) -> set[str]:
        return {fit.delivery for fit in inspect_model(written(tmp_path, name)).fit}

    assert deliveries("awq") == {"mapped", "owned"}
    path = files.write(tmp_path / "plain.safetensors", files.plain("a"))
    assert {fit.delivery for fit in inspect_model(path).fit} == {"mapped", "owned", "decoded"}


@pytest.mark.parametrize("dtype", sorted(WITHOUT_FLOATS))
def test_that_what_cannot_be_decoded_is_not_said_to_fit_decoded(tmp_path: Path, dtype: str) -> None:
    entry = {"dtype": dtype, "shape": [8], "data_offsets": [0, DTYPE_BITS[dtype]]}
    header = json.dumps({"a": entry}).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(DTYPE_BITS[dtype]))
    assert {fit.delivery for fit in inspect_model(path).fit} == {"mapped", "owned"}


def test_that_a_weight_that_cannot_be_decoded_stands_in_the_way_of_itself_alone(
    tmp_path: Path,
) -> None:
    whole = WEIGHTS["awq"]
    others = {name.replace("a.", "b."): each for name, each in whole.tensors.items()}
    del others["b.qzeros"]
    lacking = whole._replace(name="b.weight", tensors=others)
    path = files.write(tmp_path / "model.safetensors", whole, lacking, files.plain("c"))
    assert refusal(path).startswith("b.weight can't be decoded: ")
    for load in (load_model, lazy_model):
        model = load(path, tensors=[whole.name, "c"], decode="float32")
        assert list(model) == [whole.name, "c"]
        assert_same(model[whole.name], whole.values)
        with pytest.raises(ConfigError, match=r"^b\.weight can't be decoded: b\.qzeros is missing"):
            load(path, tensors="b.*", decode="float32")


def refusal(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_model(path, decode="float32")
    assert caught.value.remedy
    return caught.value.message


def test_that_processes_are_refused_as_readers(tmp_path: Path) -> None:
    model = with_packed_weights(open_model(written(tmp_path, "awq")))
    config = LoadConfig(deliver="decoded", readers=2, reader_kind="process")
    with pytest.raises(ConfigError, match="several tensors"):
        plan_load(model, config)


@pytest.mark.parametrize(
    ("name", "without", "why"),
    [
        ("nf4", "a.weight.absmax", "a.weight.absmax is missing"),
        ("nf4-nested", "a.weight.nested_absmax", "a.weight.nested_absmax is missing"),
        ("gptq", "a.scales", "a.scales is missing"),
        ("awq", "a.qzeros", "a.qzeros is missing"),
    ],
)
def test_that_what_is_missing_is_named(tmp_path: Path, name: str, without: str, why: str) -> None:
    weight = WEIGHTS[name]
    files.configure(tmp_path, quant_method="gptq", bits=4, group_size=16)
    kept = {key: array for key, array in weight.tensors.items() if key != without}
    path = files.write(tmp_path / "model.safetensors", weight._replace(tensors=kept))
    assert refusal(path) == f"a.weight can't be decoded: {why}."


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({"quant_method": "gptq"}, "bits is missing in config.json"),
        ({"bits": 4}, "group_size is missing in config.json"),
        ({"bits": 5}, "its values have 5 bits"),
        ({"bits": 4, "group_size": 64}, "the shape of a.scales doesn't fit the others"),
        (
            {"bits": 4, "checkpoint_format": "marlin"},
            "gptq with checkpoint format marlin isn't supported",
        ),
        (
            {"bits": 4, "quant_method": "auto-round"},
            "auto-round with checkpoint format gptq isn't supported",
        ),
        ({"bits": "four"}, "config.json can't be understood"),
    ],
)
def test_that_a_configuration_that_tells_too_little_is_said(
    tmp_path: Path, config: dict[str, Any], why: str
) -> None:
    path = written(tmp_path, "gptq-in-order")
    files.configure(tmp_path, **config)
    assert why in refusal(path)


def test_that_what_a_configuration_leaves_empty_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    path = written(tmp_path, "gptq-in-order")
    empty = {"quant_method": None, "checkpoint_format": None, "version": 2.1}
    files.configure(tmp_path, bits=4, group_size=16, **empty)
    weight = WEIGHTS["gptq-in-order"]
    assert_same(load_model(path, decode="float32")[weight.name], weight.values)


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({}, "the shape of a.qweight doesn't fit the others"),
        ({"quant_method": "awq", "version": "gemv"}, "group_size is missing in config.json"),
        (
            {"quant_method": "awq", "version": "gemv", "group_size": 128},
            "the shape of a.scales doesn't fit the others",
        ),
        (
            {"quant_method": "awq", "version": "gemv", "group_size": 100},
            "the shape of a.scales doesn't fit the others",
        ),
        (
            {"quant_method": "awq", "version": "gemv_fast", "group_size": 64},
            "the shape of a.qweight doesn't fit the others",
        ),
    ],
)
def test_that_what_gemv_needs_is_not_guessed(
    tmp_path: Path, config: dict[str, Any], why: str
) -> None:
    path = written(tmp_path, "awq-gemv")
    files.configure(tmp_path, **config)
    assert why in refusal(path)
    (tmp_path / "config.json").unlink()
    assert "config.json" in refusal(path)


def test_that_gemv_without_groups_has_one_scale_a_row(tmp_path: Path) -> None:
    with np.errstate(all="ignore"):
        weight = files.awq_gemv("a", 384, 5, 384, 1)
    path = files.write(tmp_path / "model.safetensors", weight)
    files.configure(tmp_path, quant_method="awq", version="gemv", group_size=-1)
    assert_same(load_model(path, decode="float32")["a.weight"], weight.values)


def test_that_gptq_of_three_bits_in_planes_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "gptq-3-bits")
    files.configure(tmp_path, bits=3, checkpoint_format="gptq_p")
    assert "gptq with checkpoint format gptq_p isn't supported" in refusal(path)


def test_that_gptq_without_a_configuration_is_refused(tmp_path: Path) -> None:
    path = files.write(tmp_path / "model.safetensors", WEIGHTS["gptq"])
    assert "config.json" in refusal(path)
    (tmp_path / "config.json").write_text("{}")
    assert "config.json" in refusal(path)


@pytest.mark.parametrize(
    ("name", "tensor", "shape"),
    [
        ("nf4", "a.weight.absmax", (191,)),
        ("nf4", "a.weight.quant_map", (15,)),
        ("nf4", "a.weight", (96 * 64 - 1, 1)),
        ("fp8-blocks", "a.weight_scale_inv", (7, 3)),
        ("fp8-blocks", "a.weight_scale_inv", (2, 2, 2)),
        ("fp8-blocks", "a.weight_scale_inv", (3,)),
        ("fp8-blocks", "a.weight_scale_inv", (3, 1)),
        ("gptq", "a.qzeros", (4, 4)),
        ("gptq", "a.qweight", (8, 39)),
        ("gptq", "a.scales", (0, 40)),
        ("awq", "a.scales", (3, 48)),
        ("mxfp4", "experts.gate_up_proj_scales", (3, 20, 6)),
    ],
)
def test_that_shapes_that_do_not_fit_are_refused(
    tmp_path: Path, name: str, tensor: str, shape: tuple[int, ...]
) -> None:
    weight = WEIGHTS[name]
    files.configure(tmp_path, quant_method="gptq", bits=4, group_size=16)
    tensors = weight.tensors | {tensor: np.zeros(shape, weight.tensors[tensor].dtype)}
    path = files.write(tmp_path / "model.safetensors", weight._replace(tensors=tensors))
    assert "doesn't fit the others" in refusal(path)


def test_that_fp8_has_the_blocks_that_the_configuration_states(tmp_path: Path) -> None:
    weight = files.fp8("a.weight", (192, 300), scales(2, 4), (96, 96))
    path = files.write(tmp_path / "model.safetensors", weight)
    files.configure(tmp_path, quant_method="fp8", weight_block_size=[96, 96])
    assert_same(load_model(path, decode="float32")["a.weight"], weight.values)
    files.configure(tmp_path, quant_method="fp8", weight_block_size=[64, 96])
    assert "doesn't fit the others" in refusal(path)


@pytest.mark.parametrize("group", [-1, 4])
def test_that_a_group_that_does_not_exist_ends_the_load(tmp_path: Path, group: int) -> None:
    weight = WEIGHTS["gptq"]
    weight.tensors["a.g_idx"][7], kept = group, weight.tensors["a.g_idx"][7]
    files.configure(tmp_path, quant_method="gptq", bits=4, group_size=16)
    path = files.write(tmp_path / "model.safetensors", weight)
    weight.tensors["a.g_idx"][7] = kept
    with pytest.raises(LoadFailedError, match="group"):
        load_model(
            path, LoadConfig(access="read", readers=3, chunk_bytes=4 * KIB), decode="float32"
        )


@pytest.mark.parametrize("text", [b"", b"[]", b'{"blocksize": 64}', b"\xff" * 9])
def test_that_a_description_that_is_none_is_refused(tmp_path: Path, text: bytes) -> None:
    weight = WEIGHTS["nf4"]
    name = "a.weight.quant_state.bitsandbytes__nf4"
    tensors = weight.tensors | {name: np.frombuffer(text, np.uint8)}
    path = files.write(tmp_path / "model.safetensors", weight._replace(tensors=tensors))
    assert f"{name} doesn't hold valid JSON" in refusal(path)


@pytest.mark.parametrize("processors", [1, 5])
def test_that_requests_end_in_order_whoever_decodes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processors: int
) -> None:
    monkeypatch.setattr("modelmon.core.load.decoding.usable_processors", lambda: processors)
    path = files.write(
        tmp_path / "model.safetensors",
        WEIGHTS["nf4-nested"],
        *(files.plain(f"n{n}", (5000,)) for n in range(9)),
    )
    config = LoadConfig(access="read", deliver="decoded", chunk_bytes=4 * KIB)
    seen: list[int] = []
    work = work_for(with_packed_weights(open_model(path)), config)
    engine = engine_for(work)
    engine.run(lambda _reader, number, _times, _nbytes: seen.append(number))
    engine.close()
    assert seen == list(range(len(work.plan.readers[0])))


def test_that_numpy_decodes_where_kernels_are_missing_and_that_this_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modelmon.core.load.decode.kernels", lambda: None)
    monkeypatch.setattr("modelmon.core.load.unpack.kernels", lambda: None)
    decode._decoder.cache_clear()
    try:
        with pytest.warns(UserWarning, match=r"Decoded by numpy.*AWQ.*modelmon\[decode\]"):
            load_model(written(tmp_path, "awq"), decode="float32")
    finally:
        decode._decoder.cache_clear()


def test_that_find_best_tells_which_ways_cannot_decode_packed_weights(tmp_path: Path) -> None:
    obstacle = admission(open_model(written(tmp_path, "awq")), None)
    threads = LoadConfig(deliver="decoded", readers=2)
    assert obstacle(threads) == ""
    assert "several tensors" in obstacle(replace(threads, reader_kind="process"))
    assert obstacle(LoadConfig(readers=2, reader_kind="process")) == ""


def test_that_find_best_opens_no_file_for_a_model_on_a_server(tmp_path: Path) -> None:
    path = written(tmp_path, "nf4-nested")
    model = open_model(path)
    path.unlink()
    obstacle = admission(model, None, Memory(total_bytes=GIB, available_bytes=GIB))
    threads = LoadConfig(deliver="decoded", readers=2)
    assert obstacle(threads) == ""
    assert "several tensors" in obstacle(replace(threads, reader_kind="process"))


DTYPES = st.sampled_from([*files.DTYPES, "float32", "uint8", "int32"])
SHAPES = st.lists(st.sampled_from([0, 1, 2, 3, 5, 8, 16, 20, 32, 40, 64, 300]), max_size=3)
CHANGES = st.sampled_from(
    [b"{}", b"[", b'{"blocksize": 64, "shape": [96, 128]}', b'{"blocksize": 2, "shape": [2, 1]}',
     b'{"blocksize": 1e9, "shape": [1]}', b'{"blocksize": 64, "shape": []}']
)  # fmt: skip


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_that_whatever_a_file_says_a_load_ends_well_or_tells_why(
    tmp_path: Path, data: st.DataObject
) -> None:
    weight = WEIGHTS[data.draw(st.sampled_from(sorted(WEIGHTS)))]
    tensors = dict(weight.tensors)
    for name in data.draw(st.lists(st.sampled_from(sorted(tensors)), max_size=2, unique=True)):
        if "quant_state" in name:
            tensors[name] = np.frombuffer(data.draw(CHANGES), np.uint8)
            continue
        shape = tuple(data.draw(SHAPES))
        dtype = np.dtype(getattr(ml_dtypes, kind, kind) if (kind := data.draw(DTYPES)) else kind)
        size = int(np.prod(shape)) * dtype.itemsize
        tensors[name] = np.resize(np.arange(256, dtype=np.uint8), size).view(dtype).reshape(shape)
    path = files.write(tmp_path / "model.safetensors", weight._replace(tensors=tensors))
    config = {
        "quant_method": data.draw(st.sampled_from(["gptq", "awq", 7])),
        "version": data.draw(st.sampled_from(["gemm", "gemv", None])),
        "bits": data.draw(st.sampled_from([None, 2, 4, 8, 3, 0, -4, 10**20, "4"])),
        "group_size": data.draw(st.sampled_from([None, -1, 0, 8, 16, 32, 10**30])),
    }
    files.configure(tmp_path, **config)
    for load in (partial(load_model, path, CONFIGS["three"]), partial(lazy_model, path)):
        with suppress(ModelmonError):
            model = load(decode="float32")
            for name, array in model.items():
                assert array.shape == model.info(name).shape


@pytest.mark.parametrize(
    "name",
    [
        "a.weight_packed",
        "a.W_q",
        "a.trellis",
        "a.weight._data._data",
        "a._up_proj_qdata",
        "a.Qidxs",
    ],
)
def test_that_codes_of_other_formats_are_not_taken_for_values(tmp_path: Path, name: str) -> None:
    path = files.write(tmp_path / "model.safetensors", files.plain(name), files.plain("b"))
    assert "isn't supported" in refusal(path)
    assert set(load_model(path)) == {name, "b"}


@pytest.mark.parametrize(
    ("config", "known"),
    [
        ({"quant_method": "vptq"}, "vptq"),
        ({"quant_method": "gptq", "checkpoint_format": "marlin"}, "marlin"),
        ({"quant_method": "bitsandbytes"}, ""),
        ({"quant_method": None}, ""),
    ],
)
def test_that_matrices_of_integers_are_no_values_where_the_configuration_names_another_format(
    tmp_path: Path, config: dict[str, Any], known: str
) -> None:
    tensors = {
        "a.B": np.ones((4, 8), np.int32),
        "positions": np.ones((1, 8), np.int64),
        "order": np.ones(8, np.int32),
        "norm": np.ones((4, 8), np.float32),
    }
    weight = files.plain("a.B")._replace(tensors=tensors)
    path = files.write(tmp_path / "model.safetensors", weight)
    files.configure(tmp_path, **config)
    others = ["positions", "order", "norm"]
    assert set(load_model(path, tensors=others, decode="float32")) == set(others)
    if known:
        assert refusal(path) == f"a.B can't be decoded: {known} isn't supported."
    else:
        assert (load_model(path, decode="float32")["a.B"] == tensors["a.B"]).all()


@pytest.mark.parametrize(
    "config",
    [
        {"quant_method": "awq", "version": "gemm", "checkpoint_format": "gemm"},
        {"quant_method": "auto-round"},
    ],
)
def test_that_no_part_of_a_weight_is_refused_for_a_format_that_is_not_known(
    tmp_path: Path, config: dict[str, Any]
) -> None:
    path = written(tmp_path, "awq")
    files.configure(tmp_path, **config)
    model = load_model(path, decode="float32")
    assert set(model) == {"a.weight", "a.bias", "lm_head.weight"}
    assert_same(model["a.weight"], WEIGHTS["awq"].values)


@pytest.mark.parametrize(
    ("codes", "beside", "known"),
    [
        ("a.weight", "a.SCB", "LLM.int8"),
        ("a.weight", "a.weight_scale_2", "NVFP4"),
        ("a.weight_packed", "a.weight_scale", "compressed-tensors"),
        ("a.weight", "a.codebooks", "AQLM"),
        ("a.weight", "a.pre_quant_scale", "ModelOpt"),
    ],
)
def test_that_codes_of_other_formats_are_refused_by_the_weight_s_name_and_in_patterns(
    tmp_path: Path, codes: str, beside: str, known: str
) -> None:
    tensors = {codes: np.ones((4, 8), np.int8), beside: np.ones(4, np.float32)}
    weight = files.plain(codes)._replace(tensors=tensors)
    path = files.write(tmp_path / "model.safetensors", weight, files.plain("b.weight"))
    assert list(load_model(path, tensors="b.weight", decode="float32")) == ["b.weight"]
    for load in (load_model, lazy_model):
        for wanted in ("a.weight", "*.weight", "a.*"):
            with pytest.raises(ConfigError, match=f"can't be decoded: {known} isn't supported"):
                load(path, tensors=wanted, decode="float32")


@pytest.mark.parametrize(
    ("dtype", "name", "scale"),
    [
        ("int8", "a.weight", "a.weight_scale"),
        (ml_dtypes.float8_e4m3fnuz, "a.weight", "a.weight_scale"),
        (ml_dtypes.float8_e4m3fn, "a.weight", "a.scale_weight"),
        (ml_dtypes.float8_e4m3fn, "a.weight", "a.scale"),
        # MLX, optimum-quanto, stacked experts of 8 and of 4 bits
        ("uint32", "a.weight", "a.scales"),
        ("int8", "a.weight._data", "a.weight._scale"),
        ("int8", "experts.down_proj", "experts.down_proj_scale"),
        ("uint8", "experts.down_proj", "experts.down_proj_weight_scale"),
        ("uint8", "experts.up_proj_packed", "experts.up_proj_scale"),
        # TensorRT-LLM, Flax
        (ml_dtypes.float8_e4m3fn, "a.weight", "a.weights_scaling_factor"),
        ("int8", "a.kernel", "a.scale"),
        ("uint8", "a.weight", "a.weight.absmax"),
        ("uint8", "weight", "weight_scale"),
    ],
)
def test_that_codes_whose_scales_are_not_understood_are_refused(
    tmp_path: Path, dtype: Any, name: str, scale: str
) -> None:
    codes = np.ones((4, 8), np.uint8).view(dtype)
    tensors = {name: codes, scale: np.ones(1, np.float32)}
    weight = files.plain(name)._replace(tensors=tensors)
    path = files.write(tmp_path / "model.safetensors", weight)
    assert f"{name} can't be decoded: {files.DTYPES[codes.dtype.name]} + {scale}" in refusal(path)


def test_that_scales_of_others_are_none_of_a_tensor(tmp_path: Path) -> None:
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
        name: array.astype(np.float32).tolist() for name, array in tensors.items()
    }


def test_that_an_empty_weight_keeps_no_other_from_being_decoded(tmp_path: Path) -> None:
    empty = np.empty((0, 8), ml_dtypes.float8_e4m3fn)
    tensors = {"e.weight": empty, "e.weight_scale": np.ones(1, np.float32)}
    weight = WEIGHTS["fp8-blocks"]
    path = files.write(
        tmp_path / "model.safetensors", weight, files.plain("e")._replace(tensors=tensors)
    )
    model = load_model(path, decode="float32")
    assert model["e.weight"].shape == (0, 8)
    assert_same(model[weight.name], weight.values)


def test_that_two_weights_of_one_name_are_refused(tmp_path: Path) -> None:
    one = files.mxfp4("a", (2, 6), 3)
    other = files.mxfp4("a", (2, 6), 3, ".")
    path = files.write(tmp_path / "model.safetensors", one, other)
    assert "a can't be decoded: there is a tensor of this name as well" in refusal(path)


def test_that_a_tensor_that_would_be_part_of_two_weights_is_refused(tmp_path: Path) -> None:
    inner = files.bitsandbytes("a.weight.absmax", (128,), nested=False)
    outer = files.bitsandbytes("a.weight", (64, 64), nested=True)
    both = inner.tensors | outer.tensors
    nested = outer._replace(tensors=both | {"a.weight.absmax": outer.tensors["a.weight.absmax"]})
    assert "part of two weights" in refusal(files.write(tmp_path / "nested.safetensors", nested))


def test_that_a_weight_of_no_rows_is_read_lazily_too(tmp_path: Path) -> None:
    some = files.mxfp4("empty", (1, 20), 7)
    none = some._replace(tensors={name: each[:0] for name, each in some.tensors.items()})
    path = files.write(tmp_path / "model.safetensors", none)
    assert lazy_model(path, decode="float32")["empty"].shape == (0, 20, 224)


@pytest.mark.parametrize("rank", range(2))
def test_that_a_rank_has_the_groups_of_its_inputs_in_whatever_order(
    tmp_path: Path, rank: int
) -> None:
    module = "layers.0.mlp.down_proj"
    stored = WEIGHTS["gptq"]
    whole = {name.replace("a.", f"{module}."): each for name, each in stored.tensors.items()}
    files.write(tmp_path / "model.safetensors", stored._replace(tensors=whole))
    model = load_model(tmp_path, rank=(rank, 2))
    shared = {name: np.split(whole[f"{module}.{name}"], 2)[rank] for name in ("qweight", "g_idx")}
    for name in ("qweight", "g_idx", "qzeros", "scales"):
        expected = shared.get(name, whole[f"{module}.{name}"])
        np.testing.assert_array_equal(model[f"{module}.{name}"], expected)
    # Eight rows of words are none of three ranks' alone, and half a group is nobody's.
    for ranks in (3, 16):
        held = load_model(tmp_path, rank=(rank, ranks))
        assert all(held[name].shape == array.shape for name, array in whole.items())


def test_that_a_part_of_a_weight_is_no_tensor_to_ask_for(tmp_path: Path) -> None:
    path = written(tmp_path, "gptq")
    with pytest.raises(ConfigError, match=r"a\.scales is part of a\.weight") as caught:
        load_model(path, decode="float32", tensors="a.scales")
    assert caught.value.remedy == "Ask for a.weight."
    with pytest.raises(ConfigError) as caught:
        load_model(path, decode="float32", tensors="a.qweight")
    assert "a.weight" in caught.value.remedy
    assert "qzeros" not in caught.value.remedy
    assert list(load_model(path, tensors="a.scales")) == ["a.scales"]
