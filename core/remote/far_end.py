"""The end on the server of a program that was started elsewhere, over SSH.

The program writes to the connection itself. What comes for it is passed on here, and where that
ends, or stays away, the program is ended as if its window had been closed.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.data_folder import VARIABLE
from modelmon.core.errors import EXIT_USAGE
from modelmon.core.messages import MESSAGES
from modelmon.core.remote.ssh import words_of
from modelmon.core.worker.child_process import program

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGUN = b"\x05\n"
"""The first line from there: what its shell printed before is no part of the output."""

ALIVE = b"\0"
"""What the near end adds to the input, which is text, every `BEAT_S`. ssh notices a dead line by
itself; sshd by default takes minutes or hours, and a program would run on for so long.
"""
BEAT_S = 5.0
SILENT_S = 15.0
"""After so long without input the near end counts as gone."""
_PIPE_BYTES = 1 << 16
_ENDING_S = 12.0
"""A program that is to end may take so long: one that watches another has up to 10 s."""
_BY_SIGNAL = 128
"""Shells add it to the number of the signal that ended a program."""


def main(words: Sequence[str]) -> int:
    """Run the program that the one word asks for; returns its exit code."""
    try:
        messages, module, *arguments = words_of(words[0])
    except (IndexError, ValueError):
        sys.stderr.write("This is started by modelmon on another machine.\n")
        return EXIT_USAGE
    own = Path(sys.prefix)
    # Beside the copies, whatever their version; the next copy removes those unused for long.
    os.environ[VARIABLE] = str(own.parent / "data")
    with contextlib.suppress(OSError, RuntimeError):
        os.utime(own)
        os.chdir(Path.home())
    # Whoever asked renders what is said, in a language that is not known here.
    os.environ[MESSAGES] = messages
    return _run(program(module, *arguments), is_command=module == "modelmon")


def _run(command: Sequence[str], *, is_command: bool) -> int:
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
