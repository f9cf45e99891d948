"""The sample models that tests write, and what their files hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from modelmon.core.units import MIB

if TYPE_CHECKING:
    from pathlib import Path

Format = Literal["safetensors", "sharded", "gguf"]
FORMATS: tuple[Format, ...] = ("safetensors", "sharded", "gguf")
SIZE_BYTES = 8 * MIB
LAYERS = 4


def content(path: Path) -> dict[str, bytes]:
    """All files of a sample."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}
