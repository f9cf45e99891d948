import ml_dtypes
import numpy as np
import pytest
from gguf import quants

from modelmon.core.load import decode
from modelmon.core.load.api import load_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.decode import BATCH_ELEMENTS, COMPILED, FLOATS, decode_into, slow_decoder
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME, GgmlType

pytest.importorskip("numba", reason="the compiled decoders need numba: modelmon[decode]")

# Zero, the smallest subnormal, the largest subnormal, 1, the largest, infinity, two NaN; negated.
HALVES = np.array([0, 1, 0x3FF, 0x3C00, 0x7BFF, 0x7C00, 0x7C01, 0x7E00], np.uint16)
SCALES = np.concatenate([HALVES, HALVES | 0x8000]).view(np.uint8).reshape(-1, 2)
SMALL = {
    "F16": np.float16,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
}
# Where in a block its float16 scales lie, by the structures of ggml.
PLACES = {
    **dict.fromkeys(("Q2_0", "Q4_0", "Q5_0", "Q8_0", "IQ4_NL", "IQ4_XS"), (0,)),
    **dict.fromkeys(("Q4_1", "Q5_1", "Q4_K", "Q5_K"), (0, 2)),
    "Q2_K": (80, 82),
    "Q3_K": (108,),
    "Q6_K": (208,),
    "MXFP4": (),
}


def kind_of(dtype):
    return GGML_TYPES_BY_NAME.get(dtype) or GgmlType(dtype, 1, 1)


def blocks_of(dtype, count=4000):
    """Random blocks; blocks whose bits are all clear and all set; each with every odd scale."""
    draw = np.random.default_rng(count)
    kind = kind_of(dtype)
    blocks = draw.integers(0, 256, (count, kind.block_bytes), np.uint8)
    if kind.block_values == 1:
        blocks[:256, -1] = np.arange(256)
        return blocks
    blocks[0:256:3], blocks[1:256:3] = 0, 255
    for place in PLACES[dtype]:
        chosen = draw.integers(0, len(SCALES), 512)
        blocks[:512, place : place + 2] = SCALES[chosen]
    if dtype == "MXFP4":
        blocks[:256, 0] = np.arange(256)
    return blocks


def reference(dtype, blocks):
    with np.errstate(all="ignore"):
        if dtype in SMALL:
            return blocks.reshape(-1).view(SMALL[dtype]).astype(np.float32)
        if dtype == "Q2_0":
            # Not in the package's release: ggml's definition, two bits less one times the scale.
            codes = blocks[:, 2:, None] >> np.array([0, 2, 4, 6], np.uint8) & 3
            scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
            values = scales * (codes.reshape(len(blocks), -1).astype(np.float32) - 1)
            return values.reshape(-1)
        values = getattr(quants, dtype).dequantize_blocks(blocks)
    return values.reshape(-1)


def assert_same(ours, expected):
    """Bit for bit; of NaN only that it is one, since processors differ in its bits."""
    numbers = ~np.isnan(expected.astype(np.float32))
    bits = f"u{expected.itemsize}"
    np.testing.assert_array_equal(ours.view(bits)[numbers], expected.view(bits)[numbers])
    assert np.isnan(ours.astype(np.float32)[~numbers]).all()


@pytest.fixture
def without_kernels(monkeypatch):
    decode._decoder.cache_clear()
    monkeypatch.setattr(decode, "kernels", lambda: None)
    yield
    decode._decoder.cache_clear()


@pytest.mark.parametrize("dtype", sorted(COMPILED))
def test_that_values_have_the_bits_of_the_reference(dtype):
    blocks = blocks_of(dtype)
    expected = reference(dtype, blocks)
    ours = np.full(expected.size, 12345, np.float32)
    # An odd address: neither blocks nor requests are aligned.
    stored = memoryview(b"x" + blocks.tobytes())[1:]
    decode_into(stored, dtype, ours)
    assert_same(ours, expected)


@pytest.mark.parametrize("to", ["float16", "bfloat16"])
@pytest.mark.parametrize("dtype", ["F32", "Q4_K"])
def test_that_smaller_floats_are_rounded_to_nearest_even(to, dtype):
    if dtype == "F32":
        draw = np.random.default_rng(7)
        bits = draw.integers(0, 1 << 32, BATCH_ELEMENTS, np.uint64).astype(np.uint32)
        # Around each border between two values of the smaller types, and their ends.
        near = (np.arange(1 << 16, dtype=np.uint32) << 12) + 0x33000000
        ends = np.arange(0x477FE000, 0x47801000, dtype=np.uint32)
        codes = np.concatenate([bits, near, near + 1, near - 1, ends, ends | 0x80000000])
        data, values = codes.view(np.uint8), codes.view(np.float32)
    else:
        data = blocks_of(dtype)
        values = reference(dtype, data)
    with np.errstate(all="ignore"):
        expected = values.astype(FLOATS[to])
    ours = np.zeros(values.size, FLOATS[to])
    decode_into(memoryview(data.tobytes()), dtype, ours)
    assert_same(ours, expected)


def test_that_the_kernels_are_those_that_are_named():
    assert decode.kernels().KERNELS.keys() == COMPILED
    assert decode.kernels().ROUNDED.keys() == FLOATS.keys() - {"float32"}


@pytest.mark.parametrize("to", ["float32", "float16", "bfloat16"])
def test_that_a_model_is_loaded_as_the_float_that_is_asked_for(samples, to):
    stored = load_model(samples["gguf"], LoadConfig(deliver="owned"))
    model = load_model(samples["gguf"], "sequential", decode=to)
    assert {array.dtype for array in model.values()} == {FLOATS[to]}
    quantised = next(n for n in model if model.info(n).dtype in PLACES)
    dtype = model.info(quantised).dtype
    blocks = stored[quantised].reshape(-1, kind_of(dtype).block_bytes)
    with np.errstate(all="ignore"):
        expected = reference(dtype, blocks).astype(FLOATS[to])
    assert_same(model[quantised].reshape(-1), expected)


@pytest.mark.usefixtures("without_kernels")
def test_that_gguf_decodes_where_kernels_are_missing_and_that_this_is_said(samples):
    assert slow_decoder(["F32", "F8_E4M3"]) is None
    slow = slow_decoder(["Q6_K", "F32", "IQ2_XS", "Q4_K"])
    assert slow is not None
    assert slow.sentence.endswith("compiled code: IQ2_XS, Q4_K, Q6_K.")
    with pytest.warns(UserWarning, match=r"modelmon\[decode\]"):
        model = load_model(samples["gguf"], decode="bfloat16")
    name = next(name for name in model if model.info(name).dtype in PLACES)
    assert model[name].dtype == FLOATS["bfloat16"]


def test_that_types_without_a_kernel_are_told_and_not_to_be_mended_by_installing():
    slow = slow_decoder([*COMPILED, "F32", "IQ2_XS"])
    assert slow is not None
    assert slow.sentence.endswith("compiled code: IQ2_XS.")
    assert "install" not in slow.remedy.lower()
