"""Tests with programs of others: collected by `make test-engines` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.engines.real_programs import modelmon

from modelmon.core.units import MIB

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the sample writer makes: llama.cpp loads it, and these tests keep it so."""
    path = tmp_path_factory.mktemp("a folder") / "sample.gguf"
    modelmon("sample", path, "--format", "gguf", "--size", str(96 * MIB), "--layers", "4")
    return path
