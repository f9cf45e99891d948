import os
import random
import subprocess
import sys
import tomllib
from dataclasses import replace
from math import exp

import msgspec
import pytest
from tests.core.comparison.comparing import play
from tests.core.export.outcomes import summary

from modelmon.core.comparison.result import Comparison, Verdict
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.errors import ConfigError
from modelmon.core.export.atomic import WriteError, check_target, write_text_atomic
from modelmon.core.export.outcomes import best_arm, outcome_of
from modelmon.core.history.origin import machine_of
from modelmon.core.load.api import load_model, stream_model
from modelmon.core.load.config import PRESETS
from modelmon.core.load.config_file import read_config
from modelmon.core.load.strategies import strategy
from modelmon.core.model.fingerprint import model_fingerprint
from modelmon.core.programs.modelmon import modelmon_toml


@pytest.fixture
def comparison(sample):
    found = inspect_model(sample)
    return Comparison(
        model=model_fingerprint(found.model),
        machine=machine_of(found),
        path=str(sample),
        cache="cold",
        created_unix_s=1.8e9,
        order="ABBA",
        runs_a=(),
        runs_b=(),
        arm_a=summary("A", "mmap", 2_000_000, PRESETS["mmap"].config),
        arm_b=summary("B", "parallel", 1_000_000, PRESETS["parallel"].config),
        verdict=Verdict(
            "B", 'B "wins".', "why", "caveat", "high", "5 runs each", 5, 2.0, 1.9, 2.1,
            0.9375,
        ),
    )  # fmt: skip


def test_that_a_streamed_export_names_the_call_that_can_run_it(comparison, sample, tmp_path):
    assert "core.load_model(path, config" in modelmon_toml(outcome_of(comparison, "A"))
    streamed = summary("A", "mmap", 1, replace(PRESETS["mmap"].config, deliver="streamed"))
    text = modelmon_toml(outcome_of(msgspec.structs.replace(comparison, arm_a=streamed), "A"))
    path = tmp_path / "modelmon.toml"
    write_text_atomic(path, text)
    assert "core.stream_model(path, consume, config" in text
    seen = set()
    stream_model(sample, lambda tensor, _at, _data: seen.add(tensor.name), path)
    assert seen == set(load_model(sample))
    with pytest.raises(ConfigError, match="keeps nothing"):
        load_model(sample, path)


def test_that_two_libraries_leave_nothing_to_store_and_the_way_out_is_no_other_arm(comparison):
    names = ("safetensors.get_tensor", "safetensors.get_slice")
    arm_a, arm_b = (summary("A", name, 1_000_000, strategy(name).config) for name in names)
    both = msgspec.structs.replace(comparison, arm_a=arm_a, arm_b=arm_b)
    for label in ("A", "B"):
        with pytest.raises(ConfigError, match="nothing to store") as refusal:
            modelmon_toml(outcome_of(both, label))
        assert "strategy of modelmon" in refusal.value.remedy
    one = msgspec.structs.replace(comparison, arm_b=arm_b)
    with pytest.raises(ConfigError, match="doesn't load in one process") as refusal:
        modelmon_toml(outcome_of(one, "B"))
    assert "strategy of modelmon" in refusal.value.remedy


def test_that_what_is_used_now_is_stored_where_the_other_saves_little(comparison):
    arm_b = summary("B", "sequential", 980_000, PRESETS["sequential"].config)
    both = msgspec.structs.replace(comparison, arm_b=arm_b)
    for ratio, label in ((1.04, "A"), (1.06, "B")):
        verdict = msgspec.structs.replace(both.verdict, ratio=ratio)
        found = msgspec.structs.replace(both, verdict=verdict)
        assert best_arm(found) == label
        assert outcome_of(found).sentence == verdict.sentence


def test_that_threads_in_place_of_processes_are_stored_as_not_measured(comparison):
    arm_b = summary("B", "processes", 1_000_000, PRESETS["processes"].config)
    comparison = msgspec.structs.replace(comparison, arm_b=arm_b)
    assert best_arm(comparison) == "B"
    stored = tomllib.loads(modelmon_toml(outcome_of(comparison)))
    assert stored["load"]["reader_kind"] == "thread"
    assert "for one process, which wasn't measured" in stored["evidence"]["sentence"]
    assert "median_s" not in stored["evidence"]


