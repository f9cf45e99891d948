"""What the settings dialog changes, as one value that can be kept and put back."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from modelmon.gui.settings.settings import Settings

if TYPE_CHECKING:
    from modelmon.core.units import SizeUnits
    from modelmon.core.worker.events import Cache
    from modelmon.gui.look.language import Language
    from modelmon.gui.look.theme import Mode


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of these names; what each means stands there."""

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
