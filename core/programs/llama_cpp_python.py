"""llama.cpp within Python: llama-cpp-python and xllamacpp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import Message, verbatim
from modelmon.core.programs.advice import Checked, Setting, python_form
from modelmon.core.programs.installed import PythonLibrary, answer, keyword
from modelmon.core.programs.known_program import ReadySign, Variant
from modelmon.core.programs.outcome import ReadPattern

if TYPE_CHECKING:
    from modelmon.core.programs.installed import PythonEnvironment
    from modelmon.core.programs.known_program import Access
    from modelmon.core.programs.outcome import Outcome

_BINDINGS = "https://github.com/abetlen/llama-cpp-python"
_IN_LLAMA_PY = ("before September 2026", f"{_BINDINGS}/blob/main/llama_cpp/llama.py")
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
    shows_ready = ReadySign(
        r"llama_cpp\.server",
        *("8000", "v1/models", "PORT"),
        ("--config-file", "--ssl-keyfile", "--api-key"),
        ("--model",),
    )
    offers = (
        keyword("no-mmap", "buffered", *_IN_LLAMA_PY, "use_mmap=False"),
        keyword("mlock", "mapped-locked", *_IN_LLAMA_PY, "use_mlock=True"),
    )
    advised = ("gguf",)
    checked = Checked("2026-11-27", "abetlen/llama-cpp-python", "00c954ec7b79")
    maps_with = 1

    def setting(self, found: Outcome) -> Setting | Message:
        """Its constructor's `use_mmap`; it has no argument for direct I/O."""
        mapped = found.reading.access == "mapped"
        return Setting(
            summary=verbatim(f"use_mmap={mapped}"),
            forms=(
                python_form(
                    "from llama_cpp import Llama\n\n"
                    f"model = Llama(model_path={found.file!r}, use_mmap={mapped})\n"
                ),
            ),
            reading=ReadPattern("mapped" if mapped else "buffered"),
            since=Message("before September 2026"),
            source="abetlen/llama-cpp-python: class Llama",
            keep_in_mind=Message("It turns mmap off automatically with a LoRA file."),
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
