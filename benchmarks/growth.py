"""How cost grows: with the number of tensors, the size of the file, readers and ranks."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import msgspec
from files import DENSE_BYTES, write_dense, write_tensors
from records import Answer, Arm, State, Task
from runs import measure
from states import CachedFiles

from modelmon.core.errors import ModelmonError
from modelmon.core.load.config import preset
from modelmon.core.machine.memory import read_memory
from modelmon.core.messages import verbatim
from modelmon.core.model.open import open_model
from modelmon.core.units import GIB, MIB, size_text
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from modelmon.core.load.config import LoadConfig

_TENSORS = (100, 1_000, 10_000, 100_000)
_SIZES_BYTES = tuple(GIB // 2 * 2**step for step in range(6))
_READERS = (1, 2, 4, 8, 16, 32)
_RANKS = (1, 2, 4, 8)
_STARTS: tuple[State, ...] = ("cold", "warm")
_MOST_SHARE: dict[State, float] = {"cold": 0.8, "warm": 0.3}
"""How much of usable memory a file may take to be loaded into memory of its own. For a warm start
it is cached as well, and as much free memory is touched before.
"""


class Growth(msgspec.Struct, frozen=True):
    """One step along an axis; the figures carry their unit in their name, None is unknown."""

    axis: str
    at: str
    figures: dict[str, float | None]


def measure_growth(
    folder: Path, dense: Path, scale: float, rounds: int, say: Callable[[str], None]
) -> list[Growth]:
    """All axes; files that are needed for one step only are removed after it."""
    found = []
    for row in chain(
        _by_tensors(folder, rounds),
        _by_size(folder, scale, rounds),
        _by_readers(dense, rounds),
        _by_ranks(dense, rounds),
    ):
        say(f"{row.axis} {row.at}")
        found.append(row)
    return found


def _by_tensors(folder: Path, rounds: int) -> Iterator[Growth]:
    arm = Arm("plan", "plan", "none", preset("auto").config)
    for count in _TENSORS:
        with _temporary(folder) as place:
            path = place / f"{count}.safetensors"
            write_tensors(path, count)
            header_bytes = open_model(path).shards[0].data_start_bytes
            answers = _answers(path, arm, "warm", rounds)
        yield Growth(
            "tensors",
            f"{count:,}",
            {
                "header MB": header_bytes / 1e6,
                "header + plan ms": median(a.wall_ns for a in answers) / 1e6,
                "memory MiB": _mib(answers),
            },
        )


def _by_size(folder: Path, scale: float, rounds: int) -> Iterator[Growth]:
    """Own memory as far as it reaches, and streamed from any size into a bounded buffer."""
    streamed = Arm("auto streamed", "modelmon", "streamed", replace(_owned(), deliver="streamed"))
    for size_bytes in _SIZES_BYTES:
        nbytes = round(size_bytes * scale)
        with _temporary(folder) as place:
            path = place / "model.safetensors"
            try:
                write_dense(path, nbytes / DENSE_BYTES)
            except ModelmonError:
                return
            share = nbytes / read_memory().usable_bytes
            fitting = [start for start in _STARTS if share <= _MOST_SHARE[start]]
            figures = _rates(path, _owned(), rounds, fitting)
            answers = _answers(path, streamed, "cold", rounds)
            figures["streamed, cold GB/s"] = _gb_per_s(answers)
            figures["streamed, memory MiB"] = _mib(answers)
            yield Growth("file size", size_text(nbytes), figures)


def _by_readers(dense: Path, rounds: int) -> Iterator[Growth]:
    for readers in _READERS:
        config = replace(_owned(), readers=readers)
        yield Growth("readers", str(readers), _rates(dense, config, rounds))


def _by_ranks(dense: Path, rounds: int) -> Iterator[Growth]:
    """Every rank maps the whole model, or reads its own slice into own memory."""
    for ranks in _RANKS:
        figures: dict[str, float | None] = {}
        whole = replace(preset("mmap").config, ranks=ranks)
        slices = replace(_owned(), ranks=ranks, rank_share="slice" if ranks > 1 else "whole")
        for name, config in (("whole, mapped", whole), ("slices, owned", slices)):
            results = [
                summarise(run_job(Job(str(dense), config, cache="cold"))) for _ in range(rounds)
            ]
            rates = [result.bytes_per_s / 1e9 for result in results if result.counts]
            read = [r.amplification for r in results if r.counts and r.amplification is not None]
            figures[f"{name}: GB/s, all ranks"] = median(rates) if rates else None
            figures[f"{name}: from device ÷ file"] = median(read) if read else None
        yield Growth("ranks", str(ranks), figures)


def _owned() -> LoadConfig:
    return replace(preset("auto").config, deliver="owned")


def _rates(
    path: Path, config: LoadConfig, rounds: int, fitting: Sequence[State] = _STARTS
) -> dict[str, float | None]:
    """Rates from each start; None where the file and its copy do not fit into memory."""
    arm = Arm("auto", "modelmon", "owned", config)
    figures: dict[str, float | None] = {}
    for state in _STARTS:
        answers = _answers(path, arm, state, rounds) if state in fitting else []
        figures[f"{state} GB/s"] = _gb_per_s(answers)
        cpu = [a.cpu_ns / a.delivered_bytes for a in answers]
        figures[f"{state} CPU s/GB"] = median(cpu) if cpu else None
    return figures


def _gb_per_s(answers: list[Answer]) -> float | None:
    rates = [a.delivered_bytes / a.wall_ns for a in answers]
    return median(rates) if rates else None


def _answers(path: Path, arm: Arm, state: State, rounds: int) -> list[Answer]:
    model = open_model(path)
    task = Task(arm, str(path), model.nbytes)
    answers = []
    with CachedFiles([shard.path for shard in model.shards]) as files:
        for number in range(rounds):
            answer = measure(task, files, state, file="growth", number=number).answer
            if answer.error:
                raise ModelmonError(verbatim(f"{arm.name} failed on {path}: {answer.error}"))
            answers.append(answer)
    return answers


def _mib(answers: list[Answer]) -> float | None:
    known = [a.peak_rise_bytes for a in answers if a.peak_rise_bytes is not None]
    return median(known) / MIB if known else None


@contextmanager
def _temporary(folder: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        yield Path(place)
