import msgspec
import pytest

from modelmon.core.model.open import open_model
from modelmon.core.model.tensors import Block, is_sound

change = msgspec.structs.replace


@pytest.fixture(params=["safetensors", "sharded", "gguf"])
def model(request, samples):
    return open_model(samples[request.param])


def test_that_what_was_read_from_files_is_sound(model):
    assert is_sound(model)


@pytest.mark.parametrize(
    "wrong",
    [
        {"shard": 99},
        {"shard": -1},
        {"offset_bytes": -1},
        {"offset_bytes": 2**60},
        {"nbytes": 10**30},
        {"nbytes": -1},
        {"shape": (10**30,)},
        {"shape": (1,) * 1000},
    ],
)
def test_that_a_tensor_that_cannot_be_makes_none(model, wrong):
    first, *others = model.tensors
    assert not is_sound(change(model, tensors=(change(first, **wrong), *others)))


@pytest.mark.parametrize("members", [(), (0, 0), (10**9,), (-1,)])
def test_that_each_tensor_is_in_one_block(model, members):
    assert not is_sound(change(model, blocks=(Block("all", members, 0),)))
    assert not is_sound(change(model, shards=()))
