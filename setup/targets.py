"""The targets of the Makefile: what they need, and what they start."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import demonstration
import environment
import qt
import system_packages
from checks import run_checks
from console import SetupError, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

XVFB = ("xvfb", "xauth")


def setup() -> int:
    """Everything that `make run` and `make test` install, and nothing more."""
    environment.prepare(development=True)
    qt.provide("offscreen", "xcb")
    return 0


def run() -> int:
    """The program, with a sample model where MODEL names none."""
    environment.prepare(development=False)
    return demonstration.start(os.environ.get("MODEL", ""))


def test() -> int:
    """Linters, types, import rules and tests."""
    environment.prepare(development=True)
    qt.provide("offscreen", "xcb")
    if sys.platform == "linux" and not shutil.which("xvfb-run"):
        system_packages.wish(XVFB, "Tests of a real window are left out: there is no xvfb-run.")
    return run_checks(shlex.split(os.environ.get("PYTEST_ARGS", "")))


def bench() -> int:
    """What watching a load costs the load."""
    environment.prepare(development=True)
    return _python("benchmarks/monitor.py", *shlex.split(os.environ.get("BENCH_ARGS", "")))


def screenshots() -> int:
    """The README's pictures, from a window on a virtual display."""
    environment.prepare(development=True)
    qt.provide("xcb")
    if not shutil.which("xvfb-run"):
        system_packages.require(XVFB, "The pictures are taken on a virtual display.")
    return _python("tests/system/screenshots.py", wrapper=["xvfb-run", "--auto-servernum"])


TARGETS: dict[str, Callable[[], int]] = {
    target.__name__: target for target in (setup, run, test, bench, screenshots)
}


def main(arguments: Sequence[str]) -> None:
    """Run the target that the Makefile names, and leave with its status."""
    try:
        sys.exit(TARGETS[arguments[0]]())
    except SetupError as error:
        say(f"\n{error}")
    except PermissionError as error:
        say(f"\n{error}\nDo the folder and what is in it belong to you?")
    except KeyboardInterrupt:
        say("\nInterrupted.")
        sys.exit(130)
    sys.exit(2)


def _python(script: str, *arguments: str, wrapper: Sequence[str] = ()) -> int:
    command = [*wrapper, environment.PYTHON, script, *arguments]
    return subprocess.run(command, cwd=environment.ROOT, check=False).returncode
