"""What people call a strategy: a preset, a library to measure against, or an exported file.

`read_config` reads `modelmon.toml`. Schema 1: `schema`, then the tables `[model]` (name, format,
nbytes, tensors, digest), `[machine]`, `[load]` (the axes of LoadConfig, all optional) and
`[evidence]`. A loader reads `[load]` and checks `[model] digest`; the rest is for people.
CONFIG_SCHEMA counts up when an older reader would misunderstand a newer file.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import (
    CUSTOM,
    NO_LIBRARY,
    PRESETS,
    PROGRAM,
    SIZES,
    LoadConfig,
    Preset,
    config_from_dict,
    preset_name,
)
from modelmon.core.load.libraries import registry
from modelmon.core.load.rules import conflict_of
from modelmon.core.messages import NOTHING, Message, verbatim
from modelmon.core.model.fingerprint import fingerprint
from modelmon.core.units import request_text

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model


CONFIG_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class ExportedConfig:
    """A LoadConfig and the model that it was measured with ("" where the file says none)."""

    config: LoadConfig
    strategy: str
    model_name: str
    model_digest: str

    def of_another_model(self, path: str | Path, model: Model) -> Message:
        """That the file at `path` was measured with another model than this one, if it was."""
        if self.model_digest in ("", fingerprint(model)):
            return NOTHING
        return Message(
            "{config} was measured with {model_name}, not with {name} as it is now."
            " Another strategy may be faster here.",
            config=path,
            model_name=self.model_name,
            name=model.name,
        )


def read_config(path: str | Path) -> ExportedConfig:
    """The configuration in an exported file; raises ConfigError that names what is wrong."""
    if not isinstance(path, (str, os.PathLike)):
        raise ConfigError(
            Message("Invalid config: {value}.", value=repr(path)),
            Message("Give a strategy's name, a LoadConfig, or the path of an exported file."),
        )
    path = Path(path)
    try:
        with path.open("rb") as file:
            values = tomllib.load(file)
        _check_integers(values)
    except OSError as error:
        raise ConfigError(
            Message("Couldn't read {path}: {reason}.", path=path, reason=error.strerror),
            Message("Export a comparison to get such a file."),
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            Message("{path} is not TOML: {reason}.", path=path, reason=error),
            Message("Export it again."),
        ) from error
    schema = values.get("schema")
    if type(schema) is not int or schema != CONFIG_SCHEMA:
        raise ConfigError(
            Message(
                "{path} has schema {schema}; this version reads schema {config_schema}.",
                path=path,
                schema=repr(schema),
                config_schema=CONFIG_SCHEMA,
            ),
            Message("Export it again with this version."),
        )
    load = _table(path, values, "load")
    model = _table(path, values, "model") if "model" in values else {}
    strategy = load.pop("strategy", "custom")
    try:
        config = config_from_dict(load)
    except ConfigError as error:
        raise ConfigError(
            Message("{path}, table [load]: {message}", path=path, message=error.message),
            error.remedy,
        ) from error
    return ExportedConfig(
        config, str(strategy), str(model.get("name", "")), str(model.get("digest", ""))
    )


def _check_integers(value: object) -> None:
    """Raise ValueError for an integer of more than 64 bits, which TOML does not have.

    Python reads any, and cannot print all: https://toml.io/en/v1.0.0#integer
    """
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            _check_integers(each)
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("it has an integer of more than 64 bits")


def _table(path: Path, values: dict[str, Any], name: str) -> dict[str, Any]:
    table = values.get(name)
    if not isinstance(table, dict):
        raise ConfigError(
            Message("{path} has no table [{name}].", path=path, name=name),
            Message("Export it again."),
        )
    return table


def strategy_names() -> tuple[str, ...]:
    """All strategies that `strategy` knows, installed or not."""
    return (*PRESETS, *registry.names())


def strategy(name: str) -> Preset:
    """The strategy called `name`; raises ConfigError with the known names."""
    if name in PRESETS:
        return PRESETS[name]
    try:
        # Which packages are installed is looked up only for names that are not built in.
        known = registry.baseline(name)
    except ConfigError as error:
        raise ConfigError(
            Message("There's no strategy called {name}.", name=repr(name)),
            Message("Choose one of: {strategy_names}.", strategy_names=", ".join(strategy_names())),
        ) from error
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
