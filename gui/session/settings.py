"""What the window remembers between starts, in one file of the user's configuration folder."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Self, TypeVar, overload

import msgspec
import platformdirs
from msgspec import Meta
from PySide6.QtCore import QByteArray, QSettings

from modelmon.core.comparison.decision import DEFAULT_PAIRS
from modelmon.core.errors import ConfigError
from modelmon.core.limited_numbers import UNDECODABLE, Amount, UnixTime
from modelmon.core.load.config import config_from_dict
from modelmon.core.messages import NOTHING, Message, from_wire, to_wire
from modelmon.core.redaction import recorded_command
from modelmon.core.units import SizeUnits
from modelmon.core.worker.command_words import recorded_words
from modelmon.core.worker.events import DEFAULT_SAMPLE_HZ, Cache
from modelmon.gui.language import Language
from modelmon.gui.session.session import MAX_REPEATS
from modelmon.gui.session.watched_run import LIMIT_S, MOST_LIMIT_S
from modelmon.gui.widgets.theme import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.history.rows import Kind
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.tensors import Model

MAX_RECENT = 10
SAMPLE_RATES_HZ = (5.0, 10.0, DEFAULT_SAMPLE_HZ, 50.0)
T = TypeVar("T")

UNFINISHED: dict[Kind, Message] = {
    "compare": Message("comparison not finished"),
    "best": Message("Find best not finished"),
}


class Store:
    """An INI file of texts; what is written to it is seen at once by all who have it open.
    `on_put` is called after each change.
    """

    def __init__(self, path: Path) -> None:
        self._store = QSettings(str(path), QSettings.Format.IniFormat)
        self.on_put: Callable[[], None] = lambda: None

    @property
    def place(self) -> str:
        """The file."""
        return self._store.fileName()

    def text(self, key: str) -> str:
        """The stored text, empty where there is none."""
        value = self._store.value(key, "")
        return value if isinstance(value, str) else ""

    def put(self, key: str, text: str) -> None:
        """Store a text."""
        self._store.setValue(key, text)
        self.on_put()

    def save(self) -> bool:
        """Write everything to the file now, and see what others have written to it; returns
        whether it could be written.
        """
        if self._store.status() is QSettings.Status.AccessError:
            # It remembers a failure for ever. What isn't written yet, all of one file share.
            self._store = QSettings(self._store.fileName(), QSettings.Format.IniFormat)
        self._store.sync()
        with contextlib.suppress(OSError):
            Path(self.place).chmod(0o600)  # paths and commands are nobody else's
        return self._store.status() is not QSettings.Status.AccessError


_EARLIER = {"on": "true", "off": "false", "shown": "true", "hidden": "false"}
"""As earlier versions stored yes and no."""


class Stored(Generic[T]):
    """An attribute of a Store: a text as it is, anything else as JSON. A damaged value counts as
    absent: then it is `default`.
    """

    def __init__(self, key: str, kind: Any, default: T) -> None:
        """`kind` is the type that a stored value must have."""
        self.default = default
        self._key, self._kind = key, kind

    @overload
    def __get__(self, store: None, owner: type[Store]) -> Self: ...

    @overload
    def __get__(self, store: Store, owner: type[Store]) -> T: ...

    def __get__(self, store: Store | None, owner: type[Store]) -> T | Self:
        """The value that is stored, or the default."""
        if store is None:
            return self
        text = store.text(self._key)
        try:
            if text and isinstance(self.default, str):
                value: T = msgspec.convert(text, self._kind)
            elif text:
                known = _EARLIER.get(text, text)
                value = msgspec.json.decode(known, type=self._kind, dec_hook=from_wire)
            else:
                value = self.default
        except UNDECODABLE:
            return self.default
        return value

    def __set__(self, store: Store, value: T) -> None:
        """Store the value."""
        if isinstance(value, str):
            store.put(self._key, value)
        else:
            store.put(self._key, msgspec.json.encode(value, enc_hook=to_wire).decode())


class WatchedBefore(msgspec.Struct, frozen=True):
    """The command that was watched last and the model that was open, the sign that it has loaded,
    when it was ended, and the virtual environment of its program.
    """

    command: str = ""
    model: str = ""
    ready: str = ""
    limit_s: Annotated[int, Meta(ge=1, le=MOST_LIMIT_S)] = LIMIT_S
    environment: str = ""


class Recent(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model that was open before; `outcome` is the sentence of its latest verdict with its start,
    from `measured_unix_s` where that is known, `arms` how A and B loaded it last, where the user
    has set them.
    """

    path: str
    name: str
    format: str
    nbytes: Amount
    blocks: Amount
    opened_unix_s: UnixTime
    outcome: Message = NOTHING
    measured_unix_s: UnixTime = 0.0
    arms: tuple[dict[str, Any], dict[str, Any]] | None = None


