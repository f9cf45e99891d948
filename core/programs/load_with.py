"""Loads a model with a Python library, as its users do, says when it is imported and when the model
is loaded, and ends.

`python load_with.py LIBRARY PATH... [NAME=VALUE]...`, run by the Python that has the library, with
absolute paths, and keyword arguments of the library's call as settings: True, False, or text. It
imports nothing of modelmon, and reads as old a Python as the libraries do.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any


def with_transformers(folder: str, **settings: Any) -> Any:
    """By the class that the model names, as a user takes it, or else by AutoModel."""
    transformers = importlib.import_module("transformers")
    names = _config(folder).get("architectures") or [""]
    kind = _model_class(transformers, names[0], "PreTrainedModel") or transformers.AutoModel
    say("imported")
    return kind.from_pretrained(folder, **settings)


def with_diffusers(folder: str, **settings: Any) -> Any:
    """By the class that the component names."""
    name = _config(folder)["_class_name"]
    kind = _model_class(importlib.import_module("diffusers"), name, "ModelMixin")
    if kind is None:
        sys.exit(f"diffusers has no model class {name}.")
    say("imported")
    return kind.from_pretrained(folder, **settings)


def with_safetensors(*paths: str, **settings: Any) -> Any:
    """Every tensor of all files; for torch where it is installed, else for numpy."""
    # Imported before: safe_open would import it with the file open, as if it read so long.
    framework = "pt" if importlib.util.find_spec("torch") else "np"
    importlib.import_module("torch" if framework == "pt" else "numpy")
    if framework == "np" and importlib.util.find_spec("ml_dtypes"):
        # numpy knows bfloat16 by it, and safetensors asks numpy itself for the 8-bit floats.
        more, numpy = map(importlib.import_module, ("ml_dtypes", "numpy"))
        for name in filter(lambda name: name.startswith("float8_"), dir(more)):
            vars(numpy).setdefault(name, getattr(more, name))
    safe_open = importlib.import_module("safetensors").safe_open
    say("imported")
    tensors: dict[str, Any] = {}
    for path in paths:
        with safe_open(path, framework, **settings) as file:
            tensors.update((name, file.get_tensor(name)) for name in file.keys())  # noqa: SIM118
    return tensors


def with_llama_cpp_python(path: str, **settings: Any) -> Any:
    """By its class for a model."""
    llama_cpp = importlib.import_module("llama_cpp")
    say("imported")
    return llama_cpp.Llama(path, verbose=False, **settings)


def with_xllamacpp(path: str, load_mode: str | None = None) -> Any:
    """By its server, which is there when the model is loaded; without the warm-up run."""
    xllamacpp = importlib.import_module("xllamacpp")
    say("imported")
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.warmup = False
    params.verbosity = 4  # it says its phases from this on
    if load_mode is not None:
        params.load_mode = getattr(xllamacpp.llama_load_mode, load_mode)
    return xllamacpp.Server(params)


def say(what: str) -> None:
    """Print what has been done so far."""
    # What a progress bar began is a line that has no end.
    sys.stdout.write(f"\nmodelmon: {what}\n")
    sys.stdout.flush()


def _model_class(library: Any, name: object, base: str) -> Any:
    """The library's class for a model of that name; None where it has none. The name is a
    stranger's, and other classes run code that is in the model's folder.
    """
    kind = getattr(library, str(name), None)
    return kind if isinstance(kind, type) and issubclass(kind, getattr(library, base)) else None


def _config(folder: str) -> Any:
    return json.loads(Path(folder, "config.json").read_text(encoding="utf-8"))


def main() -> Any:
    """Load what the command line names; returns what keeps it in memory."""
    library, *given = sys.argv[1:]
    paths = [each for each in given if each.startswith("/")]
    named = [each.partition("=") for each in given if not each.startswith("/")]
    truths = {"True": True, "False": False}
    load = globals()["with_" + library.replace("-", "_")]
    model = load(*paths, **{name: truths.get(value, value) for name, _, value in named})
    say("loaded")
    return model


if __name__ == "__main__":
    # Modules of modelmon beside this script are called like libraries: llama_cpp.
    beside = Path(__file__).resolve().parent
    sys.path[:] = [each for each in sys.path if not each or Path(each).resolve() != beside]
    # Freed only as the process ends: who watches looks at its memory when it says it's loaded.
    kept = main()
