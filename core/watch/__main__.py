"""`python -m modelmon.core.watch [COMMAND...]`: a worker whose job is to watch a program.

The command is that of the program; without one it is joined, as its job says. `--seek SECONDS
COMMAND...` is no such worker: it starts a command that names no model, to see which one it opens,
writes one line, as `ask` reads it, and ends the command. Whoever started it ends it with its input.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import EXIT_DONE, EXIT_LOAD_FAILED, ConfigError, ModelmonError
from modelmon.core.machine.anonymous_memory import memory_file
from modelmon.core.machine.processes import descendants, end_descendants, is_running
from modelmon.core.messages import Message, joined, to_wire
from modelmon.core.model.named_models import files_used_by, looks_like_model, models_of, the_one
from modelmon.core.watch.output import KEPT_BYTES, last_output
from modelmon.core.watch.program import Program, held
from modelmon.core.watch.reaper import fork_under_reaper
from modelmon.core.worker.command_words import taken_apart
from modelmon.core.worker.supervisor import main

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SEEK = "--seek"
_LOOK_S = 0.02
_GRACE_S, _KILL_WAIT_S = 2.0, 0.5


def _sought(limit_s: float, command: Sequence[str]) -> Path:
    """The one model that a command opens, or one of its processes; raises ConfigError where they
    end without one, or have none after `limit_s`.
    """
    until_s = time.monotonic() + limit_s
    output = memory_file()
    program = held(command, output)
    os.waitid(os.P_PID, program.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    os.kill(program.pid, signal.SIGCONT)
    others: set[Path] = set()
    running = True
    while running and not select.select([0], [], [], _LOOK_S)[0]:
        pids = descendants(os.getpid())
        running = any(map(is_running, pids)) and time.monotonic() < until_s
        opened = {path for pid in pids for path in files_used_by(pid)} - others
        found = [path for path in opened if looks_like_model(path)]
        others |= opened - {*found}
        if models := models_of(found):
            return the_one(models)
    size_bytes = os.fstat(output).st_size
    said = last_output(os.pread(output, KEPT_BYTES, max(0, size_bytes - KEPT_BYTES)))
    raise ConfigError(
        Message("{program} opened no model.", program=taken_apart(command).name),
        joined(filter(None, (Message("Name it: modelmon watch MODEL -- COMMAND."), said))),
    )


def _seek(limit_s: float, command: Sequence[str]) -> int:
    """Write the path, or what went wrong, and return the exit code; nothing that was started is
    left.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_LOAD_FAILED))
    code = EXIT_DONE
    try:
        answer: object = str(_sought(limit_s, command))
    except ModelmonError as error:
        code = error.exit_code
        answer = {"error": {"message": error.message, "remedy": error.remedy}}
    finally:
        end_descendants(_GRACE_S, _KILL_WAIT_S)
    sys.stdout.buffer.write(msgspec.json.encode(answer, enc_hook=to_wire) + b"\n")
    return code


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments:
        fork_under_reaper()
    if arguments[:1] == [SEEK]:
        sys.exit(_seek(float(arguments[1]), arguments[2:]))
    sys.exit(main(start=partial(Program, arguments)))
