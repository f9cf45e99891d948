"""The window's text in other languages: Qt Linguist's files, from the sources."""

from __future__ import annotations

import subprocess
from pathlib import Path

import environment

FOLDER = environment.ROOT / "resources" / "translations"
_LUPDATE = (
    "lupdate",
    *("-extensions", "py", "-tr-function-alias", "tr+=mark,tr+=Message,tr+=wrong"),
    # Without places a change elsewhere in a file does not change the translations' file.
    *("-locations", "none", "-no-obsolete", "-sort-messages", "core", "gui", "-ts"),
)


def update() -> int:
    """Note new text and drop text that is gone, then compile; says how much is left to do.

    Translate what is new with any editor of .ts files, and run it again.
    """
    for source in sorted(FOLDER.glob("modelmon_*.ts")):
        compiled = source.with_suffix(".qm")
        for command in ((*_LUPDATE, str(source)), ("lrelease", str(source), "-qm", str(compiled))):
            status = _qt_tool(*command)
            if status:
                return status
    return 0


def _qt_tool(name: str, *arguments: str) -> int:
    tool = Path(environment.PYTHON).with_name(f"pyside6-{name}")
    return subprocess.run([tool, *arguments], cwd=environment.ROOT, check=False).returncode
