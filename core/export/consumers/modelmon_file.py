"""modelmon itself: the strategy as it was measured, all settings."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelmonError
from modelmon.core.export.advice import Consumer, Form, Setting
from modelmon.core.export.config_file import render
from modelmon.core.export.forms import python_form
from modelmon.core.load.api import DEFAULT_STRATEGY
from modelmon.core.load.config import LoadConfig, preset
from modelmon.core.messages import Message, verbatim

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

ID = "modelmon"


def setting(found: Outcome) -> Setting | Message:
    """modelmon.toml, and the same as a call."""
    stored = found.storable
    if isinstance(stored, ModelmonError):
        return stored.text
    is_default = stored.config == preset(DEFAULT_STRATEGY).config
    file = Form(verbatim("modelmon.toml"), "toml", render(found), "modelmon.toml")
    return Setting(
        summary=verbatim(DEFAULT_STRATEGY) if is_default else Message("all settings"),
        forms=(file, python_form(call(found.path, stored.config))),
        reading=found.reading,
        measured=stored.median_ns is not None,
        effect=stored.instead,
        is_default=is_default,
        keep_in_mind=Message("Measure again after a change of disk, kernel or model."),
    )


def call(path: str, config: LoadConfig) -> str:
    """The load as Python code."""
    given = ", ".join(
        f"{field.name}={getattr(config, field.name)!r}"
        for field in fields(LoadConfig)
        if getattr(config, field.name) != field.default
    )
    if config.deliver in ("streamed", "decoded"):
        return (
            "from modelmon.core import LoadConfig, stream_model\n\n\n"
            "def consume(tensor, offset, data): ...\n\n\n"
            f"stream_model({path!r}, consume, LoadConfig({given}))\n"
        )
    return (
        "from modelmon.core import LoadConfig, load_model\n\n"
        f"tensors = load_model({path!r}, LoadConfig({given}))\n"
    )


CONSUMER = Consumer(ID, "modelmon.load_model", ("safetensors", "gguf"), setting)
