from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from modelmon.core import load_model
from modelmon.core.load import engine
from modelmon.core.model.sample import write_sample

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.load.loaded import LoadedModel


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("direct") / "model.safetensors"
    write_sample(path, "safetensors", 9_000_000, layers=3, seed=1)
    return path


def raw(loaded: LoadedModel) -> dict[str, bytes]:
    return {name: array.view(np.uint8).tobytes() for name, array in loaded.items()}


@pytest.mark.parametrize("virtual", [True, False, None])
@pytest.mark.parametrize("strategy", ["direct", "auto"])
def test_that_reads_straight_into_memory_and_through_a_buffer_bring_the_same(
    model: Path, strategy: str, virtual: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = raw(load_model(model, "mmap"))
    monkeypatch.setattr(engine, "is_virtual_machine", lambda: virtual)
    assert raw(load_model(model, strategy)) == expected
