"""What the window remembers between starts, in one file of the user's configuration folder."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import platformdirs
from PySide6.QtCore import QByteArray, QSettings

from modelmon.core.errors import ConfigError
from modelmon.core.experiment.decision import DEFAULT_PAIRS
from modelmon.core.load.config import config_from_dict
from modelmon.core.worker.events import Cache
from modelmon.gui.theme import Mode

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.tensors import Model

MAX_RECENT = 10


class Recent(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model that was open before; `outcome` is its latest verdict in a few words."""

    path: str
    name: str
    format: str
    nbytes: int
    blocks: int
    opened_unix_s: float
    outcome: str = ""


class Settings:
    """Typed access to the stored values; a damaged value counts as absent."""

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            path = Path(platformdirs.user_config_path("modelmon", appauthor=False)) / "window.ini"
        self._store = QSettings(str(path), QSettings.Format.IniFormat)

    @property
    def mode(self) -> Mode:
        """Light, dark, or as the desktop says."""
        value = self._text("mode")
        return next((mode for mode in get_args(Mode) if mode == value), "system")

    @mode.setter
    def mode(self, mode: Mode) -> None:
        self._store.setValue("mode", mode)

    @property
    def cache(self) -> Cache:
        """How the page cache is set before each run."""
        value = self._text("cache")
        return next((cache for cache in get_args(Cache) if cache == value), "cold")

    @cache.setter
    def cache(self, cache: Cache) -> None:
        self._store.setValue("cache", cache)

    @property
    def repeats(self) -> int:
        """How often Compare runs each arm, at the most."""
        text = self._text("repeats")
        return int(text) if text.isdecimal() else DEFAULT_PAIRS

    @repeats.setter
    def repeats(self, repeats: int) -> None:
        self._store.setValue("repeats", str(repeats))

    @property
    def side_panel(self) -> bool:
        """Whether the side panel is shown."""
        return self._text("side_panel") != "hidden"

    @side_panel.setter
    def side_panel(self, shown: bool) -> None:
        self._store.setValue("side_panel", "shown" if shown else "hidden")

    @property
    def folder(self) -> str:
        """Where the last file was opened; the home folder at first."""
        stored = self._text("folder")
        return stored if stored and Path(stored).is_dir() else str(Path.home())

    @folder.setter
    def folder(self, folder: str) -> None:
        self._store.setValue("folder", folder)

    def geometry(self, part: str) -> QByteArray:
        """Stored geometry of the window or of one of its splitters; empty if none."""
        value = self._store.value(f"geometry/{part}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def set_geometry(self, part: str, state: QByteArray) -> None:
        """Remember the geometry of the window or of one of its splitters."""
        self._store.setValue(f"geometry/{part}", state)

    @property
    def own_presets(self) -> dict[str, LoadConfig]:
        """The user's own presets; one that this version cannot load is left out."""
        try:
            stored = msgspec.json.decode(
                self._text("presets") or "{}", type=dict[str, dict[str, Any]]
            )
        except msgspec.DecodeError:
            return {}
        presets = {}
        for name, axes in stored.items():
            with contextlib.suppress(ConfigError):
                presets[name] = config_from_dict(axes)
        return presets

    @own_presets.setter
    def own_presets(self, presets: dict[str, LoadConfig]) -> None:
        stored = {name: config.as_dict() for name, config in presets.items()}
        self._store.setValue("presets", msgspec.json.encode(stored).decode())

    def recents(self) -> list[Recent]:
        """Models that were open before, the latest first."""
        try:
            return msgspec.json.decode(self._text("recents") or "[]", type=list[Recent])
        except msgspec.DecodeError:
            return []

    def add_recent(self, path: str, model: Model, now_unix_s: float) -> None:
        """Put a model at the head of the list; its latest outcome is kept."""
        known = next((recent for recent in self.recents() if recent.path == path), None)
        recent = Recent(
            path=path,
            name=model.name,
            format=model.format,
            nbytes=model.nbytes,
            blocks=len(model.blocks),
            opened_unix_s=now_unix_s,
            outcome=known.outcome if known else "",
        )
        others = [other for other in self.recents() if other.path != path]
        self._set_recents([recent, *others][:MAX_RECENT])

    def set_outcome(self, path: str, outcome: str) -> None:
        """Note what a comparison of this model has shown."""
        self._set_recents(
            [
                msgspec.structs.replace(recent, outcome=outcome) if recent.path == path else recent
                for recent in self.recents()
            ]
        )

    def remove_recent(self, path: str) -> None:
        """Forget a model."""
        self._set_recents([recent for recent in self.recents() if recent.path != path])

    def save(self) -> None:
        """Write everything to the file now."""
        self._store.sync()

    def _set_recents(self, recents: list[Recent]) -> None:
        self._store.setValue("recents", msgspec.json.encode(recents).decode())

    def _text(self, key: str) -> str:
        value = self._store.value(key, "")
        return value if isinstance(value, str) else ""
