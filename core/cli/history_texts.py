"""How the terminal words what the history says of runs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from modelmon.core.cli.run_report import io_wait_text, wait_rows
from modelmon.core.explain.program_report import judge
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.remote.address import parts_of
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.core.worker.memory_kinds import memory_text

if TYPE_CHECKING:
    from modelmon.core.history.clusters import ClusterRow
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.result import RunResult

_LONGEST_NAME = 60


def when_text(unix_s: float) -> str:
    """Local date and time, to the minute."""
    return datetime.fromtimestamp(unix_s, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def machine_text(row: RunRow) -> str:
    """The machine in a few words: `Ryzen 7, 16 CPUs, 33.5 GB RAM`."""
    cpu = f"{row.cpu_model}, " if row.cpu_model else ""
    # A recording that was taken in does not tell its machine's RAM.
    ram = f", {size_text(row.ram_bytes)} RAM" if row.ram_bytes else ""
    return f"{cpu}{row.cpu_count} CPUs{ram}"


def where_text(row: RunRow, machine_id: str) -> str:
    """The disk; of another machine than this, that first, by its address if it has one."""
    if row.machine_id == machine_id:
        return row.storage_text
    if server := parts_of(row.path).server:
        return f"{server}, {row.storage_text}"
    return f"another machine ({machine_text(row)}), {row.storage_text}"


def model_text(row: RunRow | ClusterRow) -> str:
    """The model's name in a table, where one long name would widen every row."""
    name, half = row.model_name, _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[:half]}…{name[-half:]}"


def time_texts(row: RunRow, time_ns: int) -> tuple[str, str]:
    """A time of the run: for the whole model, or else for a part of it."""
    time, share = duration_text(time_ns), row.part_share
    if share is None:
        return time, ""
    return "", f"{time} for {percent_text(share)} of the model"


def start_text(row: RunRow) -> str:
    """What the run started from, and whether it counts."""
    why = " (--verify)" if row.verified else ""
    return row.start if row.counts else f"{row.start}, not counted{why}"


def run_facts(row: RunRow, result: RunResult, machine_id: str) -> list[tuple[str, str]]:
    """One run in full, for reading."""
    facts = [
        ("Run", f"{row.id} of experiment {row.experiment}" + (", starred" if row.starred else "")),
        ("Name", row.name),
        ("When", when_text(row.started_unix_s)),
        ("Model", f"{row.model_name}, {size_text(row.model_bytes)}, {row.path}"),
        ("Part", row.subset),
        ("Strategy", row.strategy_text),
        ("Command", row.command),
        ("Ready", row.ready),
        ("Library", row.library_version),
        ("Delivery", row.deliver),
        ("Start", f"{start_text(row)} (asked for: {row.cache_asked}; {result.cache_evidence})"),
        ("Why not counted", result.why_not),
        (
            "Time",
            f"{duration_text(row.wall_ns)} for {size_text(row.load_bytes)}"
            + (f", {percent_text(row.part_share)} of the model" if row.part_share else ""),
        ),
        ("Rate", rate_text(row.bytes_per_s)),
    ]
    if result.is_program:
        wait = judge(result, UNKNOWN_LIMITS)
        facts += [("Judgment", wait.headline), ("", wait.reason), ("", wait.next_step)]
        facts += wait_rows(wait)
    elif waited := io_wait_text(row):
        facts.append(("I/O wait", waited))
    if row.device_bytes is not None:
        facts.append(("From storage", size_text(row.device_bytes)))
    peak = f", peak {size_text(row.peak_rss_bytes)}" if row.peak_rss_bytes is not None else ""
    facts.append(("Memory", f"{memory_text(row)}{peak}"))
    facts += [
        (
            "Machine",
            machine_text(row) + ("" if row.machine_id == machine_id else " (another machine)"),
        ),
        ("Kernel", row.kernel),
        ("Disk", ", ".join(filter(None, (row.storage_text, row.device_model)))),
        ("modelmon", row.modelmon_version),
        ("Recording", "saved" if row.events_file else "none"),
    ]
    return [(name, text) for name, text in facts if text]
