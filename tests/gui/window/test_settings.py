import json
import subprocess
import sys

import msgspec
import pytest
from PySide6.QtCore import QByteArray
from window_fakes import make_model

from modelmon.core.load.config import preset
from modelmon.gui.session.settings import MAX_RECENT, Recent, Settings, Stored

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
