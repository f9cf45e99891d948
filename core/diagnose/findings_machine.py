"""Findings about memory, whether the model fits and what takes its place, and processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.diagnosis import Diagnosis, Finding, as_root
from modelmon.core.diagnose.fit import COMFORTABLE_FACTOR
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import size_text
from modelmon.core.worker.memory_pressure import LEAST_SWAPPED_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.file_state import FileState
    from modelmon.core.machine.memory import Memory

# With these drivers the governor powersave only means that the hardware chooses.
_OWN_CHOICE = frozenset({"intel_pstate", "amd-pstate-epp"})
_PSTATES = Message(
    "intel_pstate.rst, amd-pstate.rst and cpufreq.rst in the kernel's Documentation/admin-guide/pm"
)


def memory_findings(found: Diagnosis) -> Iterator[Finding]:
    """What memory, swap and huge pages mean for a load."""
    memory = found.memory
    if found.no_model:
        text = Message("This isn't a model modelmon can load, so whether it fits is unknown.")
        yield Finding("no-model", "note", text, found.no_model)
    elif found.file is not None:
        yield _of_fit(found.file, memory)
    yield from _of_swap(found)
    if found.huge_pages.private == "never":
        yield Finding(
            "no-huge-pages",
            "note",
            Message("Transparent huge pages are off: new memory costs a page fault every 4 KiB."),
            Message("/sys/kernel/mm/transparent_hugepage/enabled is never"),
            as_root("echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"),
            Message("on one virtual machine, reads into huge pages were 2× to 6× as fast"),
        )


def _of_fit(file: FileState, memory: Memory) -> Finding:
    usable = memory.usable_bytes
    limited = usable < memory.available_bytes
    figures = {"size": size_text(file.size_bytes), "usable": size_text(usable)}
    evidence = (
        Message("{size} of files, {usable} left under the cgroup's limit", **figures)
        if limited
        else Message("{size} of files, {usable} of RAM available", **figures)
    )
    if file.size_bytes > usable:
        return Finding(
            "does-not-fit",
            "problem",
            Message("The model doesn't fit in available memory."),
            evidence,
            Message(
                "Free memory, raise the limit, add RAM, use a smaller quantization, or stream"
                " it with direct I/O. With mmap it is read from disk again and again."
            ),
            Message("ggml-org/llama.cpp#14154"),
        )
    if file.size_bytes * COMFORTABLE_FACTOR > usable:
        return Finding(
            "tight-memory",
            "note",
            Message("The model fits, but a copy of it or a long context may not."),
            evidence,
            Message(
                "Free memory up to 1.5× the model's size, or load it mapped (usable, not owned)."
            ),
            Message("a common rule for RAM: 1.5× the model"),
        )
    return Finding("fits", "ok", Message("The model fits in memory with room to spare."), evidence)


def _of_swap(found: Diagnosis) -> Iterator[Finding]:
    swapped = (found.idle.swapped_in_bytes or 0) if found.idle else 0
    written = (found.idle.swapped_out_bytes or 0) if found.idle else 0
    if found.idle is not None and swapped + written >= LEAST_SWAPPED_BYTES:
        yield Finding(
            "swapping",
            "problem",
            Message("The machine is swapping now; a load makes it worse."),
            Message(
                "{swapped} in and {written} out in {interval} s",
                swapped=size_text(swapped),
                written=size_text(written),
                interval=f"{found.idle.interval_ns / 1000000000.0:.1f}",
            ),
            Message("Close programs that use memory before loading."),
        )
    elif found.memory.swap_used_bytes:
        yield Finding(
            "swap-in-use",
            "note",
            Message("Some memory is swapped out; a load may swap out more."),
            Message(
                "{swap_used} of {swap_total}",
                swap_used=size_text(found.memory.swap_used_bytes),
                swap_total=size_text(found.memory.swap_total_bytes),
            ),
            Message("If programs are slow, close some before loading. Otherwise it does no harm."),
            Message("concepts.rst in the kernel's Documentation/admin-guide/mm, on reclaim"),
        )


def processor_findings(found: Diagnosis) -> Iterator[Finding]:
    """What frequency and heat of the processors mean for a load."""
    cpu = found.cpu
    slow = NOTHING
    if "powersave" in cpu.governors and cpu.frequency_driver not in _OWN_CHOICE:
        slow = Message(
            "governor powersave with {frequency_driver}",
            frequency_driver=cpu.frequency_driver or Message("an unknown driver"),
        )
    elif "power" in cpu.energy_preferences:
        slow = Message("energy preference power")
    if slow:
        yield Finding(
            "slow-governor",
            "note",
            Message("The processor is set to save power, so page faults and copies are slower."),
            slow,
            Message(
                "Run cpupower frequency-set -g schedutil or powerprofilesctl set"
                " balanced, or plug in."
            ),
            _PSTATES,
        )
    if found.idle is not None and found.idle.throttle_events:
        yield Finding(
            "throttled",
            "problem",
            Message("The processor is too hot and slows down."),
            Message(
                "{throttle_events} times in {interval} s",
                throttle_events=found.idle.throttle_events,
                interval=f"{found.idle.interval_ns / 1000000000.0:.1f}",
            ),
            Message("Let it cool and check its fan before measuring."),
        )
