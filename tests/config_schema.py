"""The JSON Schema of `modelmon.toml`, of the types that read and write it; resources has it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from modelmon.core.history.origin import Machine
from modelmon.core.load.config import MIN_CHUNK_BYTES, RANGES, LoadConfig
from modelmon.core.load.config_file import CONFIG_SCHEMA
from modelmon.core.model.fingerprint import ModelFingerprint


class Evidence(msgspec.Struct, frozen=True):
    """Why: the verdict with its reason, and the strategy's own time. Older files have more keys."""

    sentence: str
    cache: Literal["cold", "warm", "as-is"]
    reason: str = ""
    median_s: float | msgspec.UnsetType = msgspec.UNSET
    runs: int | msgspec.UnsetType = msgspec.UNSET
    measured_with: str = ""


class ConfigFile(msgspec.Struct, frozen=True):
    """How to load one model on one machine, with the evidence."""

    schema: int
    load: LoadConfig
    created: str = ""
    model: ModelFingerprint | msgspec.UnsetType = msgspec.UNSET
    machine: Machine | msgspec.UnsetType = msgspec.UNSET
    evidence: Evidence | msgspec.UnsetType = msgspec.UNSET


def config_schema() -> dict[str, Any]:
    """The schema as a JSON document.

    What LoadConfig checks by itself, since a loader has nothing but the standard library, is added
    from where it is written down.
    """
    schema = msgspec.json.schema(ConfigFile)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "modelmon.toml"
    parts = schema["$defs"]
    parts["ConfigFile"]["properties"]["schema"] = {"const": CONFIG_SCHEMA}
    load = parts["LoadConfig"]
    # Its docstring is for who writes Python; docs/settings.md is for who writes the file.
    load["description"] = "The strategy. A key that is missing has its default."
    load["additionalProperties"] = False
    load["properties"]["strategy"] = {"type": "string", "default": "custom"}
    for axis, (least, most) in RANGES.items():
        load["properties"][axis] |= {"minimum": least, "maximum": most}
    load["properties"]["chunk_bytes"]["multipleOf"] = MIN_CHUNK_BYTES
    return schema


def schema_text() -> str:
    """The schema as the file that is shipped."""
    return msgspec.json.format(msgspec.json.encode(config_schema())).decode() + "\n"
