"""modelmon from Python, without a window and without Qt.

`load_model`, `lazy_model` and `stream_model` load a model; `run`, `compare` and `best` measure how
fast it loads. What stands in for safetensors.torch is in `modelmon.core.torch`, and the errors are
in `modelmon.core.errors`.

These names are resolved on first use, so that importing a part of the engine (as a loader process
does) imports nothing that it does not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modelmon.core.load.api import lazy_model, load_model, stream_model
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.loaded import LoadedModel
    from modelmon.core.measure import best, compare, run

__all__ = [
    "LoadConfig",
    "LoadedModel",
    "best",
    "compare",
    "lazy_model",
    "load_model",
    "run",
    "stream_model",
]

_HOMES = {
    "LoadConfig": "modelmon.core.load.config",
    "LoadedModel": "modelmon.core.load.loaded",
    "best": "modelmon.core.measure",
    "compare": "modelmon.core.measure",
    "lazy_model": "modelmon.core.load.api",
    "load_model": "modelmon.core.load.api",
    "run": "modelmon.core.measure",
    "stream_model": "modelmon.core.load.api",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module  # noqa: PLC0415  costs a loader's start

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    # For help() and for completion, which resolve what they find here.
    return sorted({*globals(), *__all__})
