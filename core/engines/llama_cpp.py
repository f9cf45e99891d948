"""llama.cpp: its server and its terminal program, both found on PATH."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from modelmon.core.engines.engine import Command, Engine, Found, Variant
from modelmon.core.engines.executable import answer, executable
from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.model.tensors import Model

_PULLS = "https://github.com/ggml-org/llama.cpp/pull"
_LOAD_MODE = ("June 2026", f"{_PULLS}/20834")
_MMAP = ("March 2023", f"{_PULLS}/613")
_NOT_MAPPED_LOCK = "- mlock: force"
"""How a build says that `mlock` by itself maps no longer."""

# Builds from June 2026 on take one --load-mode, and list the modes in their help; later ones took
# the older switches away. An older build has nothing to say that a file is to be mapped: it is.
_OFFERS = (
    Variant("default", "default", *_MMAP),
    Variant(
        "mmap", "mapped", *_LOAD_MODE, ("--load-mode", "mmap"), needs=("--load-mode", "- mmap:")
    ),
    Variant("mmap", "mapped", *_MMAP, needs=("--no-mmap",)),
    Variant(
        "none", "buffered", *_LOAD_MODE, ("--load-mode", "none"), needs=("--load-mode", "- none:")
    ),
    Variant("none", "buffered", *_MMAP, ("--no-mmap",), needs=("--no-mmap",)),
    Variant("dio", "direct", *_LOAD_MODE, ("--load-mode", "dio"), needs=("--load-mode", "- dio:")),
    Variant(
        "dio",
        "direct",
        "December 2025",
        f"{_PULLS}/18166",
        ("--direct-io",),
        needs=("--direct-io",),
    ),
    Variant(
        "mlock",
        "locked",
        *_LOAD_MODE,
        ("--load-mode", "mlock"),
        needs=("--load-mode", _NOT_MAPPED_LOCK),
    ),
)


class LlamaCpp(Engine):
    """What llama.cpp's programs share: their options are parsed by the same code."""

    formats = ("gguf",)
    offers = _OFFERS
    program: str

    def find(self, at: Path | None = None) -> Found:
        """On PATH; its `--help` says what it knows."""
        path = executable(self.program, at)
        if not path:
            return Found(
                obstacle=Message(
                    "There's no {program} on the PATH: install llama.cpp, or give its path.",
                    program=self.program,
                )
            )
        try:
            build = re.search(r"version: *(.+)", answer(path, "--version"))
            return Found(path, build[1].strip() if build else "", answer(path, "--help"))
        except ConfigError as error:
            return Found(path, obstacle=error.message)


class LlamaServer(LlamaCpp):
    """`llama-server`, ready when it answers that it is."""

    name = "llama.cpp"
    title = "llama.cpp"
    program = "llama-server"

    def load(self, found: Found, model: Model, port: int) -> Command:
        """Without the warm-up run, which is no part of the load."""
        first = str(model.files[0])
        options = ("--model", first, "--host", "127.0.0.1", "--port", str(port), "--no-warmup")
        return Command((found.path, *options), f"http:{port}/health")
