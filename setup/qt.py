"""Whether Qt can open a window here and, if not, which system packages it lacks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import environment
import system_packages
from console import SetupError

PACKAGE_OF = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    # Renamed libglib2.0-0t64 by Debian 13 and Ubuntu 24.04, where the old name still installs it.
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
FONT_FILES = {".ttf", ".otf", ".ttc"}
MODULES = ("QtWidgets.abi3.so", "QtSvg.abi3.so", "QtTest.abi3.so", "QtOpenGLWidgets.abi3.so")
OPEN = "from PySide6.QtWidgets import QApplication; QApplication([])"


def provide(*platforms: str) -> None:
    """Have everything installed that Qt's `platforms` (`xcb`, `wayland`, `offscreen`) need."""
    if sys.platform != "linux":
        return
    lacking = missing_libraries(*platforms)
    unknown = [soname for soname in lacking if soname not in PACKAGE_OF]
    if unknown:
        raise SetupError(f"Qt needs {', '.join(unknown)}.\nInstall the packages that hold them.")
    packages = sorted({PACKAGE_OF[soname] for soname in lacking})
    if not has_font():
        packages.append("fonts-dejavu-core")
    if packages:
        system_packages.require(packages, "Qt needs libraries or fonts that are not installed.")


def missing_libraries(*platforms: str) -> list[str]:
    """Sonames that the dynamic linker does not find for PySide6's widgets and `platforms`."""
    folder = next((environment.VENV / "lib").glob("python3*/site-packages/PySide6"))
    plugins = [folder / "Qt" / "plugins" / "platforms" / f"libq{name}.so" for name in platforms]
    files = [folder / module for module in MODULES] + plugins
    answer = subprocess.run(
        ["ldd", *(str(file) for file in files if file.exists())],
        capture_output=True,
        text=True,
        check=False,
    )
    return sonames_not_found(answer.stdout)


def sonames_not_found(ldd_output: str) -> list[str]:
    """Sonames that `ldd` marks as not found, each once."""
    lines = (line.split() for line in ldd_output.splitlines() if line.endswith("=> not found"))
    return sorted({line[0] for line in lines})


def has_font() -> bool:
    """Whether any font file is installed; without one every letter is drawn as a box."""
    folders = (Path(folder).expanduser() for folder in FONT_FOLDERS)
    return any(
        Path(name).suffix.lower() in FONT_FILES
        for folder in folders
        for _, _, names in os.walk(folder)
        for name in names
    )


def why_no_window() -> str:
    """What Qt says when it cannot open the display that the environment names, else nothing."""
    try:
        answer = subprocess.run(
            [environment.PYTHON, "-c", OPEN],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "the display does not answer"
    if answer.returncode == 0:
        return ""
    return next(iter(answer.stderr.splitlines()), f"Qt ended with status {answer.returncode}")
