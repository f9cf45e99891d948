"""Headers from strangers: any bytes give a Model or a ModelFileError, and no huge allocation."""

import json
import re
import struct
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import SafetensorError, deserialize

from modelmon.core.errors import ModelFileError
from modelmon.core.model.header import HeaderFile
from modelmon.core.model.open import open_model
from modelmon.core.model.safetensors import DTYPE_BITS, read_safetensors

# Far above what a file of a few kB needs, far below what a forged length asks for.
MOST_ALLOCATED_BYTES = 20_000_000
# What a person may read in a window, whatever length the file's own words have.
MOST_MESSAGE_CHARACTERS = 10_000


def safetensors_file(header, data):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def text(value):
    return struct.pack("<Q", len(value)) + value.encode()


def gguf_file():
    """Every kind of field once, two tensors."""
    pairs = [
        text("general.architecture") + struct.pack("<I", 8) + text("llama"),
        text("general.alignment") + struct.pack("<II", 4, 32),
        text("tokens") + struct.pack("<IIQ", 9, 8, 3) + text("a") + text("") + text("bcd"),
        text("scores") + struct.pack("<IIQ3f", 9, 6, 3, 0.0, 1.0, 2.0),
        text("flag") + struct.pack("<IB", 7, 1),
        text("eps") + struct.pack("<If", 6, 1e-5),
    ]
    infos = [
        text("blk.0.w") + struct.pack("<I2QIQ", 2, 256, 2, 12, 0),
        text("output_norm.weight") + struct.pack("<IQIQ", 1, 64, 0, 288),
    ]
    header = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(pairs)) + b"".join(pairs + infos)
    return header + bytes(-len(header) % 32) + bytes(288 + 256)


VALID = {
    "gguf": gguf_file(),
    "safetensors": safetensors_file(
        {
            "__metadata__": {"format": "pt"},
            "model.layers.0.w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
            "model.layers.1.w": {"dtype": "BF16", "shape": [4], "data_offsets": [24, 32]},
            "lm_head.weight": {"dtype": "F4", "shape": [2], "data_offsets": [32, 33]},
        },
        bytes(33),
    ),
}


