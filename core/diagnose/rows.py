"""All that `modelmon doctor` knows in groups of rows, for the terminal and for the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.rows_decode import decode_rows, decoded_as_rows
from modelmon.core.diagnose.rows_devices import device_rows, idle_rows
from modelmon.core.diagnose.rows_machine import memory_rows, processor_rows, system_rows
from modelmon.core.diagnose.rows_probe import expected_rows, fit_rows, probe_rows
from modelmon.core.diagnose.rows_storage import file_rows, storage_rows
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis, Finding


def doctor_groups(found: Diagnosis) -> list[tuple[str, list[tuple[str, str]]]]:
    """Titles with their rows of names and texts; those that have any."""
    groups = [
        (Message("Storage"), storage_rows(found)),
        (Message("Devices"), device_rows(found)),
        (Message("Devices now, before any load"), idle_rows(found)),
        (Message("Disk measurement"), probe_rows(found)),
        (Message("Expected load times"), expected_rows(found)),
        (Message("File"), file_rows(found)),
        (Message("Memory"), [*memory_rows(found), *fit_rows(found.fit)]),
        (Message("Processors"), processor_rows(found)),
        (Message("Decoding to float32"), decode_rows(found)),
        (Message("This model in each type"), decoded_as_rows(found)),
        (Message("System"), system_rows(found)),
    ]
    return [(title, rows) for title, rows in groups if rows]


def finding_rows(finding: Finding) -> list[tuple[str, str]]:
    """What a finding rests on, what to do, and whose figure it is that was not measured here."""
    rows = [
        (Message("Evidence"), finding.evidence),
        (Message("Fix"), finding.remedy),
        (Message("Typical value, not measured here"), finding.rule_of_thumb),
    ]
    return [(name, text) for name, text in rows if text]
