"""`modelmon.toml`, an exported configuration: how it is read.

Schema 1: `schema`, then the tables `[model]` (name, format, nbytes, tensors, digest), `[machine]`,
`[load]` (the axes of LoadConfig, all optional) and `[evidence]`. A loader reads `[load]` and checks
`[model] digest`; the rest is for people. CONFIG_SCHEMA counts up when an older reader would
misunderstand a newer file.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import LoadConfig, config_from_dict
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import fingerprint

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
