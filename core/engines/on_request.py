"""Programs that run first and load a model on a request: Ollama, LM Studio, ComfyUI.

modelmon makes no such request yet. It finds them, and knows their settings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psutil

from modelmon.core.engines.engine import Engine, Found, Variant
from modelmon.core.engines.executable import answer, executable
from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

_COMFYUI = "https://github.com/Comfy-Org/ComfyUI/blob/master/comfy/cli_args.py"
_LM_STUDIO = "https://github.com/lmstudio-ai/lmstudio-js"


class OnRequest(Engine):
    """Found as a process that runs, or as a command on PATH.

    process: a pattern of its command line, with its folder before it. program: its command, if it
    has one, and version: what that is asked for.
    """

    process: str
    program: str = ""
    version: str = ""

    def __init__(self) -> None:
        self.unstartable = Message(
            "{title} loads on a request, so it can't be started by modelmon yet. Watch it with"
            " --pid, and load the model there.",
            title=self.title,
        )

    def find(self, at: Path | None = None) -> Found:
        """The process that runs, else the command."""
        running = self._process()
        if running is not None:
            return Found(
                f"/proc/{running}",
                obstacle=Message(
                    "{title} runs as process {pid}. It loads on a request: watch it with"
                    " --pid {pid}, and load the model there.",
                    title=self.title,
                    pid=running,
                ),
            )
        path = executable(self.program, at) if self.program else ""
        if not path:
            return Found(obstacle=Message("{title} isn't running here.", title=self.title))
        try:
            said = answer(path, self.version) if self.version else ""
        except ConfigError as error:
            return Found(path, obstacle=error.message)
        number = re.search(r"\d+(?:\.\d+)+", said)
        return Found(path, number[0] if number else "")

    def _process(self) -> int | None:
        """The first process whose command line is its; those of others may not be seen."""
        pattern = re.compile(self.process)
        for process in psutil.process_iter(["cmdline", "cwd"]):
            line = " ".join([process.info["cwd"] or "", *(process.info["cmdline"] or ())])
            if pattern.search(line):
                return process.pid
        return None


class Ollama(OnRequest):
    """Ollama's server."""

    name = "ollama"
    title = "Ollama"
    home = "https://docs.ollama.com"
    formats = ("gguf",)
    process = r"^\S* (?:\S*/)?ollama serve\b"
    program = "ollama"
    version = "--version"
    offers = (
        Variant(
            "no-mmap",
            "buffered",
            "before September 2026",
            "https://docs.ollama.com/api",
            ("options.use_mmap=false",),
        ),
    )


class LmStudio(OnRequest):
    """LM Studio, by its window or its service."""

    name = "lm-studio"
    title = "LM Studio"
    home = "https://lmstudio.ai/docs"
    formats = ("gguf",)
    process = r"^\S* (?:\S*/)?(?:LM[ -]Studio|lm-studio|llmster)\S*"
    program = "lms"
    offers = (
        Variant("no-mmap", "buffered", "before September 2026", _LM_STUDIO, ("tryMmap=false",)),
        Variant("keep", "locked", "before September 2026", _LM_STUDIO, ("keepModelInMemory=true",)),
    )


class ComfyUi(OnRequest):
    """ComfyUI, by the folder in which it runs."""

    name = "comfyui"
    title = "ComfyUI"
    home = _COMFYUI
    formats = ("safetensors",)
    process = r"(?i)^\S*comfyui\S* \S*python\S* .*\bmain\.py\b|python\S* \S*comfyui\S*/main\.py\b"
    offers = (
        Variant("no-mmap", "buffered", "before September 2026", _COMFYUI, ("--disable-mmap",)),
        Variant("fast-disk", "disk-backed", "before September 2026", _COMFYUI, ("--fast-disk",)),
    )
