"""What runs on a node: an ordinary worker, held at a barrier, and its lines, handed out in batches.

The driver asks for them; nothing here knows how the questions come.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import modelmon
from modelmon.core.cluster.local_disk import local_disk
from modelmon.core.cluster.result import Node
from modelmon.core.errors import ModelmonError
from modelmon.core.machine.origin import this_machine
from modelmon.core.machine.storage import storage_of
from modelmon.core.machine.sysfs import value
from modelmon.core.messages import Message, to_wire
from modelmon.core.model.fingerprint import model_fingerprint
from modelmon.core.model.open import open_model
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import AnyEvent, Failed, Job, Ready, encode

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_NOT_SENT = tuple(f'{{"event":"{tag}"'.encode() for tag in ("chunks", "blocks", "cache-map"))
"""Events with a line for each request or block, which stay on the node."""
_SAMPLE = b'{"event":"sample"'
_URGENT = tuple(f'{{"event":"{tag}"'.encode() for tag in ("ready", "finished", "failed"))
"""What the driver waits for; anything else can wait for company."""
_MOST_PENDING_BYTES = 1 << 20


def described(path: str, local: str = "") -> bytes:
    """This node as JSON of a `Node`, with the model at `path`, or why it cannot be loaded here; and
    with its own disk at the folder `local`, if that is named.
    """
    node = Node(
        name="",
        machine=this_machine(),
        boot_id=value(_BOOT_ID),
        modelmon_version=modelmon.__version__,
        niceness=max(0, _niceness()),
    )
    try:
        model = open_model(Path(path))
        for each in model.files:
            each.open("rb").close()
        storage = storage_of(model.files[0])
        node = msgspec.structs.replace(
            node,
            model=model_fingerprint(model),
            storage_kind=storage.kind,
            filesystem=storage.filesystem,
        )
        if local:
            disk = local_disk(local, path, model_fingerprint(model))
            node = msgspec.structs.replace(node, local=disk)
    except ModelmonError as error:
        node = msgspec.structs.replace(node, why_not=error.message, remedy=error.remedy)
    except OSError as error:
        why = Message("Couldn't read {path}: {reason}.", path=path, reason=error.strerror)
        node = msgspec.structs.replace(node, why_not=why)
    return msgspec.json.encode(node, enc_hook=to_wire)


def _niceness() -> int:
    """How far this thread, and what it starts, stands back for other programs, beyond its parent.

    Ray has its workers stand back (by 15), which a load should not; where that can't be undone it
    is told.
    """
    if sys.platform == "win32":
        return 0
    parents = os.getpriority(os.PRIO_PROCESS, os.getppid())
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, parents)
    return os.getpriority(os.PRIO_PROCESS, 0) - parents


class NodeLoad:
    """One load of this node, prepared at once; its methods are called from several threads."""

    def __init__(self, job: bytes) -> None:
        """`job` is a `Job` as JSON."""
        self._changed = threading.Condition()
        self._lines: deque[bytes] = deque()
        self._pending_bytes = 0
        self._urgent = self._over = False
        self._at_ns: int | None = None
        self._went_ns: int | None = None
        threading.Thread(target=self._load, args=(job,), daemon=True).start()

    def go(self, at_ns: int) -> None:
        """Start at this moment of the monotonic clock, or at once where that is over."""
        with self._changed:
            self._at_ns = at_ns
            self._changed.notify_all()

    def take(self, wait_s: float) -> tuple[list[bytes], int | None, bool]:
        """The lines that have come, when the load was let go, and whether there are no more.

        Waits for so long, or until there is a line that the driver waits for.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._urgent or self._over, wait_s)
            lines = list(self._lines)
            self._lines.clear()
            self._pending_bytes, self._urgent = 0, False
            return lines, self._went_ns, self._over

    def write(self, line: bytes) -> None:
        """Take a line of the worker; samples that nobody fetches are dropped."""
        if line.startswith(_NOT_SENT):
            return
        with self._changed:
            if line.startswith(_SAMPLE) and self._pending_bytes > _MOST_PENDING_BYTES:
                return
            self._lines.append(line)
            self._pending_bytes += len(line)
            if line.startswith(_URGENT):
                self._urgent = True
                self._changed.notify_all()

    def _load(self, job: bytes) -> None:
        try:
            _niceness()
            run_job(msgspec.json.decode(job, type=Job), self._follow, self)
        except Exception as error:
            text = Message("The process stopped unexpectedly: {what}.", what=repr(error))
            self.write(encode(Failed("internal", text)))
        finally:
            with self._changed:
                self._over = True
                self._changed.notify_all()

    def _follow(self, event: AnyEvent, _record: RunRecord) -> None:
        """Hold a load that is ready until it is to start."""
        if not isinstance(event, Ready):
            return
        with self._changed:
            self._changed.wait_for(lambda: self._at_ns is not None)
        assert self._at_ns is not None
        time.sleep(max(0, self._at_ns - time.monotonic_ns()) / 1e9)
        self._went_ns = time.monotonic_ns()
