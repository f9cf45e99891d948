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


def provide(needed: Sequence[str], wanted: Sequence[str] = (), without_wanted: str = "") -> None:
    """Have `needed` Debian packages installed, or raise SetupError with the line that does it.

    `wanted` ones come along where packages are installed anyway or nobody has to be asked;
    else `without_wanted` says what is left out.
    """
    packages = [*needed, *wanted]
    missing = f"System packages that modelmon needs are missing.\n{_remedy(packages)}"
    if not packages:
        return
    if may_install_unasked():
        _install(packages)
    elif not needed:
        say(f"{without_wanted}\n{_remedy(packages)}")
    elif not _can_ask():
        raise SetupError(missing)
    elif _agreed(missing):
        _install(packages)
    else:
        raise SetupError("Nothing was installed.")


def _install(packages: Sequence[str]) -> None:
    quiet_apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    apt = [*_as_root(), *quiet_apt, "-o", "DPkg::Lock::Timeout=120"]
    try:
        step("Reading the lists of system packages", [*apt, "update"])
    except SetupError as error:
        # One unreachable source of many need not matter: what the lists lack fails below.
        say(str(error))
    step(
        f"Installing {' '.join(packages)}",
        [*apt, "install", "--yes", "--no-install-recommends", *packages],
    )


def _remedy(packages: Sequence[str]) -> str:
    names = " ".join(packages)
    if not shutil.which("apt-get"):
        return f"Install what your system has in place of these Debian packages:\n  {names}"
    sudo = "".join(f"{word} " for word in _as_root())
    line = f"{sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends {names}"
    if sudo and not shutil.which("sudo"):
        line = f"su -c '{line.replace(sudo, '')}'"
    return f"Run:\n  {line}"


def may_install_unasked() -> bool:
    """Whether nobody can be asked and packages can be installed: root, or sudo in CI."""
    if _someone_is_there() or not shutil.which("apt-get"):
        return False
    return os.geteuid() == 0 or (_in_ci() and _sudo_asks_nothing())


def _can_ask() -> bool:
    becomes_root = os.geteuid() == 0 or shutil.which("sudo") is not None
    return _someone_is_there() and becomes_root and shutil.which("apt-get") is not None


def _agreed(question: str) -> bool:
    say(f"{question}\nRun this now? [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _someone_is_there() -> bool:
    return sys.stdin.isatty() and not _in_ci()


def _in_ci() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true"}


def _as_root() -> list[str]:
    return [] if os.geteuid() == 0 else ["sudo"]


def _sudo_asks_nothing() -> bool:
    if not shutil.which("sudo"):
        return False
    return subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
