"""safetensors in plain Python, without modelmon and with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.advice import Checked, Consumer, Setting
from modelmon.core.export.consumers.modelmon_file import call
from modelmon.core.export.forms import python_form
from modelmon.core.export.outcome import UNOPENED
from modelmon.core.export.reading import Reading
from modelmon.core.messages import Message, verbatim
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from modelmon.core.export.outcome import Outcome

CHECKED = Checked("2026-11-27", "safetensors", "0.8.0")
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


def setting(found: Outcome) -> Setting | Message:
    """The nearest code that is still short, for the files that were opened."""
    wanted, files = found.reading, found.files.paths
    if not files:
        return UNOPENED
    request_bytes = wanted.request_bytes or 4 * MIB
    text, backend, since = _PLAIN, "", Message("before safetensors 0.8")
    if found.readers > 1 or wanted.ahead:
        text, summary = _READ_AHEAD, Message("reads ahead with threads, then maps")
        reading = Reading("mapped", found.readers, request_bytes, ahead=True)
    elif wanted.access == "mapped":
        summary, reading = verbatim("safe_open"), Reading("mapped")
    else:
        backend, reading = ', backend="pread"', Reading("buffered")
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


CONSUMER = Consumer("safetensors", "safetensors in Python", ("safetensors",), setting, CHECKED)
