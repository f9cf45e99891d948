"""Findings about memory: whether the model fits, and what takes its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.diagnosis import Diagnosis, Finding
from modelmon.core.experiment.preflight.fit import COMFORTABLE_FACTOR
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.file_state import FileState
    from modelmon.core.machine.memory import Memory


def memory_findings(found: Diagnosis) -> Iterator[Finding]:
    """What memory, its limit, swap and huge pages mean for a load."""
    memory = found.memory
    if found.no_model:
        text = "The file is no model that modelmon loads, so nothing is said of what fits."
        yield Finding("no-model", "note", text, found.no_model)
    elif found.file is not None:
        yield _of_fit(found.file, memory)
    limit = memory.cgroup_limit_bytes
    if limit is not None and limit < memory.total_bytes:
        yield Finding(
            "cgroup-limit",
            "note",
            "A cgroup limits memory, and the page cache of what is loaded counts towards it.",
            f"{size_text(limit)} of {size_text(memory.total_bytes)} RAM,"
            f" {size_text(memory.cgroup_used_bytes or 0)} in use",
            "Set the limit to 1.5 times the model or more.",
            "kubernetes/kubernetes#43916",
        )
    yield from _of_swap(found)
    if found.huge_pages.private == "never":
        yield Finding(
            "no-huge-pages",
            "note",
            "Transparent huge pages are off, so that fresh memory costs a fault every 4 KiB.",
            "/sys/kernel/mm/transparent_hugepage/enabled is never",
            "As root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
            "on one virtual machine reads into huge pages were 2 to 6 times as fast",
        )


def _of_fit(file: FileState, memory: Memory) -> Finding:
    usable = memory.usable_bytes
    limited = usable < memory.available_bytes
    evidence = f"{size_text(file.size_bytes)} of files, {size_text(usable)}" + (
        " left under the cgroup's limit" if limited else " of RAM available"
    )
    if file.size_bytes > usable:
        return Finding(
            "does-not-fit",
            "problem",
            "The model is larger than the memory that it can have.",
            evidence,
            "Close what holds memory, raise the limit, add RAM, or use a smaller quantisation."
            " A mapped model loads, but is read from the disk again and again.",
            "ggml-org/llama.cpp#14154",
        )
    if file.size_bytes * COMFORTABLE_FACTOR > usable:
        return Finding(
            "tight-memory",
            "note",
            "The model fits, with little room: a copy of it or a long context may not.",
            evidence,
            "Have 1.5 times the model available, or load it mapped (usable, not owned).",
            "a common recommendation for RAM: 1.5 times the model",
        )
    return Finding("fits", "ok", "The model fits into memory with room to spare.", evidence)


def _of_swap(found: Diagnosis) -> Iterator[Finding]:
    swapped = (found.idle.swapped_in_bytes or 0) if found.idle else 0
    written = (found.idle.swapped_out_bytes or 0) if found.idle else 0
    if found.idle is not None and swapped + written:
        yield Finding(
            "swapping",
            "problem",
            "The machine is swapping right now; a load would make it worse.",
            f"{size_text(swapped)} in and {size_text(written)} out"
            f" in {found.idle.interval_ns / 1e9:.1f} s",
            "Close what holds memory before loading.",
        )
    elif found.memory.swap_used_bytes:
        yield Finding(
            "swap-in-use",
            "note",
            "Some memory is swapped out, which a load may push further.",
            f"{size_text(found.memory.swap_used_bytes)}"
            f" of {size_text(found.memory.swap_total_bytes)}",
            "If programs are slow, close some before loading. What stays there does no harm.",
            "concepts.rst in the kernel's Documentation/admin-guide/mm, on reclaim",
        )
