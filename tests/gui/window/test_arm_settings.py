"""What must be the same in both arms, and what cannot be."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import CHOICES, PRESETS, LoadConfig
from modelmon.core.load.rules import conflict_of
from modelmon.gui.session.arm_settings import UNTOUCHED, ArmSettings, default_arms

LIBRARY = LoadConfig(library="gguf.GGUFReader")


def test_that_a_value_beside_which_nothing_works_is_refused_with_the_reason():
    arms = ArmSettings()
    arms.set_axis("A", "access", "direct")
    assert "warm-up" in arms.obstacle("A", "warmup", "read")
    with pytest.raises(ConfigError, match="warm-up"):
        arms.set_axis("A", "warmup", "read")
    assert arms.config("A").warmup == "none"


def test_that_what_the_other_arm_cannot_deliver_is_refused_in_its_name():
    arms = ArmSettings()
    arms.set_strategy("A", LIBRARY)
    reason = arms.obstacle("B", "deliver", "streamed")
    assert reason.startswith("A and B need the same delivery, but A can't use it")
    assert arms.obstacle("B", "deliver", "owned") == ""


def test_that_a_library_that_cannot_stream_makes_both_arms_usable():
    arms = ArmSettings()
    arms.set_axis("B", "deliver", "streamed")
    assert arms.config("A").deliver == "streamed"
    arms.set_strategy("A", LIBRARY)
    assert (arms.config("A").deliver, arms.config("B").deliver) == ("usable", "usable")


def test_that_choosing_a_library_leaves_it_what_it_decides_for():
    arms = ArmSettings()
    arms.set_axis("B", "deliver", "owned")
    arms.set_axis("B", "library", "gguf.GGUFReader")
    assert arms.config("B") == replace(LIBRARY, deliver="owned")
    assert "its own choice" in arms.obstacle("B", "readers", 4)
    arms.set_axis("B", "library", "none")
    assert arms.obstacle("B", "readers", 4) == ""


def test_that_untouched_stays_in_one_arm_and_is_not_compared():
    arms = ArmSettings()
    assert arms.obstacle("A", "deliver", UNTOUCHED)
    arms.set_strategy("A", LIBRARY)
    arms.set_axis("A", "deliver", UNTOUCHED)
    assert arms.config("B").deliver == "usable"
    assert "untouched" in arms.obstacle_to_comparing()
    arms.set_axis("B", "readers", "8")
    assert arms.config("A").deliver == UNTOUCHED
    arms.set_axis("B", "deliver", "owned")
    assert arms.config("A").deliver == "owned"
    assert arms.obstacle_to_comparing() == ""


def test_that_leaving_a_library_leaves_untouched_for_what_the_other_arm_delivers():
    arms = ArmSettings()
    arms.set_strategy("A", LIBRARY)
    arms.set_axis("B", "deliver", "owned")
    arms.set_axis("A", "deliver", UNTOUCHED)
    arms.set_strategy("A", PRESETS["direct"].config)
    assert (arms.config("A").deliver, arms.config("B").deliver) == ("owned", "owned")


def test_that_equal_arms_cannot_be_compared():
    arms = ArmSettings()
    arms.set_config("B", default_arms()["A"])
    assert arms.obstacle_to_comparing().startswith("A and B are the same")


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from("AB"), st.sampled_from(sorted(CHOICES)), st.integers(0, 9)),
            st.tuples(st.sampled_from("AB"), st.just("library"), st.integers(0, 1)),
            st.tuples(st.sampled_from("AB"), st.just("ranks"), st.integers(1, 4)),
            st.tuples(st.sampled_from("AB"), st.just("prefetch_bytes"), st.just(4096)),
            st.tuples(st.sampled_from("AB"), st.just("preset"), st.integers(0, 9)),
        ),
        max_size=20,
    )
)
def test_that_whatever_is_set_both_arms_can_run_and_deliver_the_same(steps):
    arms = ArmSettings()
    for who, axis, at in steps:
        label = "A" if who == "A" else "B"
        if axis == "preset":
            arms.set_strategy(label, [*PRESETS.values()][at % len(PRESETS)].config)
            continue
        choices = CHOICES.get(axis) or {"library": ("none", "gguf.GGUFReader")}.get(axis)
        text = choices[at % len(choices)] if choices else str(at)
        if arms.obstacle(label, axis, int(text) if text.isdecimal() else text):
            with pytest.raises(ConfigError):
                arms.set_axis(label, axis, text)
        else:
            arms.set_axis(label, axis, text)
            assert str(getattr(arms.config(label), axis)) == text
        delivered = {arms.config("A").deliver, arms.config("B").deliver} - {UNTOUCHED}
        assert len(delivered) <= 1
        assert conflict_of(arms.config("A")) is None
        assert conflict_of(arms.config("B")) is None
