"""Baselines as modelmon calls them beside the libraries' own examples: they read as much, and keep
as much. Which of them is faster is for benchmarks/engine.py.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from tests.engines.real_programs import PYTHON, needs_package

from modelmon.core.load.libraries.registry import baseline
from modelmon.core.units import MIB

ROOT = Path(__file__).parents[2]
ENV = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'benchmarks'}"}

LOAD = """
import json, os, sys
from pathlib import Path
from examples import EXAMPLES
from modelmon.core.load.libraries.baseline import LibraryRequest, WantedTensor
from modelmon.core.load.libraries.registry import baseline
from modelmon.core.model.open import open_model

name, way, path = sys.argv[1:]
model = open_model(path)
if way == "example":
    example = EXAMPLES[name]()
    load = lambda: list(example([path]).values())
else:
    wanted = tuple(WantedTensor(each.name, each.shard, each.nbytes) for each in model.tensors)
    library = baseline(name)
    library.prepare()
    load = lambda: list(library.load(LibraryRequest((path,), wanted)))

def figures():
    io, status = (Path("/proc/self", each).read_text() for each in ("io", "status"))
    named = dict(line.split(":") for line in (io + status).splitlines() if line.count(":") == 1)
    kept = {each: int(named[each].split()[0]) * 1024 for each in ("RssAnon", "RssFile")}
    return kept | {each: int(named[each]) for each in ("rchar", "read_bytes")}

with open(path, "rb") as file:
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
before, kept, after = figures(), load(), figures()
print(json.dumps({each: after[each] - before[each] for each in after}))
"""


def figures(name, way, path):
    assert PYTHON is not None
    command = [PYTHON, "-P", "-W", "ignore", "-c", LOAD, name, way, str(path)]
    done = subprocess.run(command, env=ENV, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "name",
    [
        "safetensors.numpy.load_file",
        "safetensors.torch.load_file",
        "safetensors.get_tensor",
        "fastsafetensors",
        "runai-model-streamer",
    ],
)
def test_that_a_baseline_reads_and_keeps_what_its_example_does(tmp_path, name):
    for package in ("safetensors", "msgspec", "ml-dtypes", *baseline(name).requires.values()):
        needs_package(package)
    path = tmp_path / "model.safetensors"
    tensors = {f"layers.{number}": np.full(4 * MIB, number, np.float32) for number in range(6)}
    safetensors.numpy.save_file(tensors, path)
    with path.open("rb") as file:
        # What isn't on the disk yet can't be evicted.
        os.fsync(file.fileno())
    ours, theirs = (figures(name, way, path) for way in ("adapter", "example"))
    assert ours == pytest.approx(theirs, rel=0.02, abs=4 * MIB)
