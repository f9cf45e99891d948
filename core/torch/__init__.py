"""Tensors of torch: `load_file` and `load_model` of safetensors.torch, `safe_open` of safetensors,
by the engine. What saves, and reads bytes, is safetensors' own.

Change the import, and nothing else: names, arguments, order, types and exceptions are those of
safetensors. One thing differs: all of a file has been read when `load_file` returns, and a tensor
when `get_tensor` does; safetensors leaves that to whoever touches it.

This folder alone imports torch, when it is first needed: where nothing else has imported it, beside
the reads of the first file.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError

from modelmon.core.torch.safetensors import Slice, load_file, load_model, safe_open

if find_spec("torch") is None:
    raise ModuleNotFoundError("modelmon.core.torch needs torch: pip install torch", name="torch")

if TYPE_CHECKING:
    from safetensors.torch import load, save, save_file, save_model


__all__ = [
    "SafetensorError",
    "Slice",
    "load",
    "load_file",
    "load_model",
    "safe_open",
    "save",
    "save_file",
    "save_model",
]

_THEIRS = ("load", "save", "save_file", "save_model")


def __getattr__(name: str) -> Any:
    if name not in _THEIRS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import safetensors.torch  # noqa: PLC0415  imports torch

    return getattr(safetensors.torch, name)


def __dir__() -> list[str]:
    # For help() and for completion, which resolve what they find here.
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
