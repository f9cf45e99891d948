"""The user's own presets: LoadConfigs that were given a name in a card."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.load.config import CUSTOM
from modelmon.core.load.strategies import strategy, strategy_name, strategy_names
from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig

OWN_SENTENCE = mark("Your preset.")


class OwnPresets(QObject):
    """Names and configurations in the order in which they were saved; says when they change."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._configs: dict[str, LoadConfig] = {}

    @property
    def configs(self) -> dict[str, LoadConfig]:
        """All of them by name."""
        return dict(self._configs)

    def replace_all(self, configs: dict[str, LoadConfig]) -> None:
        """Have these and no others, as they were stored."""
        wanted = {name: config for name, config in configs.items() if not name_fault(name)}
        if wanted != self._configs:
            self._configs = wanted
            self.changed.emit()

    def save(self, name: str, config: LoadConfig) -> None:
        """Keep a configuration under a name that has no fault; one of that name is replaced."""
        self._configs[name] = config
        self.changed.emit()

    def remove(self, name: str) -> None:
        """Forget the preset of this name."""
        self._configs.pop(name, None)
        self.changed.emit()

    def config(self, name: str) -> LoadConfig:
        """The configuration that a name stands for, here or in modelmon; raises ConfigError."""
        return self._configs[name] if name in self._configs else strategy(name).config

    def name_of(self, config: LoadConfig) -> str:
        """What a configuration is called, delivery aside; modelmon's own names come first."""
        known = strategy_name(config)
        if known != CUSTOM:
            return known
        for name, own in self._configs.items():
            if replace(own, deliver=config.deliver) == config:
                return name
        return CUSTOM


def name_fault(name: str) -> str:
    """Why a preset cannot be called so; "" if it can."""
    if not name.strip():
        return tr("Enter a name.")
    if name in (CUSTOM, *strategy_names()):
        return tr("{name} is a built-in strategy. Choose another name.", name=name)
    return ""
