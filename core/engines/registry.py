"""All presets of programs, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.engines.hugging_face import Diffusers, Safetensors, Transformers
from modelmon.core.engines.llama_cpp import LlamaCli, LlamaServer
from modelmon.core.engines.llama_cpp_bindings import LlamaCppPython, Xllamacpp
from modelmon.core.engines.on_request import ComfyUi, LmStudio, Ollama
from modelmon.core.engines.servers import Ktransformers, Sglang, Vllm
from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.engines.engine import Engine

ENGINES: dict[str, Engine] = {
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


def engine(name: str) -> Engine:
    """The preset called `name`; raises ConfigError with the known names."""
    try:
        return ENGINES[name]
    except KeyError:
        raise ConfigError(
            Message("There's no program preset called {name}.", name=repr(name)),
            Message("Choose one of: {names}.", names=", ".join(ENGINES)),
        ) from None
