"""modelmon itself: modelmon.toml and a call that load as was measured, the page cache filled ahead
of a program, and the command of the program that was tested.

core/load/config_file.py documents the schema of modelmon.toml and reads it back.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import time
from dataclasses import fields
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import msgspec
import tomlkit

from modelmon.core.errors import ModelmonError
from modelmon.core.load.api import DEFAULT_STRATEGY
from modelmon.core.load.config import LoadConfig, preset
from modelmon.core.load.config_file import CONFIG_SCHEMA
from modelmon.core.messages import NOTHING, Message, joined, to_text, verbatim
from modelmon.core.programs.advice import (
    COMMAND,
    PROGRAM_ID,
    Form,
    Part,
    Setting,
    command_form,
    option_lines,
    python_form,
)
from modelmon.core.programs.known_program import DEFAULT
from modelmon.core.programs.outcome import told
from modelmon.core.units import duration_text
from modelmon.core.worker.command_words import recorded_words

if TYPE_CHECKING:
    from tomlkit.items import Table

    from modelmon.core.programs.outcome import Outcome, Stored

OWN = "modelmon"
"""The consumer that everything is stored for: modelmon itself."""
_OF_PATHS = ("/", "./", "../")
_WORTH_WARMING_SHARE = 0.7
"""Filling the cache takes about as long as a cold start: so much shorter a start has to become."""


def _own_setting(found: Outcome) -> Setting | Message:
    """modelmon.toml, and the same as a call."""
    stored = found.storable
    if isinstance(stored, ModelmonError):
        return stored.text
    is_default = stored.config == preset(DEFAULT_STRATEGY).config
    file = Form(verbatim("modelmon.toml"), "toml", modelmon_toml(found), "modelmon.toml")
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


def modelmon_toml(found: Outcome) -> str:
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


def _tested_setting(found: Outcome) -> Setting | Message:
    """The command, word for word, but for the model's path, which is told in full."""
    if not found.is_program:
        return Message("What was tested is a strategy of modelmon, not a program.")
    if not found.program:
        return Message("Its command isn't in the result.")
    return Setting(
        summary=verbatim(found.strategy),
        forms=(command_form(option_lines(_from_anywhere(found))),),
        measured=True,
        is_default=found.strategy.endswith(f" {DEFAULT}"),
        keep_in_mind=Message("Its port was free when it was tested; choose your own.")
        if "--port" in found.program
        else NOTHING,
    )


def _from_anywhere(found: Outcome) -> list[str]:
    """The command as it works from any folder: where it was run nobody knows, but the model that it
    names lies where it did.
    """
    program, *arguments = recorded_words(found.program)
    models = (found.path, found.file)
    named = {at: full for at, each in enumerate(arguments) if (full := _in_full(each, models))}
    # A name that the model is to have can be the same: paths are sure, else the first counts.
    sure = [at for at in named if _place(arguments[at]).startswith(_OF_PATHS)] or [*named][:1]
    told = [named[at] if at in sure else each for at, each in enumerate(arguments)]
    return [program, *told]


def _in_full(argument: str, models: tuple[str, ...]) -> str:
    """An argument, or what an option is set to, where it is the end of a model's path; else ""."""
    place = _place(argument)
    steps = [step for step in PurePath(place).parts if step != ".."]
    for model in models:
        if steps and PurePath(model).parts[-len(steps) :] == tuple(steps):
            return argument.removesuffix(place) + model
    return ""


def _place(argument: str) -> str:
    """An argument, or what an option is set to."""
    return argument.partition("=")[2] if argument[:1] == "-" else argument


def _warm_setting(found: Outcome) -> Setting | Message:
    """The cache filled beforehand, where starts from it were measured and are much shorter."""
    warm_ns = found.warm_ns
    if warm_ns is None:
        return Message("Starts with the model in the page cache weren't measured here.")
    if warm_ns > _WORTH_WARMING_SHARE * found.median_ns:
        return Message("Starts with the model in the page cache are hardly shorter here.")
    words = ("modelmon", "warm", found.path)
    command = (_modelmon_path(found), "warm", "--quiet", found.path)
    # A service starts also where the cache can't be filled.
    service = f"[Service]\nExecStartPre=-{' '.join(map(_systemd_word, command))}\n"
    return Setting(
        summary=verbatim(shlex.join(words)),
        forms=(
            command_form((), (words,), COMMAND),
            Form(Message("systemd"), "ini", service, "warm.conf", (1,)),
        ),
        effect=Message(
            "With the model in the page cache the fastest start took {warm} instead of {cold}."
            " Filling the cache takes about as long as a cold start."
            " Other programs weren't measured.",
            warm=duration_text(warm_ns),
            cold=duration_text(found.median_ns),
        ),
        source="systemd.service(5)",
        keep_in_mind=Message(
            "It helps programs that map the model or read it through the cache, "
            "while it fits in memory; direct I/O doesn't use it."
        ),
    )


def _modelmon_path(found: Outcome) -> str:
    """Where modelmon is on the machine of the model: systemd doesn't look in a user's folders."""
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    here = None if found.server else shutil.which("modelmon", path=places)
    return str(Path(here).absolute()) if here else "/PATH/TO/modelmon"


def _systemd_word(text: str) -> str:
    """A word of a unit's command line: specifiers, variables and quotation marks as they are."""
    text = text.replace("%", "%%").replace("$", "$$")
    if re.fullmatch(r"[\w@%+=:,./$-]+", text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


TESTED_PROGRAM = Part(PROGRAM_ID, "The tested program", _tested_setting)
MODELMON = Part(OWN, "modelmon.load_model", _own_setting, ("safetensors", "gguf"))
PAGE_CACHE = Part("warm", "Page cache", _warm_setting)
