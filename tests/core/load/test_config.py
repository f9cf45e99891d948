"""Settings: which exist, which go together, and what they are called."""

import sys
from dataclasses import replace
from typing import get_args, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import (
    AXES,
    CHOICES,
    CUSTOM,
    PRESETS,
    LoadConfig,
    config_from_dict,
    preset,
    preset_name,
    with_axis,
)
from modelmon.core.load.rules import check_possible, conflict_of, nearest_possible, obstacle
from modelmon.core.load.strategies import strategy_text
from modelmon.core.units import MIB


@pytest.mark.parametrize("name", PRESETS)
def test_that_a_preset_survives_being_stored(name):
    config = preset(name).config
    assert config_from_dict(config.as_dict()) == config
    assert preset_name(config) == name


def test_that_every_axis_of_words_is_checked():
    hints = get_type_hints(LoadConfig)
    earlier = {"warmup": (*CHOICES["warmup"], "readahead", "willneed")}
    found = {axis: get_args(hint) for axis, hint in hints.items() if get_args(hint)}
    assert found == CHOICES | earlier


@pytest.mark.parametrize("name", ["readahead", "willneed"])
def test_that_warm_ups_of_earlier_versions_are_opened_as_reads(name):
    assert config_from_dict({"warmup": name}) == LoadConfig(warmup="read")
    stored = msgspec.json.encode({"warmup": name})
    assert msgspec.json.decode(stored, type=LoadConfig) == LoadConfig(warmup="read")


def test_that_shared_fd_and_processes_differ_in_the_descriptor_alone():
    assert PRESETS["shared-fd"].config.differs_from(PRESETS["processes"].config) == ("descriptor",)


@pytest.mark.parametrize(
    ("axis", "text", "part_of_message"),
    [
        ("access", "magic", "mmap"),
        ("readers", "0", "1 to 64"),
        ("readers", "many", "whole number"),
        ("chunk_bytes", "100", "4 KiB"),
        ("chunk_bytes", "5000", "multiple of 4096"),
        ("chunk_bytes", "large", "512MiB"),
        ("colour", "red", "Settings"),
    ],
)
def test_that_an_impossible_axis_is_refused_with_what_is_possible(axis, text, part_of_message):
    with pytest.raises(ConfigError, match=part_of_message):
        with_axis(LoadConfig(), axis, text)


@pytest.mark.parametrize(
    "values", [{"readers": "4"}, {"readers": 2.5}, {"chunk_bytes": None}, {"library": 3}]
)
def test_that_a_value_of_another_type_is_refused_with_what_is_possible(values):
    with pytest.raises(ConfigError, match=f"{next(iter(values))} can't be .*Write a"):
        LoadConfig(**values)


def test_that_axes_can_be_set_from_text():
    config = with_axis(with_axis(LoadConfig(), "chunk_bytes", "1MiB"), "readers", "8")
    assert (config.chunk_bytes, config.readers) == (1024 * 1024, 8)


def test_that_unknown_or_mistyped_stored_axes_are_refused():
    with pytest.raises(ConfigError, match="warp"):
        config_from_dict({"warp": 9})
    with pytest.raises(ConfigError, match="readers"):
        config_from_dict({"readers": "4"})
    with pytest.raises(ConfigError, match="readers"):
        config_from_dict({"readers": True})


def test_that_an_unknown_strategy_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match="warm-then-map"):
        preset("teleport")


def test_that_the_in_process_equivalent_changes_nothing_but_the_kind_of_reader():
    config = PRESETS["shared-fd"].config
    assert config.in_process.differs_from(config) == ("reader_kind",)


def test_that_every_axis_is_documented():
    for axis in AXES:
        assert axis in (LoadConfig.__doc__ or "")


PLATFORMS = ("linux", "darwin", "win32")
_NUMBERS = {
    "readers": st.sampled_from([1, 4]),
    "ranks": st.sampled_from([1, 3]),
    "chunk_bytes": st.sampled_from([4096, MIB]),
    "prefetch_bytes": st.sampled_from([0, 1, 64 * MIB]),
    "library": st.sampled_from(["none", "gguf.GGUFReader"]),
}


def _config(values):
    return LoadConfig(**values)


CONFIGS = st.fixed_dictionaries(
    {axis: _NUMBERS[axis] if axis in _NUMBERS else st.sampled_from(CHOICES[axis]) for axis in AXES}
).map(_config)


@given(CONFIGS, st.sampled_from(PLATFORMS))
def test_that_the_nearest_is_possible_and_reached_in_few_steps(config, platform):
    steps = 0
    while (found := conflict_of(config, platform)) is not None:
        assert found.reason.endswith(".")
        assert found.nearest != config
        config = found.nearest
        steps += 1
        assert steps <= len(AXES)


@given(CONFIGS, st.sampled_from(PLATFORMS))
def test_that_what_is_possible_is_left_alone_and_what_is_not_keeps_its_name(config, platform):
    near = nearest_possible(config, platform)
    assert conflict_of(near, platform) is None
    assert nearest_possible(near, platform) == near
    # What somebody wants to know is never changed: which library, which order.
    kept = ("library", "order")
    assert all(getattr(near, axis) == getattr(config, axis) for axis in kept)
    if conflict_of(config, platform) is None:
        assert near == config


