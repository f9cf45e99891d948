"""What may not be read is refused in our words, with what to do, whichever subcommand opens it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from modelmon.core.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(sys.platform == "win32", reason="what a path may be is decided otherwise")
@pytest.mark.parametrize("command", ["inspect", "run", "compare", "best", "strategies"])
def test_that_an_unreadable_file_is_refused_with_a_remedy(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    # Root may read all, so it is the check before opening that is taken away.
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"hello")
    monkeypatch.setattr("os.access", lambda *_, **__: False)
    assert main([command, str(path)]) == 2
    said = capsys.readouterr().err
    assert "Invalid value" not in said
    assert "neither safetensors nor GGUF" in said
