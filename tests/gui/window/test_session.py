"""What a session holds, what both arms share, and what settings bring back."""

import json
import subprocess
import sys
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray
from window_fakes import LOAD_A, make_comparison, make_inspection, make_model

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import CHOICES, PRESETS, LoadConfig, preset
from modelmon.core.load.rules import conflict_of
from modelmon.core.worker.result import summarise
from modelmon.gui.session.arm_settings import UNTOUCHED, ArmSettings
from modelmon.gui.session.session import LABELS
from modelmon.gui.session.settings import MAX_RECENT, Recent, Settings, Stored


def test_that_an_impossible_value_changes_nothing_and_results_go_out_of_date(session):
    before = session.config("A")
    with pytest.raises(ConfigError):
        session.set_axis("A", "readers", "1000")
    assert session.config("A") == before
    for repeats, kept in ((0, 1), (10_000, 50)):
        session.set_repeats(repeats)
        assert session.repeats == kept
    session.set_results("A", (summarise(LOAD_A.record()),))
    assert not session.changed_since("A")
    session.set_cache("warm")
    assert session.changed_since("A")
    session.set_cache("cold")
    session.set_axis("A", "readers", "2")
    assert session.changed_since("A")


def test_that_a_model_in_memory_starts_warm_and_the_choice_is_kept(session):
    on_disk = make_inspection()
    storage = msgspec.structs.replace(on_disk.storage, kind="memory", filesystem="tmpfs")
    session.set_inspection(msgspec.structs.replace(on_disk, storage=storage))
    assert (session.cache, session.chosen_cache) == ("warm", "cold")
    session.set_cache("as-is")
    assert session.cache == "as-is"
    session.set_cache("cold")
    session.set_inspection(on_disk)
    assert session.cache == "cold"


def test_that_another_model_puts_results_away(session, qtbot):
    record = LOAD_A.record()
    for _ in range(2):
        session.add_run("A", record, None, summarise(record))
    assert [run.number for run in session.runs] == [1, 2]
    session.set_results("A", (summarise(record),))
    session.show_record("A", record)
    with qtbot.waitSignals([session.model_changed, session.runs_changed]):
        session.set_inspection(make_inspection(make_model("/data/other")))
    assert session.runs == []
    assert session.results("A") == ()
    assert session.record("A") is None


def test_that_swapping_takes_along_what_was_measured(session):
    comparison = make_comparison()
    for label in LABELS:
        session.set_config(label, comparison.arm(label).config)
        session.set_results(label, comparison.runs(label))
    record = LOAD_A.record()
    session.show_record("A", record)
    session.conclude(comparison)
    session.swap()
    assert session.results("A") == comparison.runs_b
    assert session.record("B") is record
    assert not any(session.changed_since(label) for label in LABELS)
    assert session.comparison.verdict.winner == "A"
    assert session.comparison.verdict.sentence == comparison.verdict.sentence


LIBRARY = LoadConfig(library="gguf.GGUFReader")


def test_that_a_value_beside_which_nothing_works_and_what_a_library_decides_for_is_refused():
    arms = ArmSettings()
    arms.set_axis("A", "access", "direct")
    assert "warm-up" in arms.obstacle("A", "warmup", "read")
    with pytest.raises(ConfigError, match="warm-up"):
        arms.set_axis("A", "warmup", "read")
    assert arms.config("A").warmup == "none"
    arms = ArmSettings()
    arms.set_axis("B", "deliver", "owned")
    arms.set_axis("B", "library", "gguf.GGUFReader")
    assert arms.config("B") == replace(LIBRARY, deliver="owned")
    assert "its own choice" in arms.obstacle("B", "readers", 4)
    arms.set_axis("B", "library", "none")
    assert arms.obstacle("B", "readers", 4) == ""


def test_that_what_the_other_arm_cannot_deliver_is_refused_in_its_name_until_both_can():
    arms = ArmSettings()
    arms.set_axis("B", "deliver", "streamed")
    assert arms.config("A").deliver == "streamed"
    arms.set_strategy("A", LIBRARY)
    assert (arms.config("A").deliver, arms.config("B").deliver) == ("usable", "usable")
    reason = arms.obstacle("B", "deliver", "streamed")
    assert reason.startswith("A and B need the same delivery, but A can't use it")
    assert arms.obstacle("B", "deliver", "owned") == ""


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
    # Who leaves a library leaves it for what the other arm delivers.
    arms.set_axis("A", "deliver", UNTOUCHED)
    arms.set_strategy("A", PRESETS["direct"].config)
    assert (arms.config("A").deliver, arms.config("B").deliver) == ("owned", "owned")


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


# What another window does, which is another program: it opens a model, and names a preset.
_OTHER_WINDOW = """
import sys
from pathlib import Path
from modelmon.core.load.config import preset
from modelmon.core.model.tensors import Model
from modelmon.gui.session.settings import Settings
settings = Settings(Path(sys.argv[1]))
settings.add_recent("/m/theirs", Model("m", "/m", "gguf", (), (), (), {}), 2.0)
settings.change_presets({}, {"theirs": preset("direct").config})
settings.save()
"""