@given(CONFIGS)
def test_that_a_refusal_gives_the_reason_and_each_change_of_the_nearest(config):
    found = conflict_of(config)
    if found is None:
        check_possible(config)
        return
    with pytest.raises(ConfigError) as refusal:
        check_possible(config)
    assert refusal.value.message == found.reason
    near = nearest_possible(config)
    for axis in config.differs_from(near):
        assert f"{axis}={getattr(near, axis)}" in refusal.value.remedy


@pytest.mark.parametrize("name", PRESETS)
def test_that_each_preset_is_possible_on_linux_and_elsewhere_or_refused_with_the_platform(name):
    config = PRESETS[name].config
    assert conflict_of(config, "linux") is None
    for platform, words in (("darwin", ("Linux",)), ("win32", ("Linux", "Windows"))):
        found = conflict_of(config, platform)
        assert found is None or any(word in found.reason for word in words)


@pytest.mark.parametrize(
    ("changes", "words", "nearest"),
    [
        ({"deliver": "untouched"}, "Only a library", {"deliver": "usable"}),
        (
            {"library": "gguf.GGUFReader", "deliver": "decoded"},
            "nothing decodes them",
            {"deliver": "usable"},
        ),
        (
            {"library": "gguf.GGUFReader", "readers": 4},
            "own choice: readers",
            {"readers": 1},
        ),
        (
            {"access": "direct", "descriptor": "shared"},
            "a descriptor per reader",
            {"descriptor": "own"},
        ),
        ({"access": "auto", "prefetch_bytes": MIB}, "page cache", {"prefetch_bytes": 0}),
        ({"access": "direct", "advice": "random"}, "no readahead", {"advice": "normal"}),
        ({"access": "direct", "warmup": "read"}, "no effect", {"warmup": "none"}),
        ({"access": "auto", "warmup": "populate"}, "access auto has none", {"warmup": "read"}),
        (
            {"access": "mmap", "warmup": "populate", "ranks": 2},
            "one process",
            {"warmup": "read"},
        ),
        ({"prefetch_bytes": MIB}, "smaller than one request", {"prefetch_bytes": 4 * MIB}),
        (
            {"prefetch_bytes": 8 * MIB, "deliver": "decoded"},
            "already reads ahead",
            {"prefetch_bytes": 0},
        ),
        ({"ranks": 2, "reader_kind": "process"}, "a process already", {"reader_kind": "thread"}),
        ({"access": "mmap", "huge_pages": "off"}, "page cache's own", {"huge_pages": "on"}),
        (
            {"library": "gguf.GGUFReader", "deliver": "owned", "huge_pages": "off"},
            "own choice: huge_pages",
            {"huge_pages": "on"},
        ),
        ({"rank_share": "slice"}, "more than one rank", {"rank_share": "whole"}),
        (
            {"ranks": 2, "rank_share": "slice", "deliver": "decoded"},
            "rows are decoded whole",
            {"deliver": "streamed"},
        ),
    ],
)
def test_that_a_conflict_is_solved_by_one_change(changes, words, nearest):
    config = replace(LoadConfig(), **changes)
    found = conflict_of(config, "linux")
    assert words in found.reason
    assert found.nearest == replace(config, **nearest)


def test_that_an_unknown_library_is_named_before_its_axes_are_looked_at():
    with pytest.raises(ConfigError, match="no library strategy called 'zzz'"):
        check_possible(LoadConfig(access="mmap", readers=4, library="zzz"))


def test_that_private_memory_of_any_access_may_do_without_huge_pages():
    for deliver in ("owned", "streamed", "decoded"):
        config = LoadConfig(access="mmap", deliver=deliver, huge_pages="off")
        assert conflict_of(config) is None


def test_that_what_a_platform_lacks_is_refused_with_its_name():
    shared = LoadConfig(descriptor="shared")
    direct = LoadConfig(access="direct")
    populate = LoadConfig(access="mmap", warmup="populate")
    assert "Windows" in getattr(conflict_of(shared, "win32"), "reason", "")
    assert "Windows" in getattr(conflict_of(direct, "win32"), "reason", "")
    assert conflict_of(direct, "darwin") is None
    assert "Linux" in getattr(conflict_of(populate, "darwin"), "reason", "")


@pytest.mark.skipif(sys.platform != "linux", reason="asks for what Linux has")
def test_that_an_obstacle_to_one_value_is_told_before_it_is_chosen():
    assert obstacle(LoadConfig(), "access", "direct") == ""
    assert "no effect" in obstacle(LoadConfig(warmup="read"), "access", "direct")


AUTO, PARALLEL = preset("auto").config, preset("parallel").config


@pytest.mark.parametrize(
    ("name", "config", "text"),
    [
        ("auto", AUTO, "auto"),
        ("auto", replace(AUTO, deliver="decoded"), "auto (decoded)"),
        ("parallel", replace(PARALLEL, readers=8), "parallel (readers 8)"),
        (CUSTOM, replace(PARALLEL, readers=8), "parallel (readers 8)"),
        (CUSTOM, replace(PARALLEL, chunk_bytes=2**23), "parallel (chunk 8 MiB)"),
        ("mine", replace(PARALLEL, readers=8), "mine"),
        ("mine", replace(PARALLEL, deliver="owned"), "mine (owned)"),
        ("gguf.GGUFReader", LoadConfig(library="gguf.GGUFReader"), "gguf.GGUFReader"),
        (CUSTOM, LoadConfig(library="x", order="random"), "x (order random)"),
        ("cat", LoadConfig(library="program"), "cat"),
    ],
)
def test_that_a_name_says_what_is_not_the_default(name, config, text):
    assert strategy_text(name, config) == text
