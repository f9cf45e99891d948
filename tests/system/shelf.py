"""A home folder with models of several programs: real headers, and holes instead of values."""

import os
import time

from modelmon.core.model.open import open_model
from modelmon.core.model.sample_layout import (
    dimensions_for,
    gguf_header,
    safetensors_header,
    tensors_of,
)

_COMMIT = "0" * 40
_SNAPSHOT = f"snapshots/{_COMMIT}/model.safetensors"
_HUB = ".cache/huggingface/hub"
_MODELS = (
    (f"{_HUB}/models--mistralai--Mistral-7B-Instruct-v0.3/{_SNAPSHOT}", 14.5, 32),
    (f"{_HUB}/models--Qwen--Qwen2.5-1.5B-Instruct/{_SNAPSHOT}", 3.09, 28),
    (".lmstudio/models/lmstudio-community/Qwen2.5-7B/Qwen2.5-7B-Instruct-Q4_K_M.gguf", 4.68, 28),
    (".cache/llama.cpp/bartowski_Llama-3.3-70B-Instruct-Q4_K_M.gguf", 42.5, 80),
    (".cache/llama.cpp/gemma-2-27b-it-Q4_K_M.gguf", 16.6, 46),
)
_ELSEWHERE = ("HF_HUB_CACHE", "HF_HOME", "OLLAMA_MODELS", "LLAMA_CACHE", "COMFYUI_PATH")
_DAY_S = 86_400


def live_in(home):
    """Make `home` this process's home folder, with models in it as other programs leave them."""
    for name in (*_ELSEWHERE, "HUGGINGFACE_HUB_CACHE", "XDG_CACHE_HOME"):
        os.environ.pop(name, None)
    os.environ["HOME"] = str(home)
    for place, size_gb, layers in _MODELS:
        path = home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, round(size_gb * 1e9), layers)
        if _COMMIT in path.parts:
            refs = path.parents[2] / "refs"
            refs.mkdir()
            (refs / "main").write_text(_COMMIT)


def remember_some(settings, home):
    """Let two of the models have been open on the days before."""
    for days, (place, _, _) in ((4, _MODELS[2]), (1, _MODELS[0])):
        path = home / place
        settings.add_recent(str(path), open_model(path), time.time() - days * _DAY_S)


def _write(path, size_bytes, layers):
    format = "gguf" if path.suffix == ".gguf" else "safetensors"
    dimensions = dimensions_for(format, size_bytes, layers)
    specs = tensors_of(format, dimensions)
    if format == "gguf":
        header = gguf_header(specs, dimensions)
    else:
        specs.sort(key=lambda spec: spec.name)
        header = safetensors_header(specs)
    path.write_bytes(header)
    padding = 32 * len(specs) if format == "gguf" else 0
    values = sum(spec.nbytes for spec in specs)
    os.truncate(path, len(header) + values + padding)
