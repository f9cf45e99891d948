"""What programs print while they start: which of their phases a line begins or ends.

Pure: lines and their times go in, stretches of time come out. Nothing here reads or starts a
program. Sources of the lines are the programs' own: llama.cpp b5036 to b11549, vLLM 0.8.5 to 0.32,
SGLang 0.4.6 to 0.5.23, ComfyUI of 2025 and 2026, Ollama to 0.33, and the logs in their issues.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from itertools import pairwise
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WEIGHTS = "weights"
"""What a program calls loading, where the model isn't read: weights are moved or converted."""
SILENCE = "silence"
ASKS_FOR_A_TOKEN = "modelmon asks for a first token"
MOST_LINES = 2_500
"""Of one program's start."""
_OUR_LINES = "modelmon: "
"""Of `modelmon launch` and of what loads for modelmon: they say nothing of what a program is at."""
_SILENT_SHARE = 0.05
"""Of the wait; a line after less silence doesn't divide what has no name."""

NAMES: dict[str, Message] = {
    "imports": Message("starting and importing"),
    "nodes": Message("loading custom nodes"),
    "devices": Message("starting devices"),
    "distributed": Message("connecting processes"),
    "p2p": Message("testing GPU-to-GPU access"),
    "loading": Message("loading the model"),
    "fit": Message("fitting it to memory"),
    "headers": Message("reading headers and vocabulary"),
    WEIGHTS: Message("preparing weights"),
    "repack": Message("repacking weights"),
    "kv-cache": Message("allocating the KV cache"),
    "graph": Message("reserving buffers"),
    "profiling": Message("profiling memory"),
    "compile": Message("compiling"),
    "kernels": Message("tuning kernels"),
    "graphs": Message("capturing CUDA graphs"),
    "engine": Message("starting the engine"),
    "trial": Message("decoding a test"),
    "warm-up": Message("warming up"),
    "server": Message("starting the server"),
    "answer": Message("computing the first answer"),
}
"""What a phase is called for people, whichever program it is of."""


class Mark(NamedTuple):
    """A line that matches `pattern` begins `phase`; where it `took` the seconds of the pattern's
    group, it ends there. `each` is one of many such lines: another line ends the phase. One that
    `ends` the phase lets the one before it go on. An empty phase is none that has a name.
    """

    pattern: str
    phase: str
    took: bool = False
    each: bool = False
    ends: bool = False


class Program(NamedTuple):
    """The lines of one program. `first` is the phase that it begins with."""

    name: str
    marks: tuple[Mark, ...]
    first: str = ""
    cures: Mapping[str, Message] = MappingProxyType({})
    """What shortens a phase, and what that costs."""


_KEEP_COMPILED = Message("Keep the folder VLLM_CACHE_ROOT between starts: it has what is compiled.")
# Before December 2025 vLLM has a bar for each kernel. Both programs have the same lines for it, so
# that it says nothing of which one it is.
_DEEP_GEMM = r"DeepG(?:EMM|emm\(\w{1,40}\)) warmup.{0,80}\b"
_TUNING = (
    Mark(f"{_DEEP_GEMM}100%", "kernels", ends=True),
    Mark(f"{_DEEP_GEMM}0%", "kernels"),
)

