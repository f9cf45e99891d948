"""Libraries as their own examples call them, to hold modelmon's adapters against.

Each takes the paths of a model's files and returns every tensor by name. What an example does with
a tensor on a GPU is left out; what it hands out is kept.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Example = Callable[[Sequence[str]], Mapping[str, Any]]


def _numpy() -> Example:
    import_module("ml_dtypes")  # safetensors asks numpy for bfloat16, which has it from there
    load_file = import_module("safetensors.numpy").load_file

    return lambda paths: {k: v for path in paths for k, v in load_file(path).items()}


def _torch() -> Example:
    load_file = import_module("safetensors.torch").load_file

    return lambda paths: {k: v for path in paths for k, v in load_file(path).items()}


def _get_tensor() -> Example:
    """https://huggingface.co/docs/safetensors/index."""
    framework = "pt" if find_spec("torch") else "np"
    import_module("torch" if framework == "pt" else "numpy")
    safe_open = import_module("safetensors").safe_open

    def load(paths: Sequence[str]) -> dict[str, Any]:
        tensors = {}
        for path in paths:
            with safe_open(path, framework=framework, device="cpu") as f:
                for key in f.keys():  # noqa: SIM118  no mapping
                    tensors[key] = f.get_tensor(key)
        return tensors

    return load


def _fastsafetensors() -> Example:
    """docs/overview.md of fastsafetensors; since 0.4 no clone is needed to keep a tensor."""
    import_module("torch")
    fastsafe_open = import_module("fastsafetensors").fastsafe_open

    def load(paths: Sequence[str]) -> dict[str, Any]:
        tensors = {}
        with fastsafe_open(filenames=list(paths), nogds=True, device="cpu") as f:
            for key in f.keys():  # noqa: SIM118  as above
                tensors[key] = f.get_tensor(key)
        return tensors

    return load


def _runai() -> Example:
    """README.md of runai-model-streamer."""
    streamer_class = import_module("runai_model_streamer").SafetensorsStreamer

    def load(paths: Sequence[str]) -> dict[str, Any]:
        tensors = {}
        with streamer_class() as streamer:
            streamer.stream_files(list(paths))
            for name, tensor in streamer.get_tensors():
                tensors[name] = tensor
        return tensors

    return load


EXAMPLES: dict[str, Callable[[], Example]] = {
    "safetensors.numpy.load_file": _numpy,
    "safetensors.torch.load_file": _torch,
    "safetensors.get_tensor": _get_tensor,
    "fastsafetensors": _fastsafetensors,
    "runai-model-streamer": _runai,
}
"""By the name of the baseline; each imports what it needs and gives what loads."""
