"""The end on the server of a program that was started elsewhere, over SSH.

The program writes to the connection itself. What comes for it is passed on here, and where that
ends, or stays away, the program is ended as if its window had been closed.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import modelmon
from modelmon.core.data_folder import VARIABLE
from modelmon.core.errors import EXIT_DONE, EXIT_USAGE
from modelmon.core.messages import MESSAGES
from modelmon.core.remote.protocol import ALIVE, BEGUN, PROTOCOL, SILENT_S
from modelmon.core.remote.ssh import unpacked_request
from modelmon.core.worker.child_process import program

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROGRAMS = frozenset(
    {
        "modelmon",
        "modelmon.core.worker",
        "modelmon.core.probe.process",
        "modelmon.core.probe.read_rate",
    }
)
_PIPE_BYTES = 1 << 16
_ENDING_S = 12.0
"""A program that is to end may take so long: one that watches another has up to 10 s."""
_MARK = "bundle"
"""This file beside the interpreter's folders tells a bundle that was copied here."""
_BY_SIGNAL = 128
"""Shells add it to the number of the signal that ended a program."""


def main(words: Sequence[str]) -> int:
    """Do what the one word asks for; returns the exit code."""
    try:
        request = unpacked_request(words[0])
    except (IndexError, ValueError):
        return _refuse("This is started by modelmon on another machine.")
    if request.get("hello"):
        # A line of its own, whatever the shell has said before.
        sys.stdout.write(f"\n{json.dumps(_hello())}\n")
        return EXIT_DONE
    if request.get("protocol") != PROTOCOL:
        return _refuse(f"modelmon here speaks protocol {PROTOCOL}.")
    module, arguments = request.get("module"), request.get("arguments")
    if module not in _PROGRAMS or not isinstance(arguments, list):
        return _refuse("modelmon here has no such program.")
    with contextlib.suppress(OSError, RuntimeError):
        os.chdir(Path.home())
    if (data := _own_data()) is not None:
        os.environ[VARIABLE] = str(data)
        # A later copy removes those that were not used for long.
        with contextlib.suppress(OSError):
            os.utime(sys.prefix)
    # Whoever asked renders what is said, in a language that is not known here.
    os.environ[MESSAGES] = str(request.get("messages"))
    command = program(str(module), *map(str, arguments))
    return _run(command, is_command=module == "modelmon")


def _refuse(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return EXIT_USAGE


def _hello() -> dict[str, object]:
    return {
        "protocol": PROTOCOL,
        "version": modelmon.__version__,
        "python": platform.python_version(),
        "host": platform.node(),
        "bundle": _own_data() is not None,
    }


def _own_data() -> Path | None:
    """Where bundles keep what they measured, whatever their version: beside their folders."""
    folder = Path(sys.prefix)
    return folder.parent / "data" if (folder / _MARK).exists() else None


def _run(command: Sequence[str], *, is_command: bool) -> int:
    """Run a program until it ends; returns its exit code."""
    # Not ignored, which the program and all that it measures would inherit.
    signal.signal(signal.SIGHUP, lambda *_: None)
    os.write(1, BEGUN)
    child = subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0, start_new_session=True)
    threading.Thread(target=_pass_on, args=(child, is_command), daemon=True).start()
    code = child.wait()
    return code if code >= 0 else _BY_SIGNAL - code


def _pass_on(child: subprocess.Popen[bytes], is_command: bool) -> None:
    """Give the program its input, and end it with that."""
    assert child.stdin is not None
    with contextlib.suppress(OSError):
        while select.select([0], [], [], SILENT_S)[0] and (said := os.read(0, _PIPE_BYTES)):
            child.stdin.write(said.replace(ALIVE, b""))
    child.stdin.close()
    if is_command:
        # It would not notice that whoever asked is gone.
        child.terminate()
    try:
        child.wait(_ENDING_S)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
