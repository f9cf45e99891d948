"""What `modelmon warm` and `modelmon launch` gain: a program that maps a model, timed three ways.

The program first does something else for `--startup` seconds, as runtimes do that import their
libraries, then maps the model: in order (`map`), or as four processes that share one descriptor
(`one descriptor`). It is started `alone`, after `warm` (whose own time, without the start of
Python, is told beside it), and by `launch`; each from a cold page cache, in rounds, and the medians
are told. Storage is a FUSE server with the cost of an object store or of a disk that seeks, and
this disk. The servers take root.

`warm.py --beds object disk here --rounds 3` prints a line for each program and bed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.page_cache import drop

from modelmon.core.model.sample import write_sample
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

MODELMON = (sys.executable, "-P", "-m", "modelmon")
PROGRAM = Path(__file__).parents[1] / "tests" / "system" / "somebodys_program.py"
DEEDS = {"map": "mmap", "one descriptor": "one-descriptor"}
COSTS: dict[str, dict[str, Any]] = {
    "object": {"first_byte_s": 0.05, "bytes_per_s": 500e6},
    "disk": {"first_byte_s": 0.01, "bytes_per_s": 150e6, "per": "device"},
}


def main() -> None:
    """Time each program on each bed."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="modelmon-warm-", dir=options.folder) as name:
        folder = Path(name)
        for bed in options.beds:
            # What a server serves lies in memory: it alone says how slow it is.
            place = folder if bed == "here" else Path(options.memory)
            nbytes = (options.here_mib if bed == "here" else options.mib) * MIB
            source = place / f"modelmon-warm-{bed}.safetensors"
            try:
                write_sample(source, "safetensors", nbytes, 8, 0)
                with _model(bed, source, folder) as model:
                    for told, deed in DEEDS.items():
                        command = _command(deed, model, folder, options.startup)
                        _measure(f"{bed}, {told}", model, command, options.rounds)
            finally:
                source.unlink(missing_ok=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--beds", nargs="+", choices=[*COSTS, "here"], default=[*COSTS, "here"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--startup", type=float, default=1.0)
    parser.add_argument("--mib", type=int, default=64, help="of the served model")
    parser.add_argument("--here-mib", type=int, default=400, help="of the model on this disk")
    parser.add_argument("--folder", default="/var/tmp")
    parser.add_argument("--memory", default="/dev/shm")
    return parser.parse_args()


@contextmanager
def _model(bed: str, source: Path, folder: Path) -> Iterator[Path]:
    if bed == "here":
        yield source
        return
    with served(source, folder / bed, Cost(**COSTS[bed])) as store:
        yield store.path


def _command(deed: str, model: Path, notes: Path, startup_s: float) -> list[str]:
    started = [sys.executable, "-S", str(PROGRAM), deed, str(model), str(notes)]
    return ["sh", "-c", f'sleep {startup_s}; exec "$@"', "sh", *started]


def _measure(what: str, model: Path, command: list[str], rounds: int) -> None:
    times: dict[str, list[float]] = {"alone": [], "warm": [], "after warm": [], "launch": []}
    readers = []
    for _ in range(rounds):
        drop(model)
        times["alone"].append(_seconds(command))
        drop(model)
        warm = [*MODELMON, "warm", "--json", str(model)]
        done = subprocess.run(warm, capture_output=True, check=True)
        warmed = json.loads(done.stdout)
        times["warm"].append(warmed["wall_ns"] / 1e9)
        readers.append(warmed["readers"])
        times["after warm"].append(_seconds(command))
        drop(model)
        launch = [*MODELMON, "launch", "--quiet", str(model), "--", *command]
        times["launch"].append(_seconds(launch))
    told = ", ".join(f"{name} {median(each):.2f} s" for name, each in times.items())
    alone = median(times["alone"])
    factors = ", ".join(
        f"{name} {alone / median(times[name]):.2g}×" for name in ("after warm", "launch")
    )
    rate = rate_text(model.stat().st_size / median(times["warm"]))
    sys.stdout.write(f"{what}: {told}; {factors}; warmed at {rate}, {readers} readers\n")
    sys.stdout.flush()


def _seconds(command: list[str]) -> float:
    began_s = time.monotonic()
    subprocess.run(command, check=True)
    return time.monotonic() - began_s


if __name__ == "__main__":
    main()
