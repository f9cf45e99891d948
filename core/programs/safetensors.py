"""safetensors in plain Python, without modelmon and with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import Message, verbatim
from modelmon.core.programs.advice import Checked, Setting, python_form
from modelmon.core.programs.installed import PythonLibrary
from modelmon.core.programs.known_program import Variant
from modelmon.core.programs.modelmon import call
from modelmon.core.programs.outcome import UNOPENED, ReadPattern
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.outcome import Outcome

_READ_AHEAD = """\
import os
from concurrent.futures import ThreadPoolExecutor

from safetensors import safe_open

REQUEST_BYTES = {request_bytes}


def read_ahead(path):
    \"\"\"Fill the page cache with {readers} readers.\"\"\"
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with ThreadPoolExecutor({readers}) as readers:
            places = range(0, os.path.getsize(path), REQUEST_BYTES)
            for _ in readers.map(lambda at: len(os.pread(descriptor, REQUEST_BYTES, at)), places):
                pass
    finally:
        os.close(descriptor)


tensors = {{}}
for path in {paths}:
    read_ahead(path)
    with safe_open(path, framework="pt") as file:
        tensors.update((name, file.get_tensor(name)) for name in file.keys())
"""
_PLAIN = """\
from safetensors import safe_open

tensors = {{}}
for path in {paths}:
    with safe_open(path, framework="pt"{backend}) as file:
        tensors.update((name, file.get_tensor(name)) for name in file.keys())
"""


class Safetensors(PythonLibrary):
    """safetensors' `safe_open` with every tensor taken, for torch or else for numpy."""

    name = "safetensors"
    title = "safetensors"
    home = "https://huggingface.co/docs/safetensors"
    formats = ("safetensors",)
    distribution = "safetensors"
    sources = ("safetensors/__init__.pyi",)
    offers = (
        Variant(
            *("pread", "buffered", "0.8.0", "https://github.com/huggingface/safetensors/pull/760"),
            ("backend=pread",),
            needs=("backend", "pread"),
        ),
    )
    advised = ("safetensors",)
    advised_title = "safetensors in Python"
    checked = Checked("2026-11-27", "safetensors", "0.8.0")
    maps_with = 1

    def targets(self, model: Model) -> tuple[str, ...]:
        """All files: a set of shards is opened one by one."""
        return tuple(map(str, model.files))

    def setting(self, found: Outcome) -> Setting | Message:
        """The nearest code that is still short, for the files that were opened."""
        wanted, files = found.reading, found.files.paths
        if not files:
            return UNOPENED
        request_bytes = wanted.request_bytes or 4 * MIB
        text, backend, since = _PLAIN, "", Message("before safetensors 0.8")
        if found.readers > 1 or wanted.ahead:
            text, summary = _READ_AHEAD, Message("reads ahead with threads, then maps")
            reading = ReadPattern("mapped", found.readers, request_bytes, ahead=True)
        elif wanted.access == "mapped":
            summary, reading = verbatim("safe_open"), ReadPattern("mapped")
        else:
            backend, reading = ', backend="pread"', ReadPattern("buffered")
            summary, since = verbatim('backend="pread"'), Message("safetensors 0.8")
        lines = "".join(f"    {path!r},\n" for path in files)
        plain = text.format(
            readers=found.readers,
            request_bytes=request_bytes,
            backend=backend,
            paths=f"[\n{lines}]",
        )
        forms = [python_form(plain, Message("Without modelmon"))]
        if found.config.in_process.loads_here:
            with_modelmon = call(found.path, found.config.in_process)
            forms.append(python_form(with_modelmon, Message("With modelmon")))
        return Setting(
            summary=summary,
            forms=tuple(forms),
            reading=reading,
            since=since,
            source="safetensors/safetensors#760" if backend else "huggingface.co/docs/safetensors",
            keep_in_mind=Message("The tensors are PyTorch's; with modelmon they are NumPy's."),
        )
