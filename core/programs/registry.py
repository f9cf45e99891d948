"""All presets of programs, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.core.programs.hugging_face import Diffusers, Safetensors, Transformers
from modelmon.core.programs.llama_cpp import LlamaCli, LlamaServer
from modelmon.core.programs.llama_cpp_bindings import LlamaCppPython, Xllamacpp
from modelmon.core.programs.on_request import ComfyUi, LmStudio, Ollama
from modelmon.core.programs.servers import Ktransformers, Sglang, Vllm

if TYPE_CHECKING:
    from modelmon.core.programs.preset import Preset

PROGRAMS: dict[str, Preset] = {
    each.name: each
    for each in (
        LlamaServer(),
        LlamaCli(),
        LlamaCppPython(),
        Xllamacpp(),
        Transformers(),
        Diffusers(),
        Safetensors(),
        Vllm(),
        Sglang(),
        Ktransformers(),
        Ollama(),
        LmStudio(),
        ComfyUi(),
    )
}


def known_program(name: str) -> Preset:
    """The preset called `name`; raises ConfigError with the known names."""
    try:
        return PROGRAMS[name]
    except KeyError:
        raise ConfigError(
            Message("There's no program preset called {name}.", name=repr(name)),
            Message("Choose one of: {names}.", names=", ".join(PROGRAMS)),
        ) from None
