import msgspec
import numpy as np
import pytest
from tests.core.load import stored_files
from tests.core.probe.probes import probe_of, reads

from modelmon.core.doctor.decoding import MEASURED_TYPES, decode_rates, decoded_as
from modelmon.core.model.open import open_model
from modelmon.core.model.tensors import Tensor
from modelmon.core.probe.probe import DecodeRate, StorageFigures

GB = 10**9


@pytest.fixture
def model(samples):
    return open_model(samples["gguf"])


@pytest.fixture
def probe():
    """A disk that gives 1 GB/s to one reader."""
    return probe_of(StorageFigures("direct", sequential=reads(1, GB)))


def rate(dtype, bytes_per_s):
    return DecodeRate(dtype, "compiled", 2, bytes_per_s, bytes_per_s / 2, bytes_per_s * 2)


def test_that_a_model_has_the_size_its_type_gives_it(model):
    rows = 512
    tensors = (
        Tensor("norm.weight", "F32", (256,), 0, 0, 1024),
        Tensor("odd.weight", "F32", (8, 100), 0, 1024, 3200),
        Tensor("mlp.weight", "Q4_K", (rows, 256), 0, 4224, rows * 144),
    )
    small = msgspec.structs.replace(model, tensors=tensors)
    found = decoded_as(small, [rate(dtype, GB) for dtype in ("Q4_K", "F16", "Q8_0")], None)
    kept = 1024 + 3200
    assert [(one.dtype, one.model_bytes) for one in found] == [
        ("", kept + rows * 144),
        ("F16", 1024 + 8 * 100 * 2 + rows * 512),
        ("Q8_0", kept + rows * 272),
        ("Q4_K", kept + rows * 144),
    ]
    assert all(one.least_ns is None for one in found)
    # 1 GB/s: a byte takes a nanosecond.
    assert found[-1].decode_ns == rows * 144


def test_that_rows_that_do_not_divide_become_what_llama_cpp_makes_of_them(model):
    tensors = (
        Tensor("wide.weight", "BF16", (4, 256), 0, 0, 2048),
        Tensor("odd.weight", "BF16", (4, 96), 0, 2048, 768),
    )
    small = msgspec.structs.replace(model, tensors=tensors)
    rates = [rate("Q4_K", GB), rate("Q5_0", GB / 10), rate("BF16", GB)]
    found = {one.dtype: one for one in decoded_as(small, rates, None)}
    wide_bytes, odd_bytes = 4 * 144, 4 * 96 // 32 * 22
    assert found["Q4_K"].model_bytes == wide_bytes + odd_bytes
    assert found["Q4_K"].decode_ns == wide_bytes + 10 * odd_bytes
    assert found[""].decode_ns == found[""].model_bytes == 2048 + 768
    narrow = msgspec.structs.replace(model, tensors=tensors[1:])
    assert {one.dtype for one in decoded_as(narrow, rates, None)} == {"", "Q5_0", "BF16"}


def test_that_a_model_that_stays_as_stored_has_no_size_as_another_type(tmp_path):
    codes = {"a.qweight": np.ones((8, 64), np.int32)}
    path = stored_files.write(tmp_path / "m.safetensors", codes)
    assert decoded_as(open_model(path), [rate("Q8_0", GB)], None) == ()


def test_that_a_cold_load_takes_between_the_longer_of_both_and_their_sum(model, probe):
    for each in decoded_as(model, [rate("Q8_0", GB / 100), rate("Q4_0", GB * 1000)], probe):
        read_ns = each.model_bytes
        assert each.least_ns == pytest.approx(max(read_ns, each.decode_ns / 2))
        assert each.most_ns == pytest.approx(read_ns + 2 * each.decode_ns)


def test_that_each_type_is_measured_in_its_turn(monkeypatch):
    monkeypatch.setattr("modelmon.core.doctor.decoding._ROUNDS", 3)
    found = decode_rates(("Q4_K", "BF16", "Q4_K", "F4"), 2)
    assert [one.dtype for one in found] == ["Q4_K", "BF16"]
    for one in found:
        assert one.threads == 2
        assert 0 < one.low_bytes_per_s <= one.bytes_per_s <= one.high_bytes_per_s
    assert len(set(MEASURED_TYPES)) == len(MEASURED_TYPES)
