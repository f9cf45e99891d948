"""What the set-up says: one line per step, and the end of a tool's log only when it failed."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LOG_LINES = 30


class SetupError(Exception):
    """The set-up cannot go on; the message says why and what to do about it."""


def say(text: str, end: str = "\n") -> None:
    """Write a line that is seen at once, also in a log file."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def complain(text: str) -> None:
    """Write why the set-up ends, apart from what came before it."""
    sys.stderr.write(f"\n{text}\n")


def step(title: str, *commands: Sequence[str], env: Mapping[str, str] | None = None) -> None:
    """Run commands under one line with their time; on failure SetupError holds the log's end."""
    say(f"{title} ...", end="")
    start = time.monotonic()
    for command in commands:
        try:
            done = subprocess.run(
                command,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
            )
        except BaseException:
            say("")
            raise
        if done.returncode:
            say(" failed")
            log = "\n".join(done.stdout.splitlines()[-LOG_LINES:])
            raise SetupError(f"{log}\n\nThis failed:\n  {' '.join(command)}")
    say(f" {time.monotonic() - start:.0f} s")
