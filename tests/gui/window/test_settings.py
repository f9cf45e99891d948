from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray
from window_fakes import make_model

from modelmon.gui.settings.settings import MAX_RECENT, Settings

if TYPE_CHECKING:
    from pathlib import Path


def again(path: Path, settings: Settings) -> Settings:
    """What the next start of the program reads."""
    settings.save()
    return Settings(path)


def test_that_choices_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "window.ini"
    settings = Settings(path)
    settings.mode = "dark"
    settings.cache = "warm"
    settings.repeats = 7
    settings.side_panel = False
    settings.sample_hz = 10.0
    settings.units = "binary"
    settings.language = "zh_CN"
    settings.notify = False
    settings.model_folders = ("/models", "/mnt/a, b")
    settings.tab = 2
    settings.exported = ("modelmon.toml",)
    settings.folder = str(tmp_path)
    settings.set_geometry("window", QByteArray(b"here"))
    read = again(path, settings)
    assert (read.mode, read.cache, read.repeats) == ("dark", "warm", 7)
    assert (read.side_panel, read.folder) == (False, str(tmp_path))
    assert (read.sample_hz, read.units, read.language) == (10.0, "binary", "zh_CN")
    assert (read.notify, read.tab) == (False, 2)
    assert read.model_folders == ("/models", "/mnt/a, b")
    assert read.exported == ("modelmon.toml",)
    assert read.geometry("window") == QByteArray(b"here")


def test_that_recents_keep_the_latest_first_and_each_once(tmp_path: Path) -> None:
    path = tmp_path / "window.ini"
    settings = Settings(path)
    for at in range(MAX_RECENT + 3):
        settings.add_recent(f"/m/{at}", make_model(), at)
    settings.set_outcome("/m/9", "B 1.58 times as fast")
    settings.add_recent("/m/9", make_model(), 99)
    settings.remove_recent("/m/12")
    read = again(path, settings).recents()
    assert read[0].path == "/m/9"
    assert read[0].outcome == "B 1.58 times as fast"
    assert len(read) == len({recent.path for recent in read}) == MAX_RECENT - 1


def test_that_a_damaged_file_counts_as_empty(tmp_path: Path) -> None:
    path = tmp_path / "window.ini"
    path.write_text(
        "[General]\nmode=purple\ncache=hot\nrepeats=many\nrecents=[{\nfolder=/gone\n"
        "sample_hz=0\nunits=stones\nlanguage=xx\nnotify=perhaps\nmodel_folders=[1\ntab=one\n"
    )
    settings = Settings(path)
    assert (settings.mode, settings.cache, settings.repeats) == ("system", "cold", 11)
    assert (settings.sample_hz, settings.units) == (20.0, "decimal")
    assert (settings.language, settings.notify) == ("system", True)
    assert (settings.model_folders, settings.tab) == ((), 0)
    assert settings.recents() == []
    assert settings.geometry("window").isEmpty()
    assert settings.folder != "/gone"
