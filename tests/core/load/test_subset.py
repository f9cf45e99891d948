"""Subsets: what is wanted of a model, byte for byte."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.core.load.models_made import llama, model_of

from modelmon.core.errors import ConfigError
from modelmon.core.load.extents import Extent
from modelmon.core.load.subset import WHOLE, Subset, pieces_of, subset_from_dict
from modelmon.core.model.tensors import Model, Tensor


def names_of(model: Model, subset: Subset) -> list[str]:
    return [model.tensors[piece.tensor].name for piece in pieces_of(model, subset)]


def test_that_the_whole_model_is_every_tensor_in_order() -> None:
    model = llama()
    pieces = pieces_of(model, WHOLE)
    assert [list(piece.extents()) for piece in pieces] == [
        [Extent(t.shard, t.offset_bytes, t.nbytes)] for t in model.tensors
    ]
    assert [piece.tensor for piece in pieces] == list(range(len(model.tensors)))


def test_that_tensors_are_chosen_by_name_or_glob_with_case() -> None:
    model = llama()
    chosen = names_of(model, Subset(tensors=("lm_head.weight", "*.0.self_attn.[qk]_proj.*")))
    assert chosen == [
        "lm_head.weight",
        "model.layers.0.self_attn.q_proj.weight",
        "model.layers.0.self_attn.k_proj.weight",
    ]
    with pytest.raises(ConfigError):
        pieces_of(model, Subset(tensors=("LM_HEAD*",)))


def test_that_a_range_of_blocks_counts_by_number() -> None:
    model = llama()
    chosen = names_of(model, Subset(blocks=("layers.9-10",)))
    assert {name.split(".")[2] for name in chosen} == {"9", "10"}
    assert len(chosen) == 8
    assert names_of(model, Subset(blocks=("l*.9-10",))) == chosen


def test_that_tensors_and_blocks_add_up_and_nothing_is_twice() -> None:
    model = llama()
    chosen = names_of(model, Subset(tensors=("*q_proj*",), blocks=("layers.0", "output")))
    assert len(chosen) == len(set(chosen)) == 11 + 4 + 2


def test_that_a_name_with_brackets_names_itself() -> None:
    model = model_of([Tensor(name, "U8", (4,), 0, 0, 4) for name in ("a[0]", "a0")])
    assert names_of(model, Subset(tensors=("a[0]",))) == ["a[0]"]


@pytest.mark.parametrize(
    ("subset", "pattern", "nearest"),
    [
        (Subset(tensors=("lm_heads.weight",)), "lm_heads.weight", "lm_head.weight"),
        (Subset(tensors=("lm_head.weight", "zzz*")), "zzz*", "for example"),
        (Subset(blocks=("layer.3",)), "layer.3", "layers.3"),
        (Subset(blocks=("layers.12-40",)), "layers.12-40", "layers.1"),
    ],
)
def test_that_a_pattern_without_a_match_is_answered_with_the_nearest(
    subset: Subset, pattern: str, nearest: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        pieces_of(llama(), subset)
    assert repr(pattern) in caught.value.message
    assert nearest in caught.value.remedy


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"rank": 4, "ranks": 4}, "0 to 3"),
        ({"rank": -1}, "0 to 0"),
        ({"ranks": 0}, "from 1"),
        ({"ranks": 10_000}, "from 1"),
        ({"ranks": "4"}, "from 1"),
        ({"tensors": "lm_head*"}, "name patterns"),
        ({"blocks": [1]}, "name patterns"),
        ({"blocks": [""]}, "all names"),
        ({"layers": []}, "tensors, blocks, rank, ranks"),
    ],
)
def test_that_an_impossible_subset_is_refused_with_the_remedy(
    values: dict[str, Any], text: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        subset_from_dict(values)
    assert text in caught.value.remedy


@pytest.mark.parametrize(
    "subset", [WHOLE, Subset(tensors=("a*",)), Subset(blocks=("b", "c"), rank=1, ranks=3)]
)
def test_that_a_subset_survives_storage(subset: Subset) -> None:
    stored = msgspec.json.decode(msgspec.json.encode(subset.as_dict()))
    assert subset_from_dict(stored) == subset
    assert msgspec.json.decode(msgspec.json.encode(subset), type=Subset) == subset
    assert subset.is_whole == (subset == WHOLE) == (subset.text == "")