PROGRAMS = (
    Program(
        "llama.cpp",
        (
            # What follows it is told apart from the verbosity 4 on only.
            Mark(r"load_model: loading model '|main: loading model", "loading"),
            Mark(r"fitting params to device memory \.\.\.", "fit"),
            Mark(r"fitting params to free memory took ([\d.]+) seconds", "fit", took=True),
            Mark(r"loaded meta data with \d+", "headers"),
            Mark(r"load_tensors: loading model tensors", WEIGHTS),
            Mark(r"CPU_(?:REPACK|AARCH64) model buffer size", "repack"),
            Mark(r"constructing llama_context|KV buffer size", "kv-cache"),
            Mark(r"(?:sched|graph)_reserve: reserving", "graph"),
            Mark(r"_reserve: reserve took ", ""),
            Mark(r"llama threadpool init", "trial"),
            Mark(r"warming up the model with an empty run", "warm-up"),
            Mark(r"initializing.{0,40} slots|model loaded", "server"),
        ),
        "devices",
        {
            "repack": Message("Start it with --no-repack: prompts on processors get slower."),
            "kv-cache": Message("Start it with a smaller context (-c): conversations get shorter."),
            "warm-up": Message("Start it with --no-warmup: the first answer takes longer."),
            "fit": Message("Set -ngl and -c, and start it with -fit off."),
            "trial": Message("It decodes two tokens as a test: no setting turns that off."),
        },
    ),
    Program(
        "vLLM",
        (
            Mark(r"vLLM (?:API )?server version|Automatically detected platform", "engine"),
            Mark(r"Initializing a V1 LLM engine", "engine"),
            Mark(r"vLLM is using nccl", "distributed"),
            Mark(r"(?:generating|reading) GPU P2P access cache", "p2p"),
            Mark(r"Starting to load model", WEIGHTS),
            Mark(r"Loading weights took ([\d.]+) seconds", WEIGHTS, took=True),
            Mark(
                r"Model loading took [\d.]+ Gi?B(?: memory)? and ([\d.]+) seconds",
                WEIGHTS,
                took=True,
            ),
            Mark(r"Dynamo bytecode transform time: ([\d.]+) s", "compile", took=True),
            Mark(r"Compiling a graph for .{0,80} takes ([\d.]+) s", "compile", took=True),
            Mark(r"torch\.compile.{0,60} (?:takes|took) ([\d.]+) s", "compile", took=True),
            Mark(r"Initial profiling/warmup run took ([\d.]+) s", "profiling", took=True),
            Mark(r"JIT kernel warmup finished in ([\d.]+)", "warm-up", took=True),
            *_TUNING,
            Mark(r"Graph capturing finished in ([\d.]+) sec", "graphs", took=True),
            Mark(r"init engine .{0,80} took ([\d.]+) s", "engine", took=True),
            Mark(r"Starting vLLM API server|Started server process", "server"),
        ),
        "imports",
        {
            "p2p": Message("Set VLLM_SKIP_P2P_CHECK=1; vLLM 0.10.1 and later do so themselves."),
            "compile": _KEEP_COMPILED,
            "kernels": _KEEP_COMPILED,
            "graphs": Message("List fewer --cudagraph-capture-sizes: other sizes run slower."),
        },
    ),
    Program(
        "SGLang",
        (
            Mark(r"server_args=", "engine"),
            Mark(r"Init (?:torch distributed|parallel) begin", "distributed"),
            Mark(r"Init (?:torch distributed|parallel) ends", "engine"),
            Mark(r"Load weight begin", WEIGHTS),
            Mark(r"Load weight end", "kv-cache"),
            Mark(r"Memory pool end", "engine"),
            Mark(r"Capture .{0,40}graph begin", "graphs"),
            Mark(r"Capture .{0,40}graph end", "engine"),
            Mark(r"Entering DeepGEMM JIT Pre-Comp(?:ile|lie)", "kernels"),
            *_TUNING,
            Mark(r"Started server process|Application startup complete", "warm-up"),
            Mark(r"The server is fired up and ready to roll", "server"),
        ),
        "imports",
        {
            "graphs": Message(
                "Start it with --cuda-graph-backend-decode=disabled, before June 2026 with"
                " --disable-cuda-graph: answers come more slowly."
            ),
            "kernels": Message(
                "Run python3 -m sglang.compile_deep_gemm once with the same options."
            ),
            "warm-up": Message("Start it with --skip-server-warmup: the first answer is slower."),
        },
    ),
    Program(
        "ComfyUI",
        (
            Mark(r"Prestartup times for custom nodes|Total VRAM", "nodes"),
            Mark(r"Import times for custom nodes", "server"),
            Mark(r"To see the GUI go to", ""),
            Mark(r"got prompt|Requested to load", WEIGHTS),
            Mark(r"loaded (?:completely|partially)|prepared for dynamic VRAM", "answer"),
            Mark(r"Prompt executed in", ""),
        ),
        "imports",
        {"nodes": Message("Start it with --disable-all-custom-nodes, or remove slow ones.")},
    ),
    Program(
        "Ollama",
        (
            Mark(r"starting (?:llama server|runner|llama-server)", "server"),
            Mark(r"starting (?:go runner|ollama engine)", "devices"),
            Mark(r"\{Operation:fit ", "fit"),
            Mark(r"\{Operation:alloc ", "kv-cache"),
            Mark(r"\{Operation:commit |waiting for .{0,40} to start responding", WEIGHTS),
            Mark(r"(?:llama runner|llama-server) started in [\d.]+ seconds", ""),
        ),
        "server",
        {"kv-cache": Message("Set a smaller OLLAMA_CONTEXT_LENGTH: conversations get shorter.")},
    ),
    Program(
        "transformers",
        (
            Mark(r"Loading (?:checkpoint shards|weights|pipeline components).{0,20}100%", ""),
            Mark(r"Loading (?:checkpoint shards|weights|pipeline components)", WEIGHTS),
        ),
        "imports",
    ),
    # What loads with a library for modelmon (programs/load_with.py).
    Program("modelmon", (Mark(r"^modelmon: imported$", WEIGHTS),), "imports"),
    Program(
        "text-generation-webui",
        (
            Mark(r"Starting Text generation web UI", "server"),
            Mark(r'INFO +Loading ".{1,200}"', WEIGHTS),
            Mark(r'Loaded (?:the model|".{1,200}") in ([\d.]+) seconds', WEIGHTS, took=True),
            Mark(r"INFO +LOADER: ", "server"),
        ),
        "imports",
    ),
    Program(
        "ktransformers",
        (
            Mark(r"^Injecting \S", "engine", each=True),
            Mark(r"^loading \S{1,200} (?:to|with) \w", WEIGHTS, each=True),
            Mark(r"^Getting inference context from sched_client", "engine"),
            Mark(r"^capturing cuda graph \d", "graphs"),
            Mark(r"Started server process|Application startup complete", "server"),
        ),
        "imports",
    ),
    Program(
        "TensorRT-LLM",
        (
            Mark(r"\bUse [\d.]+ GB for model weights", WEIGHTS),
            Mark(r"Prefetching .{0,40} checkpoint files", WEIGHTS),
            Mark(r"Loading .{0,40}weights (?:in parallel|concurrently)", WEIGHTS),
            Mark(r"Model init total -- ([\d.]+)s", WEIGHTS, took=True),
            Mark(r"Autotuning process starts", "kernels"),
            Mark(r"Autotuning process ends", ""),
            Mark(r"Creating CUDA graph instances for \d", "graphs"),
            Mark(r"in memory usage profiling|Setting PyTorch memory fraction", ""),
            Mark(r"Started server process", "server"),
        ),
        "imports",
    ),
)

