"""Findings about the limits of the control groups that this program runs in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.diagnosis import Diagnosis, Finding
from modelmon.core.messages import Message, joined
from modelmon.core.probe.limits import limits_of
from modelmon.core.units import rate_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.cgroup_limits import CgroupLimit, LimitKind

WIDE_SHARE = 0.7
"""What a disk gives that was measured at less of its limit is not what the limit leaves of it."""


def limit_findings(found: Diagnosis) -> Iterator[Finding]:
    """What limits of reads, memory and processors mean for a load."""
    measured = limits_of(found.probe).device_bytes_per_s if found.probe is not None else None
    for limit in found.limits or ():
        if limit.device:
            wide = measured is not None and measured < WIDE_SHARE * limit.amount
            yield _of_reads(limit, is_wide=wide and limit.kind == "read-rate")
    memory, cpu = found.memory, found.cpu
    allowed = memory.cgroup_limit_bytes
    if allowed is not None and allowed < memory.total_bytes:
        yield Finding(
            "cgroup-limit",
            "note",
            Message("A cgroup limits memory, and the model's page cache counts toward it."),
            _with_place(
                Message(
                    "{limit} of {total} RAM, {cgroup_used} in use",
                    limit=size_text(allowed),
                    total=size_text(memory.total_bytes),
                    cgroup_used=size_text(memory.cgroup_used_bytes or 0),
                ),
                found,
                "memory",
                allowed,
            ),
            Message("Set the limit to 1.5 times the model or more."),
            Message("kubernetes/kubernetes#43916"),
        )
    usable = cpu.usable or cpu.logical
    if cpu.quota is not None and cpu.quota < usable:
        yield Finding(
            "cpu-quota",
            "note",
            Message(
                "A cgroup allows fewer processors than are visible; extra readers get throttled."
            ),
            _with_place(
                Message("{quota} of {usable}", quota=f"{cpu.quota:g}", usable=usable),
                found,
                "processors",
                cpu.quota,
            ),
            Message(
                "Use at most {value} readers, or raise the limit.", value=max(1, round(cpu.quota))
            ),
            Message("sched-bwc.rst in the kernel's Documentation/scheduler"),
        )


def _of_reads(limit: CgroupLimit, *, is_wide: bool) -> Finding:
    if limit.kind == "read-rate":
        text = Message(
            "This program may read at most {rate} from this disk: a limit of its control group,"
            " {where}.",
            rate=rate_text(limit.amount),
            where=limit.where,
        )
        remedy = Message(
            "Raise or remove the limit: IOReadBandwidthMax= of a systemd unit,"
            " --device-read-bps of a container. No strategy reads faster under it."
        )
    else:
        text = Message(
            "This program may make at most {count} reads per second from this disk: a limit of its"
            " control group, {where}.",
            count=f"{limit.amount:,.0f}",
            where=limit.where,
        )
        remedy = Message(
            "Raise or remove the limit: IOReadIOPSMax= of a systemd unit, --device-read-iops of a"
            " container. Larger requests make fewer reads."
        )
    return Finding("io-limit", "note" if is_wide else "problem", text, limit.amount_text, remedy)


def _with_place(evidence: Message, found: Diagnosis, kind: LimitKind, amount: float) -> Message:
    """The figures, and which group of the chain sets them."""
    limits = (limit for limit in found.limits or () if (limit.kind, limit.amount) == (kind, amount))
    limit = next(limits, None)
    return joined((evidence, limit.where), ", ") if limit is not None else evidence
