"""A run's record summed up as a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import CancelledError, LoadFailedError, ModelmonError
from modelmon.core.experiment.result import RunResult

if TYPE_CHECKING:
    from modelmon.core.worker.events import Failed
    from modelmon.core.worker.record import RunRecord


class RunFailedError(LoadFailedError):
    """A run ended without a result; `failed` is what its worker said."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.message, failed.remedy)
        self.failed = failed
        self.exit_code = 2 if failed.kind in ("model", "config") else 1


def failure_of(record: RunRecord) -> ModelmonError:
    """The error that ended a run which did not finish."""
    if record.failed is None:
        return LoadFailedError("The run did not end.")
    if record.failed.kind == "cancelled":
        return CancelledError(record.failed.message)
    return RunFailedError(record.failed)


def summarise(record: RunRecord) -> RunResult:
    """The result of a finished run; raises its error if it did not finish."""
    done, hello, planned, ready = record.finished, record.hello, record.planned, record.ready
    if done is None or hello is None or planned is None or ready is None:
        raise failure_of(record)
    reasons = [warning.message for warning in record.warnings if not warning.counts]
    if done.checksum_matches is False:
        reasons.append("The delivered bytes differ from the file's.")
    return RunResult(
        strategy=hello.job.strategy,
        config=hello.job.config,
        wall_ns=done.wall_ns,
        warmup_ns=done.warmup_ns,
        load_bytes=planned.planned_bytes,
        model_bytes=planned.model_bytes,
        memory_kind=done.memory_kind,
        cache_asked=hello.job.cache,
        cache_state=done.cache_state,
        cache_evidence=done.cache_evidence,
        counts=done.counts,
        why_not="" if done.counts else " ".join(reasons),
        started_unix_s=hello.started_unix_s,
        device_bytes=done.device_bytes,
        io_wait_share=done.io_wait_share,
        cpu_user_ns=done.cpu_user_ns,
        cpu_system_ns=done.cpu_system_ns,
        minor_faults=done.minor_faults,
        major_faults=done.major_faults,
        peak_rss_bytes=done.peak_rss_bytes,
        residency_before_share=ready.residency_share,
        residency_after_share=done.residency_after_share,
        conditioned_bytes=ready.conditioned_bytes,
        samples=done.samples,
        requests=planned.requests,
        warnings=tuple(record.warnings),
        file_bytes=planned.file_bytes,
        read_bytes=planned.read_bytes,
        portion=hello.job.portion_bytes is not None and planned.file_bytes < planned.model_bytes,
        subset=hello.job.subset.text,
        library_version=planned.library_version,
        open_ns=planned.open_ns,
        plan_ns=planned.plan_ns,
        startup_ns=done.startup_ns,
        decode_ns=done.decode_ns,
        cpu_count=hello.cpu_count,
        cache_ns=ready.cache_ns,
        conditioning_ns=ready.conditioning_ns,
        prepared_with=hello.job.prepared_with,
        tensors=planned.tensors,
        storage_kind=planned.storage_kind,
        files_mark=planned.files_mark,
        device=done.device,
        memory=done.memory,
    )
