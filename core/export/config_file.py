"""Writes `modelmon.toml`: how to load what was measured, with the evidence.

core/load/strategies.py documents the schema and reads it back.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec
import tomlkit

from modelmon.core.export.outcome import told
from modelmon.core.load.strategies import CONFIG_SCHEMA
from modelmon.core.messages import joined, to_text
from modelmon.core.units import duration_text

if TYPE_CHECKING:
    from tomlkit.items import Table

    from modelmon.core.export.outcome import Outcome, Stored


def render(found: Outcome) -> str:
    """The text of `modelmon.toml`. Raises ModelmonError where nothing can be stored."""
    stored, measured = found.stored, found.measured
    document = tomlkit.document()
    document.add(tomlkit.comment("How to load this model on this machine. Written by modelmon."))
    # What is streamed is not kept: there is nothing that load_model could return.
    streams = stored.config.deliver == "streamed"
    call = "stream_model(path, consume" if streams else "load_model(path"
    document.add(tomlkit.comment(f"Use it: modelmon.core.{call}, config=THIS_FILE)"))
    document.add(tomlkit.comment("    or: modelmon run PATH --config THIS_FILE"))
    document["schema"] = CONFIG_SCHEMA
    created = time.gmtime(measured.created_unix_s)
    document["created"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", created)
    if measured.model is not None:
        document["model"] = msgspec.to_builtins(measured.model)
    document["machine"] = msgspec.to_builtins(measured.machine)
    document["load"] = {"strategy": stored.strategy, **stored.config.as_dict()}
    document["evidence"] = _evidence(found, stored)
    return tomlkit.dumps(document)


def _evidence(found: Outcome, stored: Stored) -> Table:
    others = tuple(filter(None, (*found.reasons, found.caution)))
    reason = told(found.sentence, *others) if stored.instead else joined(others)
    table = tomlkit.table()
    table["sentence"] = to_text(stored.instead or found.sentence)
    table["reason"] = to_text(reason)
    table["cache"] = found.measured.cache
    if stored.median_ns is not None:
        table["median_s"] = round(stored.median_ns / 1e9, 6)
        table["median_s"].comment(duration_text(stored.median_ns))
    if stored.runs is not None:
        table["runs"] = stored.runs
    table["measured_with"] = to_text(found.measured.measured_with) or found.measured.path
    return table
