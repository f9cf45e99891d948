"""llama.cpp within Python: llama-cpp-python and xllamacpp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.programs.executable import answer
from modelmon.core.programs.preset import Variant
from modelmon.core.programs.python_package import PythonLibrary

if TYPE_CHECKING:
    from modelmon.core.programs.preset import Access
    from modelmon.core.programs.python_environment import PythonEnvironment

_BINDINGS = "https://github.com/abetlen/llama-cpp-python"
_XLLAMACPP = "https://github.com/xorbitsai/xllamacpp"
_NAMES = (
    "import xllamacpp; print(*dir(xllamacpp), *dir(getattr(xllamacpp, 'llama_load_mode', None)))"
)


class LlamaCppPython(PythonLibrary):
    """llama-cpp-python's `Llama(model_path)`."""

    name = "llama-cpp-python"
    title = "llama-cpp-python"
    home = _BINDINGS
    formats = ("gguf",)
    distribution = "llama-cpp-python"
    sources = ("llama_cpp/llama.py",)
    offers = (
        Variant(
            "no-mmap",
            "buffered",
            "before September 2026",
            f"{_BINDINGS}/blob/main/llama_cpp/llama.py",
            ("use_mmap=False",),
            needs=("use_mmap",),
        ),
        Variant(
            "mlock",
            "mapped-locked",
            "before September 2026",
            f"{_BINDINGS}/blob/main/llama_cpp/llama.py",
            ("use_mlock=True",),
            needs=("use_mlock",),
        ),
    )


def _mode(name: str, access: Access, constant: str) -> Variant:
    constant = f"LLAMA_LOAD_MODE_{constant}"
    return Variant(name, access, "2026", _XLLAMACPP, (f"load_mode={constant}",), needs=(constant,))


class Xllamacpp(PythonLibrary):
    """xllamacpp: a package with llama.cpp's server inside."""

    name = "xllamacpp"
    title = "xllamacpp"
    home = _XLLAMACPP
    formats = ("gguf",)
    distribution = "xllamacpp"
    offers = (
        _mode("mmap", "mapped", "MMAP"),
        _mode("none", "buffered", "NONE"),
        _mode("dio", "direct", "DIRECT_IO"),
        _mode("mlock", "locked", "MLOCK"),
        _mode("mmap+mlock", "mapped-locked", "MMAP_MLOCK"),
    )

    def says(self, environment: PythonEnvironment) -> str:
        """The names in it: it is compiled, and has no source to read."""
        return answer(environment.path, "-c", _NAMES)
