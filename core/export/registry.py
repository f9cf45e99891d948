"""All consumers by name, and what to say to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.export.advice import PROGRAM_ID
from modelmon.core.export.consumers import (
    comfyui,
    diffusers,
    gcsfuse,
    ktransformers,
    llama_cpp,
    llama_cpp_python,
    lm_studio,
    modelmon_file,
    mount_s3,
    nfs,
    ollama,
    plain_safetensors,
    rclone,
    readahead,
    sglang,
    swappiness,
    tested_program,
    transformers,
    vllm,
    warm,
    wsl,
)
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.export.advice import Consumer, ConsumerAdvice
    from modelmon.core.export.outcome import Outcome

CONSUMERS: dict[str, Consumer] = {
    module.CONSUMER.id: module.CONSUMER
    for module in (
        tested_program,
        modelmon_file,
        llama_cpp,
        llama_cpp_python,
        ollama,
        lm_studio,
        vllm,
        sglang,
        ktransformers,
        transformers,
        diffusers,
        plain_safetensors,
        comfyui,
        warm,
        readahead,
        nfs,
        gcsfuse,
        mount_s3,
        rclone,
        wsl,
        swappiness,
    )
}

OWN = modelmon_file.ID
"""The consumer that everything is stored for: modelmon itself."""


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
