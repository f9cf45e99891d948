"""`python3 setup TARGET`, which is all that the Makefile calls.

This file keeps to the syntax of Python 3.6, so that an old python3 can still say what to do.
"""

import importlib
import os
import platform
import shutil
import sys
from pathlib import Path

OLDEST = (3, 11)
OS_RELEASE = Path("/etc/os-release")

# What to type on systems whose python3 is too old and which have a newer one beside it.
NEWER_PYTHON = {
    "ubuntu 22.04": (
        "sudo apt-get update && sudo apt-get install -y python3.11 python3.11-venv",
        "python3.11",
    ),
    "rhel 8": ("sudo dnf install -y python3.12", "python3.12"),
    "rhel 9": ("sudo dnf install -y python3.12", "python3.12"),
    "macos": ("brew install python@3.13", "python3.13"),
}


def main() -> None:
    """Hand over to the targets, with a Python that is new enough for them."""
    if sys.version_info >= OLDEST:
        importlib.import_module("targets").main(sys.argv[1:])
        return
    for minor in range(30, OLDEST[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            os.execv(newer, [newer, *sys.argv])
    sys.stderr.write(remedy(system_name()))
    sys.exit(2)


def remedy(system: str) -> str:
    """Say what is wrong with this Python and the line that puts it right."""
    target = " ".join(sys.argv[1:2]) or "run"
    text = (
        f"modelmon needs Python 3.11 or newer; {sys.executable} is {platform.python_version()}.\n"
    )
    if system in NEWER_PYTHON:
        install, python = NEWER_PYTHON[system]
        return text + f"Run:\n  {install}\n  make PYTHON={python} {target}\n"
    return text + (
        f"This system ({system}) has no newer one: upgrade to Debian 12 or Ubuntu 24.04,\n"
        "or install a newer Python beside it (with uv or pyenv, say) and name it:\n"
        f"  make PYTHON=python3.12 {target}\n"
    )


def system_name(release: Path = OS_RELEASE) -> str:
    """Name the system as NEWER_PYTHON does: `debian 11`, `ubuntu 22.04`, `rhel 9`, `macos`."""
    if sys.platform == "darwin":
        return "macos"
    lines = release.read_text(encoding="utf-8").splitlines() if release.exists() else []
    values = dict(line.replace('"', "").split("=", 1) for line in lines if "=" in line)
    name, version = values.get("ID", sys.platform), values.get("VERSION_ID", "")
    if "rhel" in values.get("ID_LIKE", "").split() or name == "rhel":
        return "rhel " + version.split(".")[0]
    return f"{name} {version}".strip()


if __name__ == "__main__":
    main()
