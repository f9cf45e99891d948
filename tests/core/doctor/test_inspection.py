"""A model before it is loaded: which it is, what a server says of it, whether it fits."""

import msgspec
import pytest

from modelmon.core.doctor import inspection as elsewhere
from modelmon.core.doctor.diagnosis import fits
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.errors import ModelFileError
from modelmon.core.machine.memory import Memory
from modelmon.core.model.sample import write_sample
from modelmon.core.remote import Place
from modelmon.core.units import MIB


@pytest.mark.parametrize("form", ["safetensors", "sharded", "gguf"])
def test_that_a_copy_is_the_same_and_another_seed_another(tmp_path, form):
    made = [
        inspect_model(write_sample(tmp_path / name, form, 8 * MIB, 3, seed)).fingerprint
        for name, seed in ((f"a.{form}", 1), (f"b.{form}", 1), (f"c.{form}", 2))
    ]
    assert {each.digest for each in made} == {made[0].digest}
    assert made[0].content == made[1].content != made[2].content
    assert made[0].content


@pytest.mark.parametrize("kind", ["q_proj", "down_proj"])
def test_that_fine_tuning_of_one_kind_of_weights_is_seen(own_copy, kind):
    before = inspect_model(own_copy)
    with own_copy.open("r+b") as file:
        for tensor in before.model.tensors:
            if kind in tensor.name:
                file.seek(tensor.offset_bytes)
                file.write(bytes(tensor.nbytes))
    after = inspect_model(own_copy)
    assert after.fingerprint.digest == before.fingerprint.digest
    assert after.content != before.content


change = msgspec.structs.replace


@pytest.mark.parametrize("wrong", [{"bucket_bytes": 0}, {"page_bytes": 0}, {"files": ()}])
def test_that_a_map_of_the_page_cache_that_cannot_be_is_refused(sample, wrong):
    place = Place(str(sample), "ssh://gpu")
    said = inspect_model(sample)
    assert elsewhere.from_server(said, place).server == place.server
    assert said.cache_map is not None
    told = change(said, cache_map=change(said.cache_map, **wrong))
    with pytest.raises(ModelFileError, match="can't be right"):
        elsewhere.from_server(told, place)


GB = 10**9


def by_delivery(model_bytes, parameters, memory, kind="local-disk"):
    return {fit.delivery: fit for fit in fits(model_bytes, parameters, memory, kind)}


def test_that_each_delivery_is_judged_by_what_it_needs():
    # 4 bits a value: decoded it takes eight times as much.
    found = by_delivery(4 * GB, 8 * GB, Memory(32 * GB, 30 * GB))
    assert found["mapped"].answer == found["owned"].answer == "fits"
    assert found["decoded"].answer == "does-not-fit"
    assert found["decoded"].needed_bytes == 32 * GB
    assert "no swap" in found["decoded"].sentence


def test_that_less_than_one_and_a_half_times_the_model_is_tight():
    memory = Memory(16 * GB, 15 * GB)
    assert by_delivery(10 * GB, None, memory)["owned"].answer == "fits"
    tight = by_delivery(10 * GB + 1, None, memory)["owned"]
    assert tight.answer == "tight"
    assert "less than the usual 1.5×" in tight.sentence
    assert by_delivery(15 * GB + 1, None, memory)["owned"].answer == "does-not-fit"


def test_that_the_cgroups_limit_counts_and_is_named():
    memory = Memory(64 * GB, 60 * GB, cgroup_limit_bytes=8 * GB, cgroup_used_bytes=1 * GB)
    found = by_delivery(8 * GB, None, memory)["mapped"]
    assert (found.answer, found.limited_by, found.usable_bytes) == (
        "does-not-fit",
        "cgroup",
        7 * GB,
    )
    assert "8 GB of 7 GB under the cgroup's limit" in found.sentence
    assert "dropped and reread" in found.sentence


def test_that_swap_is_named_but_not_counted():
    memory = Memory(16 * GB, 10 * GB, swap_total_bytes=8 * GB, swap_used_bytes=2 * GB)
    held = by_delivery(12 * GB, None, memory)["owned"]
    assert held.answer == "does-not-fit"
    assert "2 GB would go to swap" in held.sentence
    beyond = by_delivery(20 * GB, None, memory)["owned"]
    assert "swap (6 GB free) is too small" in beyond.sentence


def test_that_decoding_is_left_out_where_the_values_are_not_counted():
    assert set(by_delivery(GB, None, Memory(GB, GB))) == {"mapped", "owned"}


def test_that_only_a_copy_of_what_is_in_memory_takes_more_of_it():
    found = by_delivery(10 * GB, None, Memory(64 * GB, 6 * GB), "memory")
    assert {name: fit.answer for name, fit in found.items()} == {"owned": "does-not-fit"}