def again(path, settings):
    """What the next start of the program reads."""
    settings.save()
    return Settings(path)


CHOSEN = {
    "mode": "dark",
    "cache": "warm",
    "repeats": 7,
    "sample_hz": 10.0,
    "units": "binary",
    "language": "zh_CN",
    "notify": False,
    "model_folders": ("/models", "/mnt/a, b"),
    "side_panel": False,
    "tab": "access-map",
    "plots": ("rss",),
    "cluster_address": "auto:1",
    "exported": ("modelmon.toml",),
    "toured": True,
    "folder": "/models",
}


def test_that_choices_survive_a_restart(tmp_path):
    path = tmp_path / "window.ini"
    settings = Settings(path)
    for name, value in CHOSEN.items():
        setattr(settings, name, value)
    settings.set_geometry("window", QByteArray(b"here"))
    read = again(path, settings)
    assert sys.platform == "win32" or not path.stat().st_mode & 0o077
    assert {name: getattr(read, name) for name in CHOSEN} == CHOSEN
    stored = {name for name, each in vars(Settings).items() if isinstance(each, Stored)}
    assert {name for name in stored if not name.startswith("_")} <= CHOSEN.keys()
    assert read.geometry("window") == QByteArray(b"here")


def test_that_recents_keep_the_latest_first_and_each_once(tmp_path):
    path = tmp_path / "window.ini"
    settings = Settings(path)
    for at in range(MAX_RECENT + 3):
        settings.add_recent(f"/m/{at}", make_model(), at)
    settings.set_outcome("/m/9", "B 1.58 times as fast", 5.0)
    settings.add_recent("/m/9", make_model(), 99)
    settings.remove_recent("/m/12")
    read = again(path, settings).recents()
    assert read[0].path == "/m/9"
    assert read[0].outcome == "B 1.58 times as fast"
    assert len(read) == len({recent.path for recent in read}) == MAX_RECENT - 1


def test_that_a_damaged_file_counts_as_empty(tmp_path):
    path = tmp_path / "window.ini"
    path.write_text(
        "[General]\nmode=purple\ncache=hot\nrepeats=many\nrecents=[{\n"
        "sample_hz=0\nunits=stones\nlanguage=xx\nnotify=perhaps\nmodel_folders=[1\n"
    )
    settings = Settings(path)
    assert (settings.mode, settings.cache, settings.repeats) == ("system", "cold", 11)
    assert (settings.sample_hz, settings.units) == (20.0, "decimal")
    assert (settings.language, settings.notify) == ("system", True)
    assert (settings.model_folders, settings.tab) == ((), "")
    assert settings.recents() == []
    assert settings.geometry("window").isEmpty()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("repeats=100000", "repeats"),
        ("repeats=-1", "repeats"),
        ("sample_hz=1e300", "sample_hz"),
        ('watched="{\\"command\\":\\"x\\",\\"limit_s\\":99999999999}"', "_watched"),
        ('recents="[{RECENT}]"', "_recents"),
    ],
)
def test_that_a_number_no_field_can_show_counts_as_absent(tmp_path, line, name):
    recent = Recent("/m/a", "a", "gguf", 1, 1, 1e300)
    made = json.dumps(msgspec.to_builtins(recent)).replace('"', '\\"')
    path = tmp_path / "window.ini"
    path.write_text(f"[General]\n{line.replace('{RECENT}', made)}\n")
    assert getattr(Settings(path), name) == vars(Settings)[name].default


def test_that_choices_of_earlier_versions_stay(tmp_path):
    path = tmp_path / "window.ini"
    path.write_text("[General]\nnotify=off\nside_panel=hidden\nsample_hz=10\nrepeats=7\n")
    settings = Settings(path)
    assert (settings.notify, settings.side_panel) == (False, False)
    assert (settings.sample_hz, settings.repeats) == (10.0, 7)


def test_that_two_windows_keep_each_others_recents_and_presets(tmp_path):
    path = tmp_path / "window.ini"
    settings = Settings(path)
    settings.add_recent("/m/first", make_model(), 1.0)
    settings.save()
    subprocess.run([sys.executable, "-P", "-c", _OTHER_WINDOW, str(path)], check=True)
    mine = {"mine": preset("mmap").config}
    settings.change_presets({}, mine)
    settings.add_recent("/m/mine", make_model(), 3.0)
    read = again(path, settings)
    assert [recent.path for recent in read.recents()] == ["/m/mine", "/m/theirs", "/m/first"]
    assert set(read.own_presets) == {"mine", "theirs"}
    settings.change_presets(mine, {})
    settings.remove_recent("/m/first")
    read = again(path, settings)
    assert [recent.path for recent in read.recents()] == ["/m/mine", "/m/theirs"]
    assert set(read.own_presets) == {"theirs"}