# Builds since May 2026 say most of their phases from this on only, and read either name.
_LLAMA = {"LLAMA_LOG_VERBOSITY": "4", "LLAMA_ARG_LOG_VERBOSITY": "4"}
# Into a pipe Python prints in lumps of 8 KiB, long after what they tell of; it may run llama.cpp.
_PYTHON = {"PYTHONUNBUFFERED": "1", **_LLAMA}
_VARIABLES = ((r"llama-[\w-]+", _LLAMA), (r"python[\d.]*|vllm|sglang|comfy", _PYTHON))


def variables_of(program: str) -> dict[str, str]:
    """Environment variables with which a program of that file name prints its phases in time."""
    return next((found for name, found in _VARIABLES if re.fullmatch(name, program)), {})


_ASKED, _OTHER = Mark(f"^{ASKS_FOR_A_TOKEN}$", "answer"), Mark("", "")
_PATTERNS = {mark: re.compile(mark.pattern) for each in PROGRAMS for mark in (*each.marks, _ASKED)}
_T_NS = itemgetter(0)
_ANY = re.compile("|".join(f"(?:{mark.pattern})" for mark in _PATTERNS))


class Line(NamedTuple):
    """What was printed at a time since the start."""

    t_ns: int
    text: str


class Stretch(NamedTuple):
    """From begin to end a program was in a phase: one of NAMES, empty where none is known, or
    SILENCE. `line` began it where no phase has that name, and `until` ended a silence.
    """

    phase: str
    begin_ns: int
    end_ns: int
    line: str = ""
    until: str = ""


def is_a_mark(text: str) -> bool:
    """Whether a line tells of a phase of any program."""
    return bool(_ANY.search(text))


