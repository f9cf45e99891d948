"""What a load from Python imports: nothing that only other loads need."""

import subprocess
import sys

import numpy as np
import pytest
import safetensors.numpy

OTHERS = """
    asyncio click concurrent.futures difflib email gguf hashlib importlib.metadata logging
    ml_dtypes numba pathlib psutil queue random safetensors shutil socket subprocess
    tempfile tomllib torch zipfile
"""
OURS = """
    comparison load.decode load.kernels load.libraries load.strategies load.warmup
    model.blocks model.foreign model.gguf model.stored_codes model.tensor_parallel watch
    worker
"""
LATER = {*OTHERS.split(), *(f"modelmon.core.{name}" for name in OURS.split())}
"""Each costs a start up to 60 milliseconds, and a plain load needs none of them."""

LOAD = """
import sys
import numpy
import msgspec
before = set(sys.modules)
from modelmon.core import load_model
load_model(sys.argv[1])
print(*sorted(set(sys.modules) - before))
"""


def imported_by(code, path):
    """Modules that the code says it imported, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "plain.safetensors"
    safetensors.numpy.save_file({"a": np.arange(3), "b": np.ones((2, 2), np.float32)}, path)
    return path


def test_that_a_plain_load_imports_nothing_that_it_does_not_need(path):
    imported = imported_by(LOAD, path)
    assert "modelmon.core.load.engine" in imported
    assert imported.isdisjoint(LATER), sorted(imported & LATER)


def test_that_the_package_alone_imports_next_to_nothing(path):
    code = "import sys; import modelmon.core; print(*sys.modules)"
    assert imported_by(code, path).isdisjoint(LATER | {"numpy", "msgspec"})


def test_that_a_streamed_load_needs_no_numpy(path):
    code = (
        "import sys; from modelmon.core import stream_model;"
        "stream_model(sys.argv[1], lambda *_: None); print(*sys.modules)"
    )
    assert imported_by(code, path).isdisjoint(LATER | {"numpy"})


def test_that_a_loader_imports_the_standard_library_only():
    code = "import sys; {}print(*{{name.partition('.')[0] for name in sys.modules}})"
    # What site-packages hook into every start of this interpreter is none of the loader's.
    bare, loader = (
        set(
            subprocess.run(
                [sys.executable, "-P", "-c", code.format(first)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout.split()
        )
        for first in ("", "import modelmon.core.load.loader; ")
    )
    assert loader - bare - {"modelmon"} <= set(sys.stdlib_module_names)
    assert "modelmon" in loader
