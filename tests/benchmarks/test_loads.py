import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import safetensors.numpy

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
# Each in a process of its own, as they are measured.
LOAD = """
import sys
from loads import prepare
from arms import our_arms
from records import Task
arms = {arm.name: arm for arm in our_arms()}
prepared = prepare(Task(arms[sys.argv[2]], sys.argv[1], 0))
before = set(sys.modules)
kept = prepared.load()
print(*(name for name in set(sys.modules) - before if not name.startswith("modelmon")))
"""


def test_that_libraries_are_imported_before_a_load_is_timed(tmp_path):
    path = tmp_path / "plain.safetensors"
    tensors = {"a": np.arange(3), "b": np.ones((2, 2), ml_dtypes.bfloat16)}
    safetensors.numpy.save_file(tensors, path)
    for arm in ("auto", "mmap"):
        done = subprocess.run(
            [sys.executable, "-c", LOAD, str(path), arm],
            cwd=BENCHMARKS,
            capture_output=True,
            text=True,
            check=True,
        )
        assert not {"numpy", "ml_dtypes"} & set(done.stdout.split())
