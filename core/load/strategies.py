"""What people call a strategy: a preset, or a library to measure against."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import (
    CUSTOM,
    NO_LIBRARY,
    PRESETS,
    PROGRAM,
    SIZES,
    LoadConfig,
    Preset,
    preset_name,
)
from modelmon.core.load.libraries import registry
from modelmon.core.load.rules import conflict_of
from modelmon.core.messages import NOTHING, Message, verbatim
from modelmon.core.units import request_text

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model


def strategy_names() -> tuple[str, ...]:
    """All strategies that `strategy` knows, installed or not."""
    return (*PRESETS, *registry.names())


def strategy(name: str) -> Preset:
    """The strategy called `name`; raises ConfigError with the known names."""
    if name in PRESETS:
        return PRESETS[name]
    if name not in (*strategy_names(), PROGRAM):
        raise ConfigError(
            Message("There's no strategy called {name}.", name=repr(name)),
            Message("Choose one of: {strategy_names}.", strategy_names=", ".join(strategy_names())),
        )
    known = registry.baseline(name)
    return Preset(name, verbatim(known.when_it_wins), LoadConfig(library=name))


def strategy_name(config: LoadConfig) -> str:
    """Name of the strategy that `config` is, delivery aside, or `custom`."""
    if config.library == NO_LIBRARY:
        return preset_name(config)
    plain = replace(LoadConfig(library=config.library), deliver=config.deliver)
    return config.library if config == plain else CUSTOM


def changed_settings(name: str, config: LoadConfig) -> tuple[str, ...]:
    """Axes in which a load differs from what its strategy is by default, of modelmon's own names or
    the libraries'; of a load without such a name, from the preset that it is nearest to.
    """
    if config.library == PROGRAM:
        return ()
    return config.differs_from(_default(name, config))


def set_options(name: str, config: LoadConfig) -> tuple[str, tuple[str, ...]]:
    """The strategy that a load is nearest to, and what `--set` changes of it, as `readers=8`. A run
    may be called by what was changed: `parallel, readers 8`.
    """
    name = name.partition(",")[0]
    default = _default(name if name in strategy_names() else CUSTOM, config)
    changed = config.differs_from(default)
    return strategy_name(default), tuple(f"{axis}={getattr(config, axis)}" for axis in changed)


def strategy_text(name: str, config: LoadConfig) -> str:
    """A strategy with all that isn't its default: `auto (decoded)`, `parallel (readers 8)`."""
    settings = ", ".join(setting_text(config, axis) for axis in changed_settings(name, config))
    name = strategy_name(_default(name, config)) if name == CUSTOM else name
    return f"{name} ({settings})" if settings else name


def setting_text(config: LoadConfig, axis: str) -> str:
    """One setting in words: `decoded`, `readers 8`, `chunk 4 MiB`."""
    value = getattr(config, axis)
    if axis == "deliver":
        return str(value)
    if axis == "reader_kind":
        return f"with {'threads' if value == 'thread' else 'processes'}"
    text = request_text(value) if axis in SIZES else value
    return f"{'chunk' if axis == 'chunk_bytes' else axis.replace('_', ' ')} {text}"


def _default(name: str, config: LoadConfig) -> LoadConfig:
    if name in PRESETS:
        return PRESETS[name].config
    if config.library != NO_LIBRARY:
        return LoadConfig(library=config.library)
    if name == CUSTOM:
        presets = (preset.config for preset in PRESETS.values())
        return min(presets, key=lambda preset: len(config.differs_from(preset)))
    # A preset of the user's is what was saved, whatever is delivered.
    return replace(config, deliver="usable")


def strategies(model: Model | None) -> tuple[registry.Availability, ...]:
    """All strategies, and whether each can be used here, for `model` where one is given."""
    presets = (
        registry.Availability(name, preset.when_it_wins, "", strategy_obstacle(name, model))
        for name, preset in PRESETS.items()
    )
    return (*presets, *registry.available(model))


def strategy_obstacle(name: str, model: Model | None) -> Message:
    """Why a strategy cannot be used here, for `model` where one is given; "" if it can."""
    if name in PRESETS:
        found = conflict_of(PRESETS[name].config)
        return found.reason if found else NOTHING
    return verbatim(registry.available_as(name, model).obstacle)
