"""What `make run` starts: the window, or its questions answered in the terminal."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import qt
from console import SetupError, say
from environment import ROOT, tool

SAMPLE_SIZE = "512MiB"
EXPORT = ROOT / "modelmon.toml"


def start(model: str) -> int:
    """Open `model`, or a sample, in the window or, without a display, in the terminal."""
    no_window = _why_no_window()
    path = Path(model).expanduser() if model else _sample()
    if not no_window:
        return _modelmon(path)
    say(f"{no_window}: doing the same in the terminal.")
    return _in_the_terminal(path)


def _why_no_window() -> str:
    if not qt.platforms_of_display():
        return "No display found"
    reason = qt.why_not() if sys.platform == "linux" else ""
    return f"The display cannot be used ({reason})" if reason else ""


def _sample() -> Path:
    """The sample model in the user's cache folder, made the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "modelmon"
    sample = cache / f"sample-{SAMPLE_SIZE}.safetensors"
    if not sample.exists():
        cache.mkdir(parents=True, exist_ok=True)
        say(f"Making a sample model of {SAMPLE_SIZE} in {cache}")
        if _modelmon("sample", sample, "--size", SAMPLE_SIZE):
            raise SetupError(
                "No sample model could be made. Name one of yours: make run MODEL=path"
            )
    return sample


def _in_the_terminal(path: Path) -> int:
    status = _shown("inspect", path) or _shown(
        "compare", path, "--a", "mmap", "--b", "parallel", "--export", EXPORT
    )
    if not status:
        say(f"\nThe recommended configuration is in {EXPORT}")
    return status


def _shown(*arguments: str | Path) -> int:
    say(f"\n$ modelmon {shlex.join(map(str, arguments))}")
    return _modelmon(*arguments)


def _modelmon(*arguments: str | Path) -> int:
    return subprocess.run([tool("modelmon"), *arguments], check=False).returncode
