"""Makes the folder that was copied to a server an environment of the Python that runs this there.

A script of its own, run before anything else of modelmon can be: `prepare.py KIND` ends with 0
where this Python can measure, which takes 3.11 or newer and modules that are compiled. Those that
were copied are for Pythons of that KIND; others need theirs. Packages of this Python come after.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from pathlib import Path

COMPILED = ("msgspec", "psutil")
_OLDEST = (3, 11)
_PACKAGES = {"site-packages", "dist-packages"}


def main(folder: Path, kind: str) -> int:
    """Returns 1 where this Python can't measure, and writes nothing then."""
    copied = ["packages"]
    if sysconfig.get_config_var("EXT_SUFFIX") == kind:
        copied.append("compiled")
    elif sys.version_info < _OLDEST or not all(map(importlib.util.find_spec, COMPILED)):
        return 1
    python = Path(os.path.realpath(sys.executable))
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    for each in (folder / "bin", site):
        each.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
    (folder / "bin" / "python3").symlink_to(python)
    # Relative, for the folder is moved.
    own = [os.path.relpath(folder / each, site) for each in copied]
    more = [each for each in sys.path if Path(each).name in _PACKAGES]
    (site / "modelmon.pth").write_text("".join(f"{each}\n" for each in own + more))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parents[4], sys.argv[1]))
