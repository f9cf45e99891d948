"""Values decoded are those of gguf and numpy, bit for bit; who decodes, and where from."""

import subprocess
import sys
import tracemalloc
from importlib.metadata import version
from pathlib import Path

import gguf
import ml_dtypes
import numpy as np
import pytest
from gguf import quants

from modelmon.core.errors import ConfigError
from modelmon.core.load import decode
from modelmon.core.load import readers as decoding
from modelmon.core.load.api import load_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.decode import (
    BATCH_ELEMENTS,
    COMPILED,
    FLOATS,
    decode_into,
    kernels,
    obstacle,
    slow_decoder,
)
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import ProcessPlan, ReaderPlan, TensorValues
from modelmon.core.load.readers import MOST_DECODERS, decoders_each, usable_processors
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.procfs import parse_pid_status_rss
from modelmon.core.model.ggml_types import GGML_TYPES, GgmlType
from modelmon.core.model.safetensors import DTYPE_BITS
from modelmon.core.units import MIB

QUANTISED = {kind.name: kind for kind in GGML_TYPES.values() if kind.block_values > 1}
PLAIN = {
    "BOOL": "bool",
    **{f"U{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"I{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"F{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "BF16": ml_dtypes.bfloat16,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
    "F8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "F8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}
# Zero, the smallest subnormal, the largest subnormal, 1, the largest, infinity, two NaN; negated.
HALVES = np.array([0, 1, 0x3FF, 0x3C00, 0x7BFF, 0x7C00, 0x7C01, 0x7E00], np.uint16)
SCALES = np.concatenate([HALVES, HALVES | 0x8000]).view(np.uint8).reshape(-1, 2)
# Where in a block its float16 scales lie, by the structures of ggml.
PLACES = {
    **dict.fromkeys(("Q2_0", "Q4_0", "Q5_0", "Q8_0", "IQ4_NL", "IQ4_XS"), (0,)),
    **dict.fromkeys(("Q4_1", "Q5_1", "Q4_K", "Q5_K"), (0, 2)),
    "Q2_K": (80, 82),
    "Q3_K": (108,),
    "Q6_K": (208,),
    "MXFP4": (),
}


def can_dequantize(kind):
    try:
        blocks = np.zeros((1, kind.block_bytes), np.uint8)
        quants.dequantize(blocks, gguf.GGMLQuantizationType[kind.name])
    except (KeyError, NotImplementedError):
        return False
    return True


DECODABLE = sorted(kind.name for kind in QUANTISED.values() if can_dequantize(kind))


def kind_of(dtype):
    return QUANTISED.get(dtype) or GgmlType(dtype, 1, DTYPE_BITS.get(dtype, 0) // 8)


def blocks_of(dtype):
    """Random blocks; blocks whose bits are all clear and all set; each with every odd scale."""
    kind = kind_of(dtype)
    count = max(1000, BATCH_ELEMENTS // kind.block_values + 3)
    draw = np.random.default_rng(count)
    blocks = draw.integers(0, 256, (count, kind.block_bytes), np.uint8)
    blocks[0:256:3], blocks[1:256:3] = 0, 255
    for place in PLACES.get(dtype, ()):
        chosen = draw.integers(0, len(SCALES), 512)
        blocks[:512, place : place + 2] = SCALES[chosen]
    if dtype == "MXFP4":
        blocks[:256, 0] = np.arange(256)
    return blocks


def reference(dtype, blocks):
    with np.errstate(all="ignore"):
        if dtype in PLAIN:
            return blocks.reshape(-1).view(PLAIN[dtype]).astype(np.float32)
        if dtype == "Q2_0":
            # Not in the package's release: ggml's definition, two bits less one times the scale.
            codes = blocks[:, 2:, None] >> np.array([0, 2, 4, 6], np.uint8) & 3
            scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
            return (scales * (codes.reshape(len(blocks), -1).astype(np.float32) - 1)).reshape(-1)
        return quants.dequantize(blocks, gguf.GGMLQuantizationType[dtype]).reshape(-1)


def assert_same(ours, expected):
    """Bit for bit; of NaN only that it is one, since processors differ in its bits."""
    numbers = ~np.isnan(expected.astype(np.float32))
    bits = f"u{expected.itemsize}"
    np.testing.assert_array_equal(ours.view(bits)[numbers], expected.view(bits)[numbers])
    assert np.isnan(ours.astype(np.float32)[~numbers]).all()


@pytest.mark.parametrize("dtype", sorted({*COMPILED, *DECODABLE, *PLAIN}))
def test_that_values_have_the_bits_of_gguf_and_numpy(dtype):
    blocks = blocks_of(dtype)
    if dtype == "BOOL":
        blocks &= 1
    if dtype in PLAIN and blocks.shape[1] <= 2:
        # Every code there is.
        every = np.arange(1 << 8 * blocks.shape[1], dtype=f"u{blocks.shape[1]}")
        blocks = every.view(np.uint8) if dtype != "BOOL" else blocks
    expected = reference(dtype, blocks)
    ours = np.full(expected.size, 12345, np.float32)
    # An odd address: neither blocks nor requests are aligned.
    stored = memoryview(b"x" + blocks.tobytes())[1:]
    decode_into(stored, dtype, ours)
    assert_same(ours, expected)


@pytest.mark.parametrize("dtype", ["F32", "F16", "F8_E4M3", "Q4_0"])
def test_that_data_of_another_length_is_refused(dtype):
    with pytest.raises(ValueError, match=r"reshape|buffer size"):
        decode_into(memoryview(bytes(18)), dtype, np.zeros(64, np.float32))


@pytest.mark.parametrize("name", [*DTYPE_BITS, *QUANTISED])
def test_that_a_type_has_an_obstacle_exactly_if_it_cannot_be_decoded(name):
    sentence = obstacle([name])
    compiled = name in COMPILED and kernels() is not None
    if compiled or name in PLAIN or name in DECODABLE:
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


_USUAL = {"BF16", "F8_E4M3", "Q4_K", "Q6_K", "Q8_0", "IQ4_XS", "MXFP4"}


@pytest.mark.parametrize(
    "dtype",
    [
        pytest.param(each, marks=[] if each in _USUAL else [pytest.mark.long])
        for each in ("BF16", "F8_E4M3", *DECODABLE)
    ],
)
def test_that_temporaries_stay_small(dtype):
    kind = kind_of(dtype)
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


@pytest.fixture
def without_kernels(monkeypatch):
    decode._decoder.cache_clear()
    monkeypatch.setattr(decode, "kernels", lambda: None)
    yield
    decode._decoder.cache_clear()


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
    assert slow.sentence.endswith("compiled code: IQ2_XS, Q4_K, Q6_K.")
    with pytest.warns(UserWarning, match="pip install numba"):
        model = load_model(samples["gguf"], decode="bfloat16")
    name = next(name for name in model if model.info(name).dtype in PLACES)
    assert model[name].dtype == FLOATS["bfloat16"]


def test_that_types_without_a_kernel_are_told_and_not_to_be_mended_by_installing():
    slow = slow_decoder([*COMPILED, "F32", "IQ2_XS"])
    assert slow.sentence.endswith("compiled code: IQ2_XS.")
    assert "install" not in slow.remedy.lower()


@pytest.mark.parametrize(
    ("config", "processors", "each"),
    [
        (LoadConfig(readers=1), 2, 2),
        (LoadConfig(readers=2), 3, 2),
        (LoadConfig(readers=4), 2, 1),
        (LoadConfig(readers=1), 64, MOST_DECODERS),
        (LoadConfig(readers=2), 64, MOST_DECODERS // 2),
        (LoadConfig(readers=2, reader_kind="process"), 64, MOST_DECODERS),
        (LoadConfig(readers=2, ranks=2), 64, MOST_DECODERS // 2),
        (LoadConfig(readers=16), 64, 1),
    ],
)
def test_that_no_process_has_many_decoders(config, processors, each):
    assert decoders_each(config, processors) == each


@pytest.mark.parametrize(("quota", "processors"), [(0.5, 1), (1.5, 2), (4.0, 4), (100.0, 8)])
def test_that_a_limit_of_a_control_group_counts(monkeypatch, quota, processors):
    limit = CgroupLimit("processors", quota, "cpu.max", "/box")
    monkeypatch.setattr("modelmon.core.machine.cgroup.cgroup_limits", lambda: (limit,))
    monkeypatch.setattr(decoding, "allowed_processors", lambda: 8)
    assert usable_processors() == processors


def resident_mapped_bytes():
    """Mapped pages of files, which count as shared memory where they lie on tmpfs."""
    rss = parse_pid_status_rss(Path("/proc/self/status").read_text())
    return rss.file_bytes + rss.shmem_bytes


@pytest.mark.skipif(not Path("/proc/self/pagemap").exists(), reason="needs /proc")
def test_that_what_was_decoded_of_a_map_leaves_memory(tmp_path):
    path = tmp_path / "hole"
    with path.open("wb") as file:
        file.truncate(64 * MIB)
    units = [Extent(0, start, MIB) for start in range(0, 64 * MIB, MIB)]
    part = TensorValues("F32", 0, MIB, 0, 0, MIB // 4)
    most, before = 0, resident_mapped_bytes()

    def record(*_):
        nonlocal most
        most = max(most, resident_mapped_bytes() - before)

    config = LoadConfig(access="mmap", deliver="decoded", chunk_bytes=MIB)
    reader = ReaderPlan(units, parts=[[part]] * 64)
    share = ProcessPlan(config, [(str(path), 64 * MIB)], [reader], MIB)
    slots = decoding.SPARE_SLOTS + decoders_each(config, usable_processors())
    with Engine(share) as engine:
        engine.run(record)
        assert resident_mapped_bytes() - before < MIB
    assert MIB <= most < (slots + 4) * MIB
