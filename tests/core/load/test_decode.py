import subprocess
import sys
import tracemalloc
from importlib.metadata import version
from math import prod

import gguf
import ml_dtypes
import numpy as np
import pytest
from gguf import quants
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.load.decode import BATCH_ELEMENTS, COMPILED, decode_into, kernels, obstacle
from modelmon.core.load.planner import units_of
from modelmon.core.model.ggml_types import GGML_TYPES, GgmlType
from modelmon.core.model.safetensors import DTYPE_BITS
from modelmon.core.model.tensors import Model, Shard, Tensor
from modelmon.core.units import KIB, MIB

QUANTISED = {kind.name: kind for kind in GGML_TYPES.values() if kind.block_values > 1}
PLAIN = {
    "BOOL": np.bool_,
    "U8": np.uint8,
    "I8": np.int8,
    "U16": np.uint16,
    "I16": np.int16,
    "U32": np.uint32,
    "I32": np.int32,
    "U64": np.uint64,
    "I64": np.int64,
    "F16": np.float16,
    "F32": np.float32,
    "F64": np.float64,
    "BF16": ml_dtypes.bfloat16,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
    "F8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "F8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}


def stored_type(name):
    return gguf.GGMLQuantizationType[name]


def theirs(data, name):
    with np.errstate(all="ignore"):
        return quants.dequantize(data, stored_type(name))


def can_dequantize(kind):
    if kind.name not in gguf.GGMLQuantizationType.__members__:
        return False
    try:
        theirs(np.zeros((1, kind.block_bytes), np.uint8), kind.name)
    except NotImplementedError:
        return False
    return True


DECODABLE = [kind for kind in QUANTISED.values() if can_dequantize(kind)]


def quantised(kind, blocks):
    """Blocks by gguf's own writer; where it has none, every pattern of bytes is a block."""
    draw = np.random.default_rng(blocks)
    values = draw.standard_normal((1, blocks * kind.block_values)).astype(np.float32)
    try:
        data = quants.quantize(values, stored_type(kind.name)).reshape(-1)
    except NotImplementedError:
        data = draw.integers(0, 256, blocks * kind.block_bytes, dtype=np.uint8)
    return data


def decoded(data, dtype, elements):
    out = np.full(elements, 12345, np.float32)
    decode_into(memoryview(data).cast("B"), dtype, out)
    return out


def assert_same_bits(ours, expected):
    np.testing.assert_array_equal(ours.view(np.uint32), expected.view(np.uint32))


@pytest.mark.parametrize("kind", DECODABLE, ids=lambda kind: kind.name)
def test_that_quantised_values_are_those_of_gguf(kind):
    blocks = BATCH_ELEMENTS // kind.block_values + 3
    data = quantised(kind, blocks)
    ours = decoded(data, kind.name, blocks * kind.block_values)
    np.testing.assert_array_equal(ours, theirs(data, kind.name).reshape(-1))


@pytest.mark.parametrize("dtype", PLAIN)
def test_that_plain_values_are_those_of_numpy(dtype):
    draw = np.random.default_rng(1)
    itemsize = np.dtype(PLAIN[dtype]).itemsize
    data = draw.integers(0, 256, (BATCH_ELEMENTS + 7) * itemsize, dtype=np.uint8)
    if dtype == "BOOL":
        data &= 1
    stored = data.view(PLAIN[dtype])
    with np.errstate(all="ignore"):
        expected = stored.astype(np.float32)
    np.testing.assert_array_equal(decoded(data, dtype, stored.size), expected)


@pytest.mark.parametrize("dtype", ["F16", "BF16", "F8_E4M3", "F8_E5M2", "F8_E8M0"])
def test_that_every_code_of_a_small_float_is_decoded(dtype):
    width = DTYPE_BITS[dtype]
    codes = np.arange(1 << width, dtype=f"u{width // 8}")
    expected = codes.view(PLAIN[dtype]).astype(np.float32)
    ours = decoded(codes, dtype, codes.size)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(ours), ~numbers)
    assert_same_bits(ours[numbers], expected[numbers])


def test_that_data_at_odd_addresses_is_decoded():
    values = np.arange(1000, dtype=np.float64)
    shifted = np.frombuffer(b"\0" + values.tobytes(), np.uint8)[1:]
    np.testing.assert_array_equal(decoded(shifted, "F64", 1000), values)


def test_that_values_beyond_float32_become_infinite():
    assert decoded(np.array([1e300, -1e300]), "F64", 2).tolist() == [np.inf, -np.inf]


@pytest.mark.parametrize("dtype", ["F32", "F16", "F8_E4M3", "Q4_0"])
def test_that_data_of_another_length_is_refused(dtype):
    with pytest.raises(ValueError, match=r"reshape|buffer size"):
        decode_into(memoryview(bytes(18)), dtype, np.zeros(64, np.float32))


