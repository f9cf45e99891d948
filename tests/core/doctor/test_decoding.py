from modelmon.core.doctor.decoding import MEASURED_TYPES, decode_rates


def test_that_each_type_is_measured_in_its_turn(monkeypatch):
    monkeypatch.setattr("modelmon.core.doctor.decoding._ROUNDS", 3)
    found = decode_rates(("Q4_K", "BF16", "Q4_K", "F4"), 2)
    assert [one.dtype for one in found] == ["Q4_K", "BF16"]
    for one in found:
        assert one.threads == 2
        assert 0 < one.low_bytes_per_s <= one.bytes_per_s <= one.high_bytes_per_s
    assert len(set(MEASURED_TYPES)) == len(MEASURED_TYPES)
