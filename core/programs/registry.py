"""All programs by name: which are here, what can be set, the command of a load, and what to say to
each of them, and to parts of the system, about a result.
"""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.core.programs.advice import PROGRAM_ID
from modelmon.core.programs.comfyui import ComfyUi
from modelmon.core.programs.hugging_face import Diffusers, Transformers
from modelmon.core.programs.installed import PythonPackage
from modelmon.core.programs.known_program import DEFAULT, ListedProgram, ListedVariant, ProgramList
from modelmon.core.programs.llama_cpp import LlamaCli, LlamaServer
from modelmon.core.programs.llama_cpp_python import LlamaCppPython, Xllamacpp
from modelmon.core.programs.lm_studio import LmStudio
from modelmon.core.programs.modelmon import MODELMON, PAGE_CACHE, TESTED_PROGRAM
from modelmon.core.programs.ollama import Ollama
from modelmon.core.programs.safetensors import Safetensors
from modelmon.core.programs.sglang import Ktransformers, Sglang
from modelmon.core.programs.system import SYSTEM
from modelmon.core.programs.vllm import Vllm

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.advice import Consumer, ConsumerAdvice
    from modelmon.core.programs.known_program import Command, Found, KnownProgram, Variant
    from modelmon.core.programs.outcome import Outcome

_LOOPBACK = "127.0.0.1"
PROGRAMS: dict[str, KnownProgram] = {
    each.name: each
    for each in (
        LlamaServer(),
        LlamaCli(),
        LlamaCppPython(),
        Xllamacpp(),
        Ollama(),
        LmStudio(),
        Vllm(),
        Sglang(),
        Ktransformers(),
        Transformers(),
        Diffusers(),
        Safetensors(),
        ComfyUi(),
    )
}
CONSUMERS: dict[str, Consumer] = {
    each.name: each
    for each in (
        TESTED_PROGRAM,
        MODELMON,
        *(program for program in PROGRAMS.values() if program.advised),
        PAGE_CACHE,
        *SYSTEM,
    )
}
"""Who can be advised, and what."""


def known_program(name: str) -> KnownProgram:
    """The program called `name`; raises ConfigError with the known names."""
    try:
        return PROGRAMS[name]
    except KeyError:
        raise ConfigError(
            Message("There's no program preset called {name}.", name=repr(name)),
            Message("Choose one of: {names}.", names=", ".join(PROGRAMS)),
        ) from None


def advice(found: Outcome, names: Iterable[str]) -> tuple[ConsumerAdvice, ...]:
    """What to set for each of these; raises ConfigError with the known names."""
    return tuple(_consumer(name).advise(found) for name in dict.fromkeys(names))


def all_advice(found: Outcome) -> tuple[ConsumerAdvice, ...]:
    """What to set for everything, but for parts of the system that have nothing to set here. Of a
    command that was tested, the command.
    """
    if found.is_program:
        return advice(found, [PROGRAM_ID])
    everything = ((each, each.advise(found)) for each in CONSUMERS.values())
    return tuple(
        said for each, said in everything if said.standing != "cannot" or not each.is_system
    )


def _consumer(name: str) -> Consumer:
    if name in CONSUMERS:
        return CONSUMERS[name]
    raise ConfigError(
        Message("There's no export for {name}.", name=repr(name)),
        Message("Choose of: {names}.", names=", ".join(CONSUMERS)),
    )


def start_command(
    name: str,
    model: Model,
    variant: str = DEFAULT,
    at: Path | None = None,
    more: Sequence[str] = (),
) -> Command:
    """The command by which the program called `name` loads `model`; `more` arguments come last.

    `at` is where the program is, if not in a usual place. Raises ConfigError where there is no such
    program or variant, and where it can't load this model here.
    """
    chosen = known_program(name)
    found = chosen.find(at)
    chosen.check(found, model)
    command = chosen.command(found, model, free_port(), chosen.variant(found, variant))
    return command.with_more(more)


def free_port() -> int:
    """A port of this machine that nobody listens at, for now."""
    with socket.socket() as unused:
        unused.bind((_LOOPBACK, 0))
        port: int = unused.getsockname()[1]
    return port


def listed(model: Model | None = None, python: Path | None = None) -> ProgramList:
    """Every program, and whether it can load `model` here, or anything; takes seconds at most.
    Packages are looked for in the environment of `python`, if one is given.
    """
    # Each is asked for its version, and some take their time.
    with ThreadPoolExecutor(len(PROGRAMS)) as pool:
        return ProgramList(
            tuple(pool.map(lambda each: _listed(each, model, python), PROGRAMS.values()))
        )


def _listed(program: KnownProgram, model: Model | None, python: Path | None) -> ListedProgram:
    found = program.find(python if isinstance(program, PythonPackage) else None)
    if found.obstacle:
        variants = tuple({each.name: each for each in reversed(program.offers)}.values())[::-1]
    else:
        variants = program.variants(found)
    obstacle = program.obstacle(found, model)
    loads = None if obstacle else model
    return ListedProgram(
        program.name,
        program.title,
        found.version,
        obstacle,
        found.path,
        program.formats,
        program.has_place and not program.unstartable and (model is None or program.takes(model)),
        tuple(_variant(each, program, found, loads) for each in variants),
    )


def _variant(
    each: Variant, program: KnownProgram, found: Found, model: Model | None
) -> ListedVariant:
    told = (each.name, each.setting, each.access, each.meaning, each.since, each.source)
    if model is None:
        return ListedVariant(*told)
    command = program.command(found, model, free_port(), each)
    return ListedVariant(*told, command.text, command.ready)