class Settings(Store):
    """Typed access to the stored values; a damaged value counts as absent."""

    mode: Stored[Mode] = Stored("mode", Mode, "system")
    """Light, dark, or as the desktop says."""
    cache: Stored[Cache] = Stored("cache", Cache, "cold")
    """How the page cache is set before each run."""
    repeats = Stored("repeats", Annotated[int, Meta(ge=1, le=MAX_REPEATS)], DEFAULT_PAIRS)
    """How often Compare runs each arm, at the most."""
    sample_hz = Stored("sample_hz", Annotated[float, Meta(ge=1, le=100)], DEFAULT_SAMPLE_HZ)
    """How often a worker looks at its loaders and the machine."""
    units: Stored[SizeUnits] = Stored("units", SizeUnits, "decimal")
    """Whether the window says GB or GiB."""
    language: Stored[Language] = Stored("language", Language, "system")
    """The language of the next window."""
    notify = Stored("notify", bool, default=True)
    """Whether the desktop is told of long work that ends unseen."""
    model_folders: Stored[tuple[str, ...]] = Stored("model_folders", tuple[str, ...], ())
    """Folders beside the usual ones in which models are looked for."""
    side_panel = Stored("side_panel", bool, default=True)
    """Whether the side panel is shown."""
    tab = Stored("tab", str, "")
    """The name of the tab that is open."""
    plots: Stored[tuple[str, ...]] = Stored("plots", tuple[str, ...], ())
    """Which plots over time are shown; none stored means the usual ones."""
    cluster_address = Stored("cluster_address", str, "auto")
    """Of the Ray cluster that was measured last."""
    toured: Stored[bool] = Stored("toured", bool, False)
    """Whether the tour was offered: the first start does."""
    exported: Stored[tuple[str, ...]] = Stored("exported", tuple[str, ...], ())
    """The entries that were written last time something was exported."""
    _watched = Stored("watched", WatchedBefore, WatchedBefore())
    _presets: Stored[dict[str, dict[str, Any]]] = Stored("presets", dict[str, dict[str, Any]], {})
    _recents: Stored[tuple[Recent, ...]] = Stored("recents", tuple[Recent, ...], ())

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            path = Path(platformdirs.user_config_path("modelmon", appauthor=False)) / "window.ini"
        super().__init__(path)

    @property
    def folder(self) -> str:
        """Where the last file was opened; the home folder at first."""
        return self.text("folder") or str(Path.home())

    @folder.setter
    def folder(self, folder: str) -> None:
        self.put("folder", folder)

    def geometry(self, part: str) -> QByteArray:
        """Stored geometry of the window or of one of its splitters; empty if none."""
        value = self._store.value(f"geometry/{part}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def set_geometry(self, part: str, state: QByteArray) -> None:
        """Remember the geometry of the window or of one of its splitters."""
        self._store.setValue(f"geometry/{part}", state)

    @property
    def watched(self) -> WatchedBefore:
        """What was watched last."""
        return self._watched

    @watched.setter
    def watched(self, watched: WatchedBefore) -> None:
        command = recorded_command(recorded_words(watched.command))
        self._watched = msgspec.structs.replace(watched, command=command)

    @property
    def own_presets(self) -> dict[str, LoadConfig]:
        """The user's own presets; one that this version cannot load is left out."""
        presets = {}
        for name, axes in self._presets.items():
            with contextlib.suppress(ConfigError):
                presets[name] = config_from_dict(axes)
        return presets

    def change_presets(
        self, before: dict[str, LoadConfig], after: dict[str, LoadConfig]
    ) -> dict[str, LoadConfig]:
        """Store what one window has changed; all that there are now, with other windows' own."""
        self.save()
        kept = {
            name: own
            for name, own in self.own_presets.items()
            if name in after or name not in before
        }
        presets = kept | {name: own for name, own in after.items() if before.get(name) != own}
        self._presets = {name: own.as_dict() for name, own in presets.items()}
        return presets

    def recents(self) -> list[Recent]:
        """Models that were open before, the latest first."""
        return list(self._recents)

    def add_recent(self, path: str, model: Model, now_unix_s: float) -> None:
        """Put a model at the head of the list; its latest outcome is kept."""
        self.save()
        figures = (model.name, model.format, model.nbytes, len(model.blocks), now_unix_s)
        recent, known = Recent(path, *figures), self._recent(path)
        if known is not None:
            kept = {name: getattr(known, name) for name in ("outcome", "measured_unix_s", "arms")}
            recent = msgspec.structs.replace(recent, **kept)
        others = tuple(other for other in self._recents if other.path != path)
        self._recents = (recent, *others)[:MAX_RECENT]

    def outcome(self, path: str) -> Message:
        """What is noted of this model."""
        recent = self._recent(path)
        return recent.outcome if recent is not None else NOTHING

    def set_outcome(self, path: str, outcome: Message, measured_unix_s: float) -> None:
        """Note what a comparison of this model has shown, and when."""
        self._change_recent(path, outcome=outcome, measured_unix_s=measured_unix_s)

    def arms(self, path: str) -> tuple[LoadConfig, LoadConfig] | None:
        """How A and B loaded this model last; None if it is not known or cannot be any more."""
        recent = self._recent(path)
        if recent is None or recent.arms is None:
            return None
        try:
            return config_from_dict(recent.arms[0]), config_from_dict(recent.arms[1])
        except ConfigError:
            return None

    def set_arms(self, path: str, config_a: LoadConfig, config_b: LoadConfig) -> None:
        """Note how A and B load this model, if it is one of the recent ones."""
        self._change_recent(path, arms=(config_a.as_dict(), config_b.as_dict()))

    def remove_recent(self, path: str) -> None:
        """Forget a model."""
        self.save()
        self._recents = tuple(recent for recent in self._recents if recent.path != path)

    def _recent(self, path: str) -> Recent | None:
        return next((recent for recent in self._recents if recent.path == path), None)

    def _change_recent(self, path: str, **changes: object) -> None:
        # Other windows may have changed others since.
        self.save()
        self._recents = tuple(
            msgspec.structs.replace(recent, **changes) if recent.path == path else recent
            for recent in self._recents
        )


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the settings dialog changes, as one value that can be kept and put back; what each
    means, the setting of its name says.
    """

    mode: Mode
    language: Language
    units: SizeUnits
    cache: Cache
    repeats: int
    sample_hz: float
    model_folders: tuple[str, ...]
    notify: bool

    @classmethod
    def stored(cls, settings: Settings) -> Preferences:
        """As they are in `settings`."""
        return cls(**{each.name: getattr(settings, each.name) for each in fields(cls)})

    @classmethod
    def usual(cls) -> Preferences:
        """As they are before anything was chosen."""
        return cls(**{each.name: getattr(Settings, each.name).default for each in fields(cls)})

    def store(self, settings: Settings) -> None:
        """Write them into `settings`."""
        for each in fields(self):
            setattr(settings, each.name, getattr(self, each.name))