@pytest.mark.parametrize(
    ("arms", "pairs", "gain", "spread", "wanted"),
    [
        (("mmap", "parallel"), 7, 1.15, 0.3, "mmap"),
        (("parallel", "mmap"), 7, 1.15, 0.3, "parallel"),
        (("parallel", "mmap"), 5, 1.003, 0.001, "mmap"),
        (("mmap", "parallel"), 5, 1.003, 0.001, "mmap"),
        (("mmap", "parallel"), 1, 1.5, 0.0, "mmap"),
    ],
)
def test_that_without_a_winner_the_export_keeps_a_unless_b_is_as_fast_and_simpler(
    sample, arms, pairs, gain, spread, wanted
):
    draw = random.Random(f"{pairs}/{gain}")
    times = {
        label: [round(9e8 / speed * exp(draw.gauss(0, spread))) for _ in range(pairs)]
        for label, speed in (("A", 1.0), ("B", gain))
    }
    comparison = play(times, inspect_model(sample), *arms)
    assert comparison.verdict.winner in {"no-difference", "undecided"}
    assert comparison.arm(best_arm(comparison)).strategy == wanted


@pytest.mark.parametrize("name", ["m.safetensors", "m.gguf", "model.safetensors.index.json", "b1"])
def test_that_a_model_file_is_never_written_over(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"GGUF and more")
    link = tmp_path / "modelmon.toml"
    link.symlink_to(path)
    for target in (path, link):
        with pytest.raises(WriteError, match="model file"):
            write_text_atomic(target, "new")
    assert path.read_bytes() == b"GGUF and more"


def test_that_looking_at_a_place_for_results_leaves_it_as_it_was(tmp_path):
    there = tmp_path / "there.json"
    there.write_text("old")
    for target in (there, tmp_path / "new.json"):
        check_target(target)
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]
    assert there.read_text() == "old"


@pytest.mark.parametrize("length", [250, 300])
def test_that_a_name_that_leaves_no_room_for_writing_is_refused_before(tmp_path, length):
    for asked in (check_target, lambda path: write_text_atomic(path, "new")):
        with pytest.raises(WriteError, match="Couldn't write"):
            asked(tmp_path / f"{'x' * length}.json")


def test_that_a_link_stays_a_link_and_a_device_a_device(tmp_path):
    target = tmp_path / "real.toml"
    target.write_text("old")
    link = tmp_path / "link.toml"
    link.symlink_to(target)
    write_text_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text_atomic(pipe, "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert not pipe.is_file()


@pytest.mark.skipif(not os.path.lexists("/dev/stdout"), reason="standard output has no name here")
def test_that_results_are_written_into_a_pipe_without_a_name():
    script = (
        "from pathlib import Path\n"
        "from modelmon.core.export.atomic import check_target, write_text_atomic\n"
        "check_target(Path('/dev/stdout'))\n"
        "write_text_atomic(Path('/dev/stdout'), 'through')\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"through", b"")


def test_that_load_model_warns_when_the_file_is_about_another_model(comparison, samples, tmp_path):
    path = tmp_path / "modelmon.toml"
    write_text_atomic(path, modelmon_toml(outcome_of(comparison, "A")))
    load_model(samples["safetensors"], path)
    with pytest.warns(UserWarning, match="Another strategy may be faster"):
        load_model(samples["gguf"], str(path))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("schema = 1\n[load]\naccess = 'magic'\n", "access"),
        ("schema = 1\n[load]\nwarp = 9\n", "warp"),
        ("schema = 1\n", r"\[load\]"),
        ("schema = 1\nload = 3\n", r"\[load\]"),
        ("schema = 99\n[load]\n", "schema 99"),
        ("[load]\n", "schema None"),
        ("schema = ", "not TOML"),
        ("\udcff", "not TOML"),
    ],
)
def test_that_a_broken_file_is_refused_with_the_place(tmp_path, text, part):
    path = tmp_path / "broken.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError, match=part) as raised:
        read_config(path)
    assert "broken.toml" in raised.value.message


def test_that_writing_keeps_the_old_file_when_it_fails(tmp_path):
    path = tmp_path / "modelmon.toml"
    path.write_text("old")
    with pytest.raises(WriteError, match="nowhere"):
        write_text_atomic(tmp_path / "nowhere" / "x.toml", "new")
    folder = tmp_path / "a folder"
    folder.mkdir()
    with pytest.raises(WriteError, match="a folder"):
        write_text_atomic(folder, "new")
    assert path.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["modelmon.toml"]


def test_that_replacing_keeps_the_files_rights(tmp_path):
    path = tmp_path / "modelmon.toml"
    path.write_text("old")
    path.chmod(0o640)
    write_text_atomic(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
