"""Runs on each node: one load by an ordinary worker, started when the driver says.

It answers questions of the driver and doesn't know Ray.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

import modelmon
from modelmon.core.cluster.result import Node
from modelmon.core.errors import ModelmonError
from modelmon.core.limited_numbers import Amount, Clock, Number
from modelmon.core.machine.origin import this_machine
from modelmon.core.machine.procfs import value
from modelmon.core.machine.storage import storage_of
from modelmon.core.messages import NOTHING, Message, to_wire
from modelmon.core.model.fingerprint import model_fingerprint
from modelmon.core.model.open import open_model
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import AnyEvent, Job, Ready
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import RunResult, summarise

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_MOST_POINTS = 50

Phase = Literal["prepares", "waits", "loads", "over"]


class NodeState(msgspec.Struct, frozen=True, omit_defaults=True):
    """Progress of a node's load, which `waits` from prepared until the driver's start time.

    Its worker has reported nothing for `silent_s`. It started at `went_ns` of the node's clock;
    `delivered` are times since then and bytes that it had. At the end there is a `result` or a
    `problem`.
    """

    phase: Phase = "prepares"
    planned_bytes: Amount = 0
    delivered_bytes: Amount = 0
    silent_s: Number = 0.0
    went_ns: Clock | None = None
    delivered: tuple[tuple[Amount, Amount], ...] = ()
    result: RunResult | None = None
    problem: Message = NOTHING


def described(path: str) -> bytes:
    """This node as JSON of a `Node`, with the model at `path`, or why it cannot be loaded here."""
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
        self._record = RunRecord()
        self._phase: Phase = "prepares"
        self._told: Phase = "prepares"
        self._problem = NOTHING
        self._heard_s = time.monotonic()
        self._at_ns: int | None = None
        self._went_ns: int | None = None
        threading.Thread(target=self._load, args=(job,), daemon=True).start()

    def go(self, at_ns: int) -> None:
        """Start at this moment of the monotonic clock, or at once where that is over."""
        with self._changed:
            self._heard_s = max(time.monotonic(), at_ns / 1e9)
            self._at_ns = at_ns
            self._changed.notify_all()

    def state(self, wait_s: float) -> bytes:
        """A `NodeState` as JSON, after so long or once its phase is another one than last told."""
        with self._changed:
            self._changed.wait_for(lambda: self._phase != self._told, wait_s)
            self._told = self._phase
        return msgspec.json.encode(self._state(self._told), enc_hook=to_wire)

    def _state(self, phase: Phase) -> NodeState:
        record = self._record
        state = NodeState(
            phase,
            record.planned.planned_bytes if record.planned else 0,
            record.delivered_bytes,
            max(0.0, time.monotonic() - self._heard_s),
            self._went_ns,
        )
        if phase != "over":
            return state
        try:
            result = None if self._problem else summarise(record)
        except ModelmonError as error:
            return msgspec.structs.replace(state, problem=error.message)
        kept = record.samples[:: 1 + len(record.samples) // _MOST_POINTS]
        points = tuple((each.t_ns, each.delivered_bytes) for each in kept)
        return msgspec.structs.replace(
            state, delivered=points, result=result, problem=self._problem
        )

    def _load(self, job: bytes) -> None:
        try:
            _niceness()
            self._record = run_job(msgspec.json.decode(job, type=Job), self._follow)
        except Exception as error:
            self._problem = Message("The process stopped unexpectedly: {what}.", what=repr(error))
        finally:
            self._enter("over")

    def _enter(self, phase: Phase) -> None:
        with self._changed:
            self._phase = phase
            self._changed.notify_all()

    def _follow(self, event: AnyEvent, record: RunRecord) -> None:
        """Hold a load that is ready until it is to start."""
        self._record, self._heard_s = record, max(self._heard_s, time.monotonic())
        if not isinstance(event, Ready):
            return
        self._enter("waits")
        with self._changed:
            self._changed.wait_for(lambda: self._at_ns is not None)
        assert self._at_ns is not None
        time.sleep(max(0, self._at_ns - time.monotonic_ns()) / 1e9)
        self._went_ns = time.monotonic_ns()
        self._enter("loads")
