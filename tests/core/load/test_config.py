from typing import get_args, get_type_hints

import pytest

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import (
    AXES,
    CHOICES,
    PRESETS,
    LoadConfig,
    config_from_dict,
    preset,
    preset_name,
    with_axis,
)


@pytest.mark.parametrize("name", PRESETS)
def test_that_a_preset_survives_being_stored(name):
    config = preset(name).config
    assert config_from_dict(config.as_dict()) == config
    assert preset_name(config) == name


def test_that_every_axis_of_words_is_checked():
    hints = get_type_hints(LoadConfig)
    assert {axis: get_args(hint) for axis, hint in hints.items() if get_args(hint)} == CHOICES


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