def opened(path, content):
    """The model in a file of `content`, None if it is refused; bounds memory and places."""
    path.write_bytes(content)
    model, message = None, ""
    tracemalloc.start()
    try:
        model = open_model(path)
    except ModelFileError as error:
        message = str(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < MOST_ALLOCATED_BYTES
    assert len(message) < MOST_MESSAGE_CHARACTERS
    if model is None:
        return None
    end = 0
    for tensor in model.tensors:
        assert tensor.nbytes == 0 or tensor.offset_bytes >= end
        end = max(end, tensor.offset_bytes + tensor.nbytes)
        assert tensor.offset_bytes >= model.shards[0].data_start_bytes
    assert end <= len(content)
    # Python prints no longer numbers, and numpy makes no larger arrays.
    assert len(str(model.parameter_count)) < 25
    members = sorted(index for block in model.blocks for index in block.tensors)
    assert members == list(range(len(model.tensors)))
    return model


@pytest.mark.parametrize("form", VALID)
def test_that_the_files_to_be_damaged_are_right(tmp_path, form):
    assert opened(tmp_path / "model", VALID[form]) is not None


@given(
    start=st.sampled_from([b"", b"GGUF", b"GGUF\x03\0\0\0", b"\x20\0\0\0\0\0\0\0{"]),
    rest=st.binary(max_size=200),
)
def test_that_random_bytes_are_a_model_or_an_error(tmp_path, start, rest):
    opened(tmp_path / "model", start + rest)


@pytest.mark.parametrize("form", VALID)
@given(data=st.data())
def test_that_a_damaged_header_is_a_model_or_an_error(tmp_path, form, data):
    content = bytearray(VALID[form])
    for _ in range(data.draw(st.integers(1, 4), label="changes")):
        at = data.draw(st.integers(0, len(content) - 1), label="at")
        new = data.draw(
            st.one_of(
                st.binary(max_size=9),
                st.integers(0, 2**64 - 1).map(lambda value: struct.pack("<Q", value)),
                st.integers(0, 2**32 - 1).map(lambda value: struct.pack("<I", value)),
            ),
            label="new",
        )
        replaced = data.draw(st.sampled_from([0, len(new), 1, 8, 200]), label="replaced")
        content[at : at + replaced] = new
        content = content or bytearray(b"\0")
    opened(tmp_path / "model", bytes(content))


NUMBERS = re.compile(rb"-?[0-9]+")
MOST_REPEATED_BYTES = 100_000
FORGED_NUMBERS = [b"0", b"-1", b"1e400", b"0.5", b"9223372036854775807", b"9" * 20, b"9" * 5000]


@given(data=st.data())
def test_that_forged_and_repeated_numbers_are_a_model_or_an_error(tmp_path, data):
    content = VALID["safetensors"]
    (length,) = struct.unpack_from("<Q", content)
    header, values = content[8 : 8 + length], content[8 + length :]
    for _ in range(data.draw(st.integers(1, 3), label="changes")):
        start, end = data.draw(
            st.sampled_from([found.span() for found in NUMBERS.finditer(header)]), label="at"
        )
        number = data.draw(st.sampled_from([header[start:end], *FORGED_NUMBERS]), label="number")
        times = data.draw(st.sampled_from([1, 2, 33, 1000, 20_000]), label="times")
        most = MOST_REPEATED_BYTES // len(number)
        header = header[:start] + b",".join([number] * min(times, most)) + header[end:]
    opened(tmp_path / "model", struct.pack("<Q", len(header)) + header + values)


@pytest.mark.parametrize(
    "shape",
    [[1] * 120_000, [2**62] * 120_000, [2**62] * 300, [0] + [2**62] * 20, [2**60, 0]],
    ids=["many ones", "many huge", "more digits than Python prints", "empty and huge", "empty"],
)
def test_that_a_shape_that_no_array_can_have_is_refused(tmp_path, shape):
    header = {"w": {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}}
    assert opened(tmp_path / "model", safetensors_file(header, b"")) is None


@pytest.mark.parametrize("form", VALID)
def test_that_a_name_that_takes_seconds_to_understand_is_refused(tmp_path, form):
    name = "projector" * 7000
    content = {
        "gguf": b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text(name) + bytes(100),
        "safetensors": safetensors_file(
            {name: {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}, b"\0"
        ),
    }
    assert opened(tmp_path / "model", content[form]) is None


def test_that_an_empty_tensor_is_taken(tmp_path):
    header = {"w": {"dtype": "F32", "shape": [0, 128256, 2**20], "data_offsets": [0, 0]}}
    assert opened(tmp_path / "model", safetensors_file(header, b"")) is not None


@st.composite
def layouts(draw):
    """A header whose tensors mostly lie one after the other, and bytes of data."""
    header = {}
    end = 0
    for name in draw(st.lists(st.text(max_size=3), unique=True, max_size=5)):
        dtype = draw(st.sampled_from(list(DTYPE_BITS)))
        shape = draw(st.lists(st.integers(0, 4), max_size=3))
        values = 1
        for extent in shape:
            values *= extent
        start = end + draw(st.sampled_from([0] * 12 + [1, -1]))
        end = start + values * DTYPE_BITS[dtype] // 8 + draw(st.sampled_from([0] * 12 + [1]))
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}
    return header, max(0, end + draw(st.sampled_from([0] * 12 + [1, -1])))


@given(layout=layouts())
def test_that_we_accept_what_the_official_library_accepts(tmp_path, layout):
    header, nbytes = layout
    content = safetensors_file(header, bytes(range(nbytes % 256)) + bytes(nbytes - nbytes % 256))
    path = tmp_path / "model"
    path.write_bytes(content)
    try:
        official = {name: (t["dtype"], t["shape"], t["data"]) for name, t in deserialize(content)}
    except SafetensorError:
        official = None
    try:
        with HeaderFile(path) as file:
            ours = {
                t.name: (
                    t.dtype,
                    list(t.shape),
                    content[t.offset_bytes : t.offset_bytes + t.nbytes],
                )
                for t in read_safetensors(file).tensors
            }
    except ModelFileError:
        ours = None
    assert ours == official


ODD_VALUES = st.sampled_from(
    (
        *("null", "0", "1.0", "-1", "true", '"U8"', '"F4"', "[4]", "[0,4]", "[4,8]", "[]", "{}"),
        *("[18446744073709551616]", '{"a":"b"}', '{"a":1}', '{"dtype":"a","dtype":"b"}'),
    )
)
ODD_NAMES = st.sampled_from(
    ["dtype", "shape", "data_offsets", "__metadata__", "a", "b", "", "extra", "d\\u0074ype"]
)


@st.composite
def odd_headers(draw):
    """Two tensors and metadata, with fields and entries that are added, doubled or replaced."""
    objects = [
        [("dtype", '"U8"'), ("shape", "[4]"), ("data_offsets", f"[{at},{at + 4}]")] for at in (0, 4)
    ]
    header = [("__metadata__", '{"k":"v"}'), ("a", "0"), ("b", "0")]
    for _ in range(draw(st.integers(0, 3))):
        pairs = draw(st.sampled_from([header, *objects]))
        at = draw(st.integers(0, len(pairs)))
        odd = draw(st.tuples(ODD_NAMES, ODD_VALUES) | st.sampled_from(pairs))
        pairs[at : at + draw(st.booleans())] = [odd]

    def written(pairs):
        return "{" + ",".join(f'"{name}":{value}' for name, value in pairs) + "}"

    made = iter(objects)
    filled = [
        (name, written(next(made, objects[0])) if value == "0" and name in "ab" else value)
        for name, value in header
    ]
    return written(filled).encode()


@given(header=odd_headers())
def test_that_odd_headers_have_the_librarys_verdict(tmp_path_factory, header):
    content = struct.pack("<Q", len(header)) + header + bytes(8)
    try:
        theirs = sorted(name for name, _ in deserialize(content))
    except SafetensorError:
        theirs = None
    path = tmp_path_factory.getbasetemp() / "odd.safetensors"
    path.write_bytes(content)
    with HeaderFile(path) as file:
        try:
            ours = sorted(tensor.name for tensor in read_safetensors(file).tensors)
        except ModelFileError:
            ours = None
    assert ours == theirs
