"""`modelmon` as it is typed, and programs of somebody else that it starts or watches."""

import os
import shlex
import signal
import subprocess
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import psutil
from tests.system.runs import until

from modelmon.core.cli.main import main

MODELMON = (sys.executable, "-P", "-m", "modelmon")
SCRIPT = Path(__file__).parent / "somebodys_program.py"
LINGERS_S = 2.0
"""A slow program takes so much longer than any machine takes for a few MiB of cached bytes."""

# A user who owns nothing here; the one right it keeps is to read, since the interpreter may lie in
# a folder that others cannot enter.
AS_NOBODY = (
    *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
    *(f"--{which}=-all,+dac_read_search" for which in ("inh-caps", "ambient-caps", "bounding-set")),
)
MAPS = """
import mmap, sys
with open(sys.argv[1], "rb") as file:
    held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    held[::4096]
    print("mapped", flush=True)
    sys.stdin.read()
"""


@contextmanager
def mapped_by_another(path):
    """Until the block ends, a process has the file mapped and cached; its number."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", MAPS, str(path)], stdin=pipe, stdout=pipe
    ) as process:
        assert process.stdout.readline() == b"mapped\n"
        yield process.pid
        process.stdin.close()


def modelmon(*arguments, **options):
    """What a command printed, in a process of its own, with nobody to ask."""
    return subprocess.run(
        [*MODELMON, *map(str, arguments)],
        **{"stdin": subprocess.DEVNULL, "capture_output": True, "text": True} | options,
        check=False,
    )


def typed(*arguments, stdin=None):
    """The same in this process: where none of its own could tell more, and in a tenth of the time.

    What the command itself starts are processes here as well. Nobody answers, but at `stdin`.
    """
    handler, own = signal.getsignal(signal.SIGTERM), sys.stdin
    answers = os.open(os.devnull, os.O_RDONLY) if stdin is None else os.dup(stdin)
    with redirect_stdout(StringIO()) as output, redirect_stderr(StringIO()) as errors:
        try:
            with os.fdopen(answers) as sys.stdin:
                code = main([*map(str, arguments)])
        finally:
            sys.stdin = own
            signal.signal(signal.SIGTERM, handler)
    return subprocess.CompletedProcess(arguments, code, output.getvalue(), errors.getvalue())


def command(deed, model, notes, *more):
    """The command of `somebodys_program.py`."""
    return [sys.executable, "-S", *map(str, (SCRIPT, deed, model, notes, *more))]


def command_line(deed, model, notes, *more):
    """The same as it is typed."""
    return shlex.join(command(deed, model, notes, *more))


def starts(notes):
    """The processes that programs had."""
    return {int(path.stem) for path in notes.glob("*.pid")}


def assert_that_all_have_ended(notes, least=1):
    """And that there were so many of them."""
    assert len(starts(notes)) >= least
    # What was killed with its parent is gone a little later.
    until(lambda: not any(map(psutil.pid_exists, starts(notes))))