def cure_of(program: str, phase: str) -> Message | None:
    """What shortens a phase of a program; None where nothing is known to."""
    return next((each.cures.get(phase) for each in PROGRAMS if each.name == program), None)


class Printed:
    """What a program has printed so far, and the phases that follow from it."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.is_python = False
        """Whether a Python prints them: whatever library it runs, it imports first."""
        self._said: dict[str, list[tuple[int, Mark, int]]] = {}

    def add(self, line: Line) -> None:
        """Take in another line: one that was begun earlier than those before may end late."""
        insort(self.lines, line, key=_T_NS)
        tells = is_a_mark(line.text)
        for program in PROGRAMS:
            said = self._said.setdefault(program.name, [])
            marks = (*program.marks, _ASKED) if tells else ()
            found = ((mark, _PATTERNS[mark].search(line.text)) for mark in marks)
            mark, match = next((each for each in found if each[1]), (_OTHER, None))
            at = bisect_right(said, line.t_ns, key=_T_NS)
            if match is not None:
                said.insert(at, (line.t_ns, mark, _took_ns(match) if mark.took else 0))
            elif at and said[at - 1][1].each:
                said.insert(at, (line.t_ns, _OTHER, 0))

    @property
    def program(self) -> Program | None:
        """The one whose lines these are; None where none has said so."""
        said = {
            name: sum(mark not in (_ASKED, _OTHER) for _, mark, _ in told)
            for name, told in self._said.items()
        }
        most = max(said.values(), default=0)
        return next((each for each in PROGRAMS if most and said[each.name] == most), None)

    def stretches(self, end_ns: int) -> tuple[Stretch, ...]:
        """The time from the start to `end_ns` without a gap.

        Of phases that contain each other, as some programs tell their times, the shortest counts.
        """
        program = self.program
        begun: list[Stretch] = []
        told: list[Stretch] = []
        phase = program.first if program is not None else ""
        if phase and self.is_python:
            phase = "imports"
        since_ns, before = 0, phase
        for t_ns, mark, took_ns in self._said[program.name] if program is not None else ():
            if t_ns > end_ns:
                break
            if mark.took:
                told.append(Stretch(mark.phase, max(0, t_ns - took_ns), t_ns))
            now = "" if mark.took else mark.phase
            if mark.ends:  # a bar of progress may print its end twice
                now = before if phase == mark.phase else phase
            if now != phase:
                begun.append(Stretch(phase, since_ns, t_ns))
                before, phase, since_ns = phase, now, t_ns
        begun.append(Stretch(phase, since_ns, end_ns))
        told.sort(key=lambda each: each.end_ns - each.begin_ns)
        edges = sorted({0, end_ns, *(edge for each in (*begun, *told) for edge in each[1:3])})
        found = []
        for begin_ns, until_ns in pairwise(edges):
            over = (each for each in (*told, *begun) if each.begin_ns <= begin_ns < each.end_ns)
            found.append(Stretch(next(over).phase, begin_ns, until_ns))
        return tuple(part for each in found for part in _by_silence(each, self.lines, end_ns))


def _by_silence(part: Stretch, lines: Sequence[Line], end_ns: int) -> list[Stretch]:
    """What has no name, or only the one of a Python program's beginning, where it is long and
    lines divide it.
    """
    if part.phase not in ("", "imports"):
        return [part]
    theirs = [line for line in lines if not line.text.startswith(_OUR_LINES)]
    inside = [line for line in theirs if part.begin_ns <= line.t_ns < part.end_ns]
    later = next((line.text for line in theirs if line.t_ns >= part.end_ns), "")
    long_ns = _SILENT_SHARE * end_ns
    found: list[Stretch] = []
    rest = Stretch(part.phase, part.begin_ns, part.end_ns)
    for line, after in pairwise([*inside, Line(part.end_ns, later)]):
        if after.t_ns - line.t_ns >= long_ns:
            found.append(rest._replace(end_ns=line.t_ns))
            found.append(Stretch(SILENCE, line.t_ns, after.t_ns, line.text, after.text))
            rest = Stretch("", after.t_ns, part.end_ns, after.text)
    return [*found, rest]


def _took_ns(found: re.Match[str]) -> int:
    """How long it took by its own words; 0 where that is no number."""
    try:
        return round(float(found[1]) * 1e9)
    except ValueError:
        return 0
