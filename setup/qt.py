"""What Qt needs of the system, and whether it can open a window."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import environment

# Libraries that PySide6 expects to find, and the Debian packages that hold them. Packages
# that these bring along are left out.
WIDGETS = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    # Renamed libglib2.0-0t64 by Debian 13 and Ubuntu 24.04, where the old name still installs it.
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
PLATFORMS = {
    "offscreen": WIDGETS,
    "wayland": WIDGETS
    | {
        "libwayland-client.so.0": "libwayland-client0",
        "libwayland-cursor.so.0": "libwayland-cursor0",
        "libwayland-egl.so.1": "libwayland-egl1",
    },
    "xcb": WIDGETS
    | {
        "libX11-xcb.so.1": "libx11-xcb1",
        "libX11.so.6": "libx11-6",
        "libxcb-cursor.so.0": "libxcb-cursor0",
        "libxcb-icccm.so.4": "libxcb-icccm4",
        "libxcb-image.so.0": "libxcb-image0",
        "libxcb-keysyms.so.1": "libxcb-keysyms1",
        "libxcb-randr.so.0": "libxcb-randr0",
        "libxcb-render-util.so.0": "libxcb-render-util0",
        "libxcb-shape.so.0": "libxcb-shape0",
        "libxcb-sync.so.1": "libxcb-sync1",
        "libxcb-xfixes.so.0": "libxcb-xfixes0",
        "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    },
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
FONT_FILES = {".ttf", ".otf", ".ttc"}
START = "from PySide6.QtWidgets import QApplication; QApplication([])"


def platforms_of_display() -> list[str]:
    """Qt platforms on which a window can be shown here, as far as the environment says."""
    if sys.platform != "linux":
        return ["native"]
    variables = {"WAYLAND_DISPLAY": "wayland", "DISPLAY": "xcb"}
    return [platform for variable, platform in variables.items() if os.environ.get(variable)]


def packages_lacking(*platforms: str) -> list[str]:
    """Debian packages that Qt's `platforms` need and this system lacks."""
    if sys.platform != "linux" or not platforms:
        return []
    libraries = {name: held for platform in platforms for name, held in PLATFORMS[platform].items()}
    packages = [package for soname, package in libraries.items() if not _is_found(soname)]
    return packages if _has_font() else [*packages, "fonts-dejavu-core"]


def why_not(platform: str = "") -> str:
    """What Qt says when it cannot start on `platform` or on this display, or nothing."""
    try:
        answer = subprocess.run(
            [environment.PYTHON, "-c", START],
            env=os.environ | ({"QT_QPA_PLATFORM": platform} if platform else {}),
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
    said = [line for line in answer.stderr.splitlines() if line.strip()]
    import_failed = said and said[0].startswith("Traceback")
    return said[-1 if import_failed else 0] if said else f"Qt ended with {answer.returncode}"


def _is_found(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _has_font() -> bool:
    """Whether any font file is installed; without one every letter is drawn as a box."""
    return any(
        Path(name).suffix.lower() in FONT_FILES
        for folder in FONT_FOLDERS
        for _, _, names in os.walk(Path(folder).expanduser())
        for name in names
    )
