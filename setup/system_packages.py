"""Packages of the system: installed where nobody can be asked, else offered or named."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from console import SetupError, say, step

if TYPE_CHECKING:
    from collections.abc import Sequence


def require(packages: Sequence[str], reason: str) -> None:
    """Have `packages` installed, or raise SetupError with the line that installs them."""
    if may_install_unasked() or _agreed(packages, reason):
        install(packages)
    else:
        raise SetupError(f"{reason}\n{remedy(packages)}")


def wish(packages: Sequence[str], reason: str) -> None:
    """Install `packages` where nobody has to be asked, else say what is left out without them."""
    if not may_install_unasked():
        say(f"{reason}\n{remedy(packages)}")
        return
    try:
        install(packages)
    except SetupError as error:
        say(f"{error}\n{reason}")


def install(packages: Sequence[str]) -> None:
    """Install Debian packages; raises SetupError with the end of the log."""
    environment = ["env", "DEBIAN_FRONTEND=noninteractive"]
    apt = [*_as_root(), *environment, "apt-get", "-o", "DPkg::Lock::Timeout=120", "-q"]
    try:
        step("Reading the list of system packages", [*apt, "update"])
    except SetupError as error:
        # One unreachable source of many need not matter: what the lists lack fails below.
        say(str(error))
    step(
        f"Installing {' '.join(packages)}",
        [*apt, "install", "--yes", "--no-install-recommends", *packages],
    )


def remedy(packages: Sequence[str]) -> str:
    """The line that installs `packages` on this system, with a sentence before it."""
    names = " ".join(packages)
    if not shutil.which("apt-get"):
        return f"Install what your system has for these Debian packages: {names}"
    if os.geteuid() == 0 or shutil.which("sudo"):
        sudo = "" if os.geteuid() == 0 else "sudo "
        line = f"{sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends {names}"
    else:
        line = f"su -c 'apt-get update && apt-get install -y --no-install-recommends {names}'"
    return f"Run:\n  {line}"


def may_install_unasked() -> bool:
    """Whether nobody can be asked and packages can be installed: root, or sudo in CI."""
    if _someone_is_there() or not shutil.which("apt-get"):
        return False
    if os.geteuid() == 0:
        return True
    in_ci = os.environ.get("CI", "").lower() in {"1", "true"}
    return in_ci and shutil.which("sudo") is not None and _sudo_is_free()


def _someone_is_there() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and not os.environ.get("CI")


def _sudo_is_free() -> bool:
    return subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0


def _as_root() -> list[str]:
    return [] if os.geteuid() == 0 else ["sudo"]


def _agreed(packages: Sequence[str], reason: str) -> bool:
    can_install = shutil.which("apt-get") and (os.geteuid() == 0 or shutil.which("sudo"))
    if not _someone_is_there() or not can_install:
        return False
    answer = input(f"{reason}\n{remedy(packages)}\nRun it now? [y/N] ")
    return answer.strip().lower() in {"y", "yes"}