@pytest.mark.parametrize("name", [*DTYPE_BITS, *QUANTISED])
def test_that_a_type_has_an_obstacle_exactly_if_it_cannot_be_decoded(name):
    sentence = obstacle([name])
    compiled = name in COMPILED and kernels() is not None
    if compiled or name in PLAIN or name in {kind.name for kind in DECODABLE}:
        assert sentence == ""
    else:
        assert sentence.startswith(f"{name} can't be decoded: ")
        with pytest.raises(ConfigError, match=name):
            decode_into(memoryview(b""), name, np.zeros(0, np.float32))


def test_that_an_obstacle_names_each_type_and_the_version_of_gguf():
    sentence = obstacle(["F32", "Q8_K", "F4", "Q4_0", "F4"])
    assert sentence.count("F4 can't") == 1
    assert "F32" not in sentence
    assert f"Q8_K can't be decoded: gguf {version('gguf')}, which is installed" in sentence


def test_that_gguf_is_imported_only_for_types_without_a_kernel():
    program = (
        "import sys, numpy as np\n"
        "from modelmon.core.load.decode import decode_into, obstacle\n"
        "assert obstacle(['BF16', 'F32', 'F4']).startswith('F4')\n"
        "decode_into(memoryview(bytes(4)), 'BF16', np.empty(2, np.float32))\n"
        "assert 'gguf' not in sys.modules\n"
        "decode_into(memoryview(bytes(54)), 'TQ1_0', np.empty(256, np.float32))\n"
        "assert 'gguf' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("dtype", ["BF16", "F8_E4M3", *(kind.name for kind in DECODABLE)])
def test_that_temporaries_stay_small(dtype):
    kind = QUANTISED.get(dtype, GgmlType(dtype, 1, DTYPE_BITS.get(dtype, 0) // 8))
    elements = 16 * BATCH_ELEMENTS
    nbytes = elements // kind.block_values * kind.block_bytes
    data, out = memoryview(bytes(nbytes)), np.empty(elements, np.float32)
    # What is made once, as tables are, is no temporary.
    decode_into(data[: nbytes // 16], dtype, out[:BATCH_ELEMENTS])
    tracemalloc.start()
    try:
        decode_into(data, dtype, out)
        assert tracemalloc.get_traced_memory()[1] < 4 * MIB
    finally:
        tracemalloc.stop()


@st.composite
def stored(draw):
    """A file's tensors and its bytes."""
    kinds = [GgmlType(name, 1, np.dtype(PLAIN[name]).itemsize) for name in ("F16", "F64", "BF16")]
    kinds += [QUANTISED[name] for name in ("Q4_0", "Q8_0", "Q6_K")]
    tensors = []
    content = bytearray()
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=6)):
        content += bytes(draw(st.sampled_from([0, 1, 31, 5000])))
        blocks = draw(st.integers(0, 200))
        shape, nbytes = (blocks * kind.block_values,), blocks * kind.block_bytes
        tensors.append(Tensor(f"t{len(tensors)}", kind.name, shape, 0, len(content), nbytes))
        content += np.random.default_rng(blocks).integers(0, 256, nbytes, np.uint8).tobytes()
    shard = Shard("/m", len(content), 0)
    return Model("m", "/m", "gguf", (shard,), tuple(tensors), (), {}), bytes(content)


@given(stored(), st.sampled_from([1, 100, 1000, 64 * KIB]))
def test_that_decoding_by_units_equals_decoding_whole_tensors(file, chunk_bytes):
    model, content = file
    values = [np.full(prod(t.shape), 12345, np.float32) for t in model.tensors]
    for extent, parts in units_of(model, range(len(values)), chunk_bytes):
        view = memoryview(content)[extent.offset_bytes : extent.end_bytes]
        for part in parts:
            out = values[part.tensor][part.first_element : part.first_element + part.elements]
            decode_into(view[part.start_bytes : part.start_bytes + part.nbytes], part.dtype, out)
    for tensor, ours in zip(model.tensors, values, strict=True):
        data = np.frombuffer(content, np.uint8, tensor.nbytes, tensor.offset_bytes)
        if tensor.nbytes:
            np.testing.assert_array_equal(ours, decoded(data, tensor.dtype, ours.size))


UNLOADABLE = """
import sys
from modelmon.core.load import decode

class Broken:
    def find_spec(self, name, *_):
        if name == "numba":
            raise {error}("no symbol of that name")

sys.meta_path.insert(0, Broken())
assert decode.kernels() is None
remedy = str(decode.slow_decoder(["Q4_K"]).remedy)
assert remedy == "numba can't be used here: {error}: no symbol of that name.", remedy
"""


@pytest.mark.parametrize("error", ["OSError", "ImportError", "AttributeError"])
def test_that_compiled_decoders_that_cannot_be_loaded_are_done_without(error):
    command = [sys.executable, "-P", "-c", UNLOADABLE.replace("{error}", error)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
