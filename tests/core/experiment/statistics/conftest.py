from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="session")
def stats() -> ModuleType:
    """Those of scipy, imported where they are wanted: that takes a second."""
    return importlib.import_module("scipy.stats")
