"""Two files of one layout are told apart by a few pages, and looking at these is not seen."""

import pytest

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.model.sample import write_sample
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
