"""Presets: named LoadConfigs, each with a sentence that describes it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import Message
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from typing import TypeGuard


CUSTOM = "custom"
"""What a configuration is called that has no name."""


class Preset(msgspec.Struct, frozen=True):
    """A named LoadConfig, and what it does: when it wins depends on the storage."""

    name: str
    when_it_wins: Message
    config: LoadConfig


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "mmap",
            Message("What most runtimes do. Leaves the file cached."),
            LoadConfig(access="mmap", order="model"),
        ),
        Preset(
            "shared-fd",
            Message("Workers share one descriptor and its readahead."),
            LoadConfig(access="mmap", readers=4, reader_kind="process", descriptor="shared"),
        ),
        Preset(
            "sequential",
            Message("One reader, front to back. Few seeks."),
            LoadConfig(access="read"),
        ),
        Preset(
            "parallel",
            Message("Several threads read at once. Often fast on NVMe."),
            LoadConfig(access="read", readers=4, chunk_bytes=MIB),
        ),
        Preset(
            "processes",
            Message("Several processes, each with its own descriptor."),
            LoadConfig(access="mmap", readers=4, reader_kind="process"),
        ),
        Preset(
            "direct",
            Message("Several threads read past the page cache."),
            LoadConfig(access="direct", readers=8, chunk_bytes=2 * MIB),
        ),
        Preset(
            "auto",
            Message("Maps cached parts, reads the rest."),
            LoadConfig(access="auto", readers=8, chunk_bytes=2 * MIB),
        ),
        Preset(
            "warm-then-map",
            Message("Reads the file into the page cache, then maps it."),
            LoadConfig(access="mmap", order="model", warmup="read"),
        ),
        Preset(
            "prefetch",
            Message("Reads ahead of where the map is used."),
            LoadConfig(access="mmap", order="file", prefetch_bytes=64 * MIB),
        ),
        Preset(
            "populate",
            Message("The kernel maps all at once."),
            LoadConfig(access="mmap", order="file", warmup="populate"),
        ),
    )
}


def preset(name: str) -> Preset:
    """The preset called `name`; raises ConfigError with the known names."""
    try:
        return PRESETS[name]
    except KeyError:
        raise ConfigError(
            Message("There's no strategy called {name}.", name=repr(name)),
            Message("Choose one of: {presets}.", presets=", ".join(PRESETS)),
        ) from None


def is_strategy_name(config: object) -> TypeGuard[str]:
    """Whether a text names a strategy, known or not, rather than an exported file."""
    return (
        isinstance(config, str)
        and not config.endswith(".toml")
        and {"/", os.sep}.isdisjoint(config)
    )


def preset_name(config: LoadConfig) -> str:
    """Name of the preset that `config` is, delivery aside, or `custom`."""
    for candidate in PRESETS.values():
        if replace(candidate.config, deliver=config.deliver) == config:
            return candidate.name
    return CUSTOM
