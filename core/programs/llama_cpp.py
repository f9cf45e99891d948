"""llama.cpp: its server and its terminal program, both found on PATH."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psutil

from modelmon.core.errors import ConfigError
from modelmon.core.load.readers import usable_processors
from modelmon.core.messages import NOTHING, Message, joined, verbatim
from modelmon.core.programs.advice import Checked, Setting, command_form, environment_form
from modelmon.core.programs.installed import answer, executable
from modelmon.core.programs.known_program import Command, Found, KnownProgram, ReadySign, Variant
from modelmon.core.programs.outcome import ReadPattern
from modelmon.core.units import GIB, size_text, whole_number

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.known_program import Access
    from modelmon.core.programs.outcome import Outcome, ReadAccess

_HOME = "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md"
_PULLS = "https://github.com/ggml-org/llama.cpp/pull"
_LOAD_MODE = ("July 2026", f"{_PULLS}/20834")
_LOCKED_MODES = ("before September 2026", f"{_PULLS}/26135")
_SWITCHES = ("before December 2025", _HOME)
_DIRECT_IO = ("December 2025", f"{_PULLS}/18166")
_REPACK = ("July 2025", f"{_PULLS}/14990")
_WARMUP = ("December 2024", f"{_PULLS}/10686")
_CONTEXT_TOKENS = 4096
_NAMES_MODEL = (
    *("-m", "--model", "-mu", "--model-url", "-dr", "--docker-repo"),
    *("-hf", "-hfr", "--hf-repo", "-hff", "--hf-file"),
)

_MODES: dict[ReadAccess, str] = {"mapped": "mmap", "buffered": "none", "direct": "dio"}
_OLDER: dict[ReadAccess, str] = {
    "mapped": "--mmap",
    "buffered": "--no-mmap",
    "direct": "--direct-io",
}
_NOTES: dict[ReadAccess, Message] = {
    "mapped": Message("Its default, --load-mode auto, maps too, unless a GPU can't."),
    "direct": Message(
        "Direct I/O doesn't use the page cache, so a restart reads from the disk again."
    ),
}
_TABLE = "per_layer_token_embd.weight"
_LAZY_FROM_BYTES = 4 * GIB


def _mode(
    name: str, access: Access, described: str = "", since: tuple[str, str] = _LOAD_MODE
) -> Variant:
    """A load mode, where the help lists it so."""
    needs = ("--load-mode", f"- {name}:{described and ' '}{described}")
    return Variant(name, access, *since, ("--load-mode", name), needs=needs)


def fewer_threads(usable: int, cores: int | None) -> tuple[Variant, ...]:
    """Half of the processors that it may use, where that is less than its default: the physical
    cores, whether it may use them or not.
    """
    half = max(1, usable // 2)
    if cores is None or half >= cores:
        return ()
    since, needs = ("before December 2024", _HOME), ("--threads", "--no-warmup")
    threads = ("--threads", str(half))
    return (
        Variant(
            "half-threads",
            "fewer-threads",
            *since,
            threads,
            needs=needs,
            others=("-t", "LLAMA_ARG_THREADS"),
        ),
    )


# Builds from July 2026 on (b10107 has it, b10092 not) list the modes of --load-mode in their help,
# and those from September on have no older switches (pull request 28334). `mlock` mapped the file
# at first (b10114), and did not when `mmap+mlock` had come (b10434 has it). An older build has no
# switch that says that a file is to be mapped: it is.
_OFFERS = (
    _mode("mmap", "mapped"),
    Variant("mmap", "mapped", *_SWITCHES, needs=("--no-mmap",)),
    _mode("none", "buffered"),
    Variant("none", "buffered", *_SWITCHES, ("--no-mmap",), needs=("--no-mmap",)),
    _mode("dio", "direct"),
    Variant("dio", "direct", *_DIRECT_IO, ("--direct-io",), needs=("--direct-io",)),
    _mode("mlock", "mapped-locked", "mmap"),
    _mode("mlock", "locked", since=_LOCKED_MODES),
    Variant("mlock", "mapped-locked", *_SWITCHES, ("--mlock",), needs=("--mlock",)),
    _mode("mmap+mlock", "mapped-locked", since=_LOCKED_MODES),
    Variant(
        *("no-warmup", "unwarmed", *_WARMUP, ("--no-warmup",)),
        needs=("--no-warmup",),
        others=("--warmup",),
    ),
    Variant(
        *("no-repack", "unrepacked", *_REPACK, ("--no-repack",)),
        needs=("--no-repack",),
        others=("-nr", "--repack"),
    ),
    # Builds without OpenMP ignore it, and without a warm-up its threads have nothing to spin at.
    Variant(
        "passive-threads",
        "passive",
        *_WARMUP,
        ("OMP_WAIT_POLICY=passive",),
        needs=("--no-warmup",),
    ),
    *fewer_threads(usable_processors(), psutil.cpu_count(logical=False)),
    Variant(
        f"context-{_CONTEXT_TOKENS}",
        "shortened",
        *("before December 2024", _HOME),
        ("--ctx-size", str(_CONTEXT_TOKENS)),
        needs=("--ctx-size",),
        others=("-c", "LLAMA_ARG_CTX_SIZE"),
    ),
)


class LlamaCpp(KnownProgram):
    """What llama.cpp's programs share: their options are parsed by the same code."""

    home = _HOME
    formats = ("gguf",)
    offers = _OFFERS

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

    def suits(self, variant: Variant, model: Model) -> bool:
        """By itself it keeps as many tokens as the model was trained for, or those that fit."""
        named = (text for key, text in model.metadata.items() if key.endswith(".context_length"))
        tokens = whole_number(next(named, ""))
        return not variant.changes_answers or tokens is None or tokens > _CONTEXT_TOKENS


