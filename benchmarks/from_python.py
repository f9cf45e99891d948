"""How long a process takes that loads a model from Python: imports, the load, and the end.

    .venv/bin/python benchmarks/from_python.py                                  # numpy
    .venv/bin/python benchmarks/from_python.py --python .venv-engines/bin/python   # torch as well
    .venv/bin/python benchmarks/from_python.py --python ... --gpu --files large small

Each process is a new one and loads one file; the arms take turns, and medians are over rounds.
`load` is the time of the call alone and `load_cpu` its processor time, `process` and `cpu` those of
the whole process. The last column tells how many times as fast a whole process is as that with
safetensors, from round to round.
What is compared delivers the same: each byte in private memory (owned), or each page read in
(touched). Of the model alone the file is evicted: what is imported stays cached.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
from safetensors.numpy import save_file

from modelmon.core.units import MIB

SOURCE = str(Path(__file__).parents[1] / "src")
_OPEN = "import sys, time; path = sys.argv[1]\n"
_TIMED = (
    "begun, used = time.perf_counter(), time.process_time()\n{load}\n"
    "print(time.perf_counter() - begun, time.process_time() - used)\n"
)

NUMPY = {
    "imports of numpy and safetensors": ("import numpy, safetensors", "pass"),
    "safetensors.numpy, owned": (
        "from safetensors.numpy import load_file",
        "kept = load_file(path)",
    ),
    "modelmon, owned": (
        "from modelmon.core import load_model",
        "model = load_model(path); kept = [model[name] for name in model]",
    ),
}
TORCH = {
    "import of torch": ("import torch, safetensors.torch", "pass"),
    "safetensors.torch, untouched": (
        "from safetensors.torch import load_file",
        "kept = load_file(path)",
    ),
    "safetensors.torch, touched": (
        "import torch; from safetensors.torch import load_file",
        "kept = load_file(path)\n"
        "for each in kept.values(): each.reshape(-1).view(torch.uint8)[::4096].sum()",
    ),
    "safetensors.torch, owned": (
        "from safetensors.torch import load_file",
        "kept = {name: each.clone() for name, each in load_file(path).items()}",
    ),
    "fastsafetensors, owned": (
        "import torch; from fastsafetensors import fastsafe_open",
        "with fastsafe_open([path], nogds=True, device='cpu') as file:\n"
        "    kept = [file.get_tensor(name) for name in file.keys()]",
    ),
    "runai-model-streamer, owned": (
        "import torch; from runai_model_streamer import SafetensorsStreamer",
        "with SafetensorsStreamer() as streamer:\n"
        "    streamer.stream_file(path)\n"
        "    kept = list(streamer.get_tensors())",
    ),
    "modelmon, owned": (
        "from modelmon.core.torch import load_file",
        "kept = load_file(path, backend='pread')",
    ),
    "modelmon, touched": (
        "from modelmon.core.torch import load_file",
        "kept = load_file(path)",
    ),
    "modelmon safe_open, touched": (
        "from modelmon.core.torch import safe_open",
        "with safe_open(path, 'pt') as file: kept = [file.get_tensor(n) for n in file.keys()]",
    ),
    "modelmon without torch, owned": NUMPY["modelmon, owned"],
    "modelmon without torch, touched": (
        "from modelmon.core import load_model",
        "model = load_model(path, 'mmap'); kept = [model[name] for name in model]",
    ),
}


_USED = "import torch; torch.zeros(1, device='cuda')\n"
_ONTO_GPU = {
    "safetensors.torch": (
        "from safetensors.torch import load_file",
        "kept = load_file(path, device='cuda')",
    ),
    "fastsafetensors": (
        "from fastsafetensors import fastsafe_open",
        "with fastsafe_open([path], nogds=True, device='cuda:0') as file:\n"
        "    kept = [file.get_tensor(name) for name in file.keys()]",
    ),
    "runai-model-streamer": (
        "from runai_model_streamer import SafetensorsStreamer",
        "with SafetensorsStreamer() as streamer:\n"
        "    streamer.stream_file(path)\n"
        "    kept = [tensor.to('cuda:0') for _, tensor in streamer.get_tensors()]",
    ),
    "modelmon": (
        "from modelmon.core.torch import load_file",
        "kept = load_file(path, device='cuda')",
    ),
}
_ARRIVED = "\nimport torch; torch.cuda.synchronize()"
GPU = {
    "import of torch, first use of the GPU": ("", _USED),
    **{f"{arm}, GPU": (setup, load + _ARRIVED) for arm, (setup, load) in _ONTO_GPU.items()},
    **{
        f"{arm}, GPU used before": (_USED + setup, load + _ARRIVED)
        for arm, (setup, load) in _ONTO_GPU.items()
    },
}
"""Most of such a process is the import of torch and the first use of the GPU; what was in use
before shows the load alone.
"""

FILES = {
    "tiny": (2, MIB // 64),
    "dense": (291, 512 * MIB),
    "small": (20_000, 256 * MIB),
    "large": (291, 3072 * MIB),
}
"""How many tensors, and how many bytes together."""


class Taken(NamedTuple):
    """What one process took, in seconds."""

    load: float
    load_cpu: float
    process: float
    cpu: float


def taken_by(python: str, setup: str, load: str, path: Path, state: str) -> Taken:
    """Start one process, from a file that was read before or is not cached."""
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while state == "warm" and file.read(16 * MIB):
            pass
    code = _OPEN + setup + "\n" + _TIMED.format(load=load)
    places = os.pathsep.join([SOURCE, *filter(None, [os.environ.get("PYTHONPATH")])])
    env = os.environ | {"PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    done = subprocess.run(
        [python, "-P", "-W", "ignore", "-c", code, str(path)],
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    process = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    taken, used = map(float, done.stdout.split())
    return Taken(taken, used, process, cpu)


def write(path: Path, tensors: int, nbytes: int) -> None:
    """A file of so many float32 tensors."""
    values = np.random.default_rng(0).standard_normal(nbytes // tensors // 4).astype(np.float32)
    save_file({f"layers.{number}.weight": values for number in range(tensors)}, path)
    with path.open("rb") as file:
        os.fsync(file.fileno())


def times_as_fast(found: dict[str, list[Taken]], arm: str) -> str:
    """How many times as fast whole processes of an arm are as those with safetensors that deliver
    the same: the median of the rounds' ratios, and their range.
    """
    _, comma, delivery = arm.rpartition(", ")
    others = [name for name in found if name.startswith("safetensors.") and name != arm]
    for other in others:
        if comma and other.endswith(f", {delivery}"):
            pairs = zip(found[other], found[arm], strict=True)
            ratios = sorted(theirs.process / mine.process for theirs, mine in pairs)
            return f"{median(ratios):.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})"
    return ""


def main() -> None:
    """Print a table of medians; with --json, write every round."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--python", help="a Python that has torch and safetensors")
    parser.add_argument("--gpu", action="store_true", help="load onto a GPU, with that Python")
    parser.add_argument("--states", nargs="+", default=["warm", "cold"], choices=("warm", "cold"))
    parser.add_argument("--files", nargs="+", default=["tiny", "dense", "small"], choices=FILES)
    parser.add_argument("--folder", type=Path, help="where files are written; on the disk to test")
    parser.add_argument("--arms", nargs="+", metavar="ARM", help="some of them, by name")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    python, arms = (asked.python, TORCH) if asked.python else (sys.executable, NUMPY)
    if asked.gpu and not asked.python:
        parser.error("--gpu needs --python, which names one that has torch")
    arms = GPU if asked.gpu else arms
    if unknown := [arm for arm in asked.arms or () if arm not in arms]:
        parser.error(f"there is no arm {unknown[0]!r}: {', '.join(map(repr, arms))}")
    arms = {arm: code for arm, code in arms.items() if not asked.arms or arm in asked.arms}
    rows = []
    sys.stdout.write("| file | state | arm | load | load_cpu | process | cpu | times as fast |\n")
    sys.stdout.write("|---|---|---|---|---|---|---|---|\n")
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        for name in asked.files:
            path = Path(folder) / f"{name}.safetensors"
            write(path, *FILES[name])
            for state in asked.states:
                found: dict[str, list[Taken]] = {arm: [] for arm in arms}
                for number in range(asked.rounds + 1):
                    for arm, (setup, load) in arms.items():
                        taken = taken_by(python, setup, load, path, state)
                        if number:  # the first compiles, and fills the cache with libraries
                            found[arm].append(taken)
                for arm, rounds in found.items():
                    middle = Taken(*map(median, zip(*rounds, strict=True)))
                    rows.append({"file": name, "state": state, "arm": arm, "rounds": rounds})
                    figures = " | ".join(f"{figure:.3f}" for figure in middle)
                    ratio = times_as_fast(found, arm)
                    sys.stdout.write(f"| {name} | {state} | {arm} | {figures} | {ratio} |\n")
                    sys.stdout.flush()
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
