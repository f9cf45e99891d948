"""All that `modelmon doctor` knows in groups of rows, for the terminal and for the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cli.doctor_devices import device_rows, idle_rows
from modelmon.core.cli.doctor_machine import memory_rows, processor_rows, system_rows
from modelmon.core.cli.doctor_probe import fit_rows, probe_rows
from modelmon.core.cli.doctor_storage import file_rows, storage_rows

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight.diagnosis import Diagnosis


def doctor_groups(found: Diagnosis) -> list[tuple[str, list[tuple[str, str]]]]:
    """Titles with their rows of names and texts; those that have any."""
    groups = [
        ("Storage", storage_rows(found)),
        ("Devices", device_rows(found)),
        ("Devices now, before any load", idle_rows(found)),
        ("Probe", probe_rows(found)),
        ("File", file_rows(found)),
        ("Memory", [*memory_rows(found), *fit_rows(found.fit)]),
        ("Processors", processor_rows(found)),
        ("System", system_rows(found)),
    ]
    return [(title, rows) for title, rows in groups if rows]
