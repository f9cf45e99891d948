"""What cannot be loaded or written is refused in Chinese, with the reason and what to do."""

import itertools
import json
import re
import struct

import pytest
from tests.core.model import test_gguf as gguf_headers
from tests.core.model import test_safetensors as safetensors_headers
from tests.gui.chinese import english_in, in_chinese

from modelmon.core.errors import ConfigError, ModelFileError
from modelmon.core.export.atomic import WriteError, check_target
from modelmon.core.load.config import CHOICES, LoadConfig, with_axis
from modelmon.core.load.rules import check_possible, conflict_of, nearest_possible
from modelmon.core.load.strategies import strategies
from modelmon.core.model.open import open_model
from modelmon.core.units import MIB

_COMMANDS = re.compile("pip install [a-z -]+|git lfs pull")


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_that_every_refusal_of_two_axes_is_translated(platform):
    settings = {axis: set(values) for axis, values in CHOICES.items()}
    settings |= {"readers": {4}, "ranks": {2}, "prefetch_bytes": {MIB}}
    settings |= {"library": {"safetensors.get_tensor"}}
    pairs = itertools.combinations(((a, v) for a in settings for v in settings[a]), 2)
    configs = [_with(pair) for pair in pairs if pair[0][0] != pair[1][0]]
    found = {one.reason for config in configs if (one := conflict_of(config, platform))}
    assert len(found) > 10
    assert not [reason for reason in found if english_in(reason)]
    assert not [reason for reason in found if in_chinese(reason) == reason]
    assert all(conflict_of(nearest_possible(each, platform), platform) is None for each in configs)


def _with(settings):
    return LoadConfig(**dict(settings))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "refused",
    [
        lambda: check_possible(LoadConfig(access="direct", warmup="read")),
        lambda: check_possible(LoadConfig(library="safetensors.get_tensor", readers=4)),
        lambda: with_axis(LoadConfig(), "speed", "1"),
        lambda: with_axis(LoadConfig(), "readers", "many"),
        lambda: with_axis(LoadConfig(), "readers", "1000"),
        lambda: with_axis(LoadConfig(), "chunk_bytes", "5000"),
        lambda: with_axis(LoadConfig(), "chunk_bytes", "much"),
        lambda: with_axis(LoadConfig(), "access", "sideways"),
    ],
)
def test_that_settings_that_cannot_be_are_refused_in_chinese(refused):
    with pytest.raises(ConfigError) as error:
        refused()
    assert not english_in(error.value.message)
    for text in (error.value.message, error.value.remedy):
        assert in_chinese(text) != text


def test_that_every_strategy_says_in_chinese_when_it_wins():
    for one in strategies(None):
        assert in_chinese(one.when_it_wins) != one.when_it_wins
        assert not _COMMANDS.sub("", english_in(one.obstacle))


def _file_of(header, nbytes):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(nbytes)


WRONG_FILES = {
    **{f"GGUF, {said}": b"".join(parts) for said, parts in gguf_headers.WRONG},
    **{
        f"safetensors {number}, {said}": _file_of(header, nbytes)
        for number, (said, header, nbytes) in enumerate(safetensors_headers.WRONG)
    },
    "a length of nothing": struct.pack("<Q", 0) + b"{}",
    "no length": b"{}",
    "nothing": b"",
    "zeros": bytes(64),
    "a web page": b"<!DOCTYPE html>",
    "a pickle": b"PK\x03\x04",
    "a pointer": b"version https://git-lfs.github.com/spec/v1\n",
    "GGML": b"lmggxxxx",
    "HDF5": b"\x89HDF\r\n",
    "text": b"Once upon a time",
}


@pytest.mark.parametrize("case", WRONG_FILES)
def test_that_what_is_wrong_with_a_file_is_said_in_chinese(case, tmp_path):
    path = tmp_path / "a model.safetensors"
    path.write_bytes(WRONG_FILES[case])
    assert_refused_in_chinese(path)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"a.bin": b""},
        {"a.safetensors": b"", "b.safetensors": b""},
        {"inside/a.safetensors": b""},
        {"model-00001-of-00003.safetensors": b""},
        {"model.safetensors.index.json": b"[]"},
        {"model.safetensors.index.json": b'{"weight_map": {}}'},
        {"model.safetensors.index.json": b'{"weight_map": {"a": "../b"}}'},
        {"model.safetensors.index.json": b'{"weight_map": {"a": "b.safetensors"}}'},
    ],
)
def test_that_what_a_folder_lacks_is_said_in_chinese(files, tmp_path):
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert_refused_in_chinese(tmp_path)
    assert_refused_in_chinese(tmp_path / "not there")


def assert_refused_in_chinese(path):
    with pytest.raises(ModelFileError) as error:
        open_model(path)
    assert not _COMMANDS.sub("", english_in(error.value.text))
    for text in (error.value.message, error.value.remedy):
        assert in_chinese(text) != text


def test_that_a_place_that_cannot_be_written_to_is_said_in_chinese(tmp_path):
    for place in (tmp_path / "a.gguf", tmp_path, tmp_path / "none" / "a.json"):
        with pytest.raises(WriteError) as error:
            check_target(place)
        for text in (error.value.message, error.value.remedy):
            assert in_chinese(text) != text
