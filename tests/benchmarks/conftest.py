"""The benchmarks' scripts, imported for one test at a time: their names are short."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="session")
def load() -> Iterator[Callable[[str], ModuleType]]:
    """Import a script of benchmarks/ by its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield importlib.import_module
        for path in BENCHMARKS.glob("*.py"):
            sys.modules.pop(path.stem, None)
