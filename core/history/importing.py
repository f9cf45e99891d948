"""Recordings made elsewhere, taken into the history without passing for runs of this machine."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from modelmon.core.history.file import HistoryError
from modelmon.core.history.origin import Origin
from modelmon.core.history.recorder import MOST_LINES_BYTES
from modelmon.core.history.rows import IMPORTED, ArmOf, RunFilter
from modelmon.core.machine.origin import MachineOrigin, StorageOrigin
from modelmon.core.messages import Message
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.remote import parts_of
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import failure_of, summarise

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from modelmon.core.history.history import History
    from modelmon.core.worker.events import Hello, Planned


def import_recording(
    history: History, path: Path, seen: Callable[[int], None] = lambda _: None
) -> int:
    """Enter the run that a `.jsonl` file holds; returns its number. `seen` as in `read_record`.

    A recording does not say which machine and volume it is of, only what they are like; two of
    them may come from two places that look the same. So each gets an origin of its own: it is
    listed, shown and starred, and never set against another run.
    Raises ProtocolError for another file, HistoryError for one that is in the history or whose
    load did not finish.
    """
    record = read_record(path, seen)
    if record.hello is None or record.planned is None or record.finished is None:
        why = failure_of(record)
        raise HistoryError(
            Message("{path} holds no finished load: {message}", path=path, message=why.message),
            why.remedy,
        )
    result, lines = summarise(record), path.read_bytes()
    origin = _origin(record.hello, record.planned, sha256(lines).hexdigest()[:16])
    for row in history.runs(RunFilter(machine_id=origin.machine.id)):
        raise HistoryError(
            Message("{path} is in the history already, as run {id}.", path=path, id=row.id)
        )
    arm = ArmOf("A", result.strategy, result.config)
    experiment_id = history.begin("single", origin, [arm], record.hello.job)
    kept = lines if len(lines) <= MOST_LINES_BYTES else b""
    run_id = history.add_run(experiment_id, origin, "A", result, kept)
    history.end(experiment_id, "done")
    return run_id


def _origin(hello: Hello, planned: Planned, content: str) -> Origin:
    device = planned.device_name or ""
    return Origin(
        machine=MachineOrigin(f"{IMPORTED}{content}", hello.platform, hello.cpu_count, 0),
        storage=StorageOrigin(
            id=f"{IMPORTED}{content}",
            source=device,
            device=device,
            device_model="",
            filesystem=planned.filesystem,
            kind=planned.storage_kind or "unknown",
        ),
        model=ModelFingerprint(
            name=planned.model_name,
            format="",
            nbytes=planned.model_bytes,
            tensors=planned.tensors,
            digest=f"{IMPORTED}{content}",
        ),
        # No recording names a server to call.
        path=parts_of(hello.job.path).path,
        kernel=hello.platform,
    )
