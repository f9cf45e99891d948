"""Judge a diagnosis: what will hurt a load, what to do about it, and how that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.findings_device import device_findings
from modelmon.core.diagnose.findings_file import file_findings
from modelmon.core.diagnose.findings_filesystem import filesystem_findings
from modelmon.core.diagnose.findings_limits import limit_findings
from modelmon.core.diagnose.findings_machine import memory_findings, processor_findings
from modelmon.core.diagnose.findings_probe import (
    probe_findings,
    without_beaten,
)

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis, Finding

_ORDER = {"problem": 0, "note": 1, "ok": 2}


def findings_of(found: Diagnosis) -> tuple[Finding, ...]:
    """All findings, problems first; within a severity from the storage to the machine.

    What a probe measured takes the place of rules of thumb about the same.
    """
    findings = [
        *filesystem_findings(found),
        *device_findings(found),
        *file_findings(found),
        *memory_findings(found),
        *processor_findings(found),
        *limit_findings(found),
    ]
    if found.probe is not None:
        measured = probe_findings(found.probe)
        findings = [*measured, *without_beaten(findings, found.probe)]
    return tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity]))
