"""Names under an axis are short, and no two blocks have the same one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.gui.blocks.block_places import short_names

WORDS = st.sampled_from(["text_encoder", "t", "transformer", "layers", "lay", "0", "1", "out", "7"])
NAMES = st.lists(
    st.lists(WORDS, min_size=1, max_size=4).map(".".join), min_size=1, max_size=30, unique=True
)


@given(names=NAMES)
def test_that_no_two_blocks_have_the_same_short_name(names):
    assert len(set(short_names(names))) == len(names)


@given(names=NAMES)
def test_that_a_block_that_comes_twice_has_one_short_name(names):
    short = short_names(names)
    assert short_names([*names, *names]) == [*short, *short]


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (
            ["text_encoder.layers.0", "transformer_blocks.0", "single_transformer_blocks.0"],
            ["tel0", "tb0", "stb0"],
        ),
        (
            ["text_encoder.0.layers.3", "text_encoder.1.resblocks.3", "input_blocks.3"],
            ["te0l3", "te1r3", "ib3"],
        ),
        (["t.layers.0", "t.lay.0", "t.l.0"], ["t.layers.0", "t.lay.0", "t.l.0"]),
        (["visual.embeddings", "visual.output", "output"], ["vis.emb", "vis.out", "out"]),
        (["embeddings", "layers.0", "layers.11", "output"], ["emb", "0", "11", "out"]),
    ],
)
def test_that_names_are_as_short_as_tells_them_apart(names, short):
    assert short_names(names) == short