class LlamaServer(LlamaCpp):
    """`llama-server`, ready when it answers that it is."""

    name = "llama.cpp"
    title = "llama.cpp"
    program = "llama-server"
    names_itself = (*_NAMES_MODEL, "--host", "--port")
    shows_ready = ReadySign(
        # 8080 by itself, in a later build 9931 (pull request 26508).
        *("llama-server", "", "health", "LLAMA_ARG_PORT"),
        ("--api-prefix", "--ssl-key-file", "--ssl-cert-file"),
        ("-m", "--model"),
    )
    advised = ("gguf",)
    checked = Checked("2026-11-27", "ggml-org/llama.cpp", "00dc8057ab28")
    maps_with = 1

    def load(self, found: Found, model: Model, port: int) -> Command:
        """On this machine only."""
        first = str(model.files[0])
        options = ("--model", first, "--host", "127.0.0.1", "--port", str(port))
        return Command((found.path, *options), f"http:{port}/health")

    def setting(self, found: Outcome) -> Setting | Message:
        """One load mode for each way to read; and a table at once that it would put off."""
        access = found.reading.access
        mode, notes = _MODES[access], [_NOTES.get(access, NOTHING)]
        options, variables = [["--load-mode", mode]], {"LLAMA_ARG_LOAD_MODE": mode}
        tensors = found.model.tensors if found.model is not None else ()
        table_bytes = sum(tensor.nbytes for tensor in tensors if tensor.name == _TABLE)
        if table_bytes:
            notes.append(
                Message(
                    "With --lazy-mode on, the default above 4 GiB, {table} "
                    "({size}) is mapped in every load mode and read on demand. "
                    "Here it was read whole.",
                    table=_TABLE,
                    size=size_text(table_bytes),
                )
            )
        if table_bytes > _LAZY_FROM_BYTES:
            options.append(["--lazy-mode", "off"])
            variables["LLAMA_ARG_LAZY_MODE"] = "off"
        command = [["llama-server"], ["--model", found.file]]
        return Setting(
            summary=verbatim(f"--load-mode {mode}"),
            forms=(
                command_form(command, options),
                environment_form(variables),
                command_form(command, [[_OLDER[access]]], Message("Builds before July 2026")),
            ),
            reading=ReadPattern(access),
            since=Message(
                "--load-mode: July 2026. --lazy-mode: August 2026. --direct-io: December 2025."
                " Older options: until September 2026"
            ),
            source="ggml-org/llama.cpp#20834, #26081, #27837, #18166, #28334",
            keep_in_mind=joined(filter(None, notes)),
        )


class LlamaCli(LlamaCpp):
    """`llama-cli`, which answers with one token and ends."""

    name = "llama-cli"
    title = "llama.cpp (llama-cli)"
    program = "llama-cli"
    names_itself = (*_NAMES_MODEL, "-p", "--prompt", "-n", "--predict", "-st", "--single-turn")

    def load(self, found: Found, model: Model, port: int) -> Command:
        """In a single turn where it would wait for the next one."""
        del port
        options = ["--model", str(model.files[0]), "--prompt", "a", "--predict", "1"]
        if found.mentions("--single-turn"):
            options.append("--single-turn")
        return Command((found.path, *options), "exit")
