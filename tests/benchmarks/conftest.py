"""The benchmarks' scripts, imported for one test at a time: their names are short."""

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="session")
def load():
    """Import a script of benchmarks/ by its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield importlib.import_module
        for path in BENCHMARKS.glob("*.py"):
            sys.modules.pop(path.stem, None)
