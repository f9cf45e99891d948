"""What to do in the window where the terminal's text names a command or a flag of its own."""

from __future__ import annotations

from modelmon.core.messages import Message

_CONTROLS = (
    (
        Message("Wait until the disk is idle, then measure again: modelmon doctor PATH --probe"),
        Message("Wait until the disk is idle, then choose Measure the disk again."),
    ),
    (
        Message("Measure: modelmon compare PATH --a mmap --b parallel."),
        Message("Compare mmap (A) with parallel (B)."),
    ),
    (
        Message("Measure the disk to see its limit; in the terminal: modelmon doctor --probe."),
        Message("Measure the disk to see its limit."),
    ),
    (
        Message(
            "Measure the disk to see whether it became slower; in the terminal: modelmon "
            "doctor --probe."
        ),
        Message("Measure the disk to see whether it became slower."),
    ),
    (
        Message(
            "Measure the disk again while nothing else uses it; in the terminal: modelmon "
            "doctor --probe."
        ),
        Message("Measure the disk again while nothing else uses it."),
    ),
    (
        Message(
            "Clear that cache with --prepare. If the measurement is wrong, repeat it"
            " (doctor --probe)."
        ),
        Message(
            "Clear that cache before each run. If the measurement is wrong, measure the disk again."
        ),
    ),
    (
        Message("Clear the server's cache before each run with --prepare, if you can."),
        Message("Clear the server's cache before each run, if you can."),
    ),
    (
        Message("Clear the cache below this machine's with --prepare, or measure warm starts."),
        Message("Clear the cache below this machine's before each run, or measure warm starts."),
    ),
    (
        Message("Run again without --verify to measure."),
        Message("Run again to measure without checksums."),
    ),
    (
        Message("Close other programs, or load a part with --portion."),
        Message("Close other programs, or use a smaller file."),
    ),
    (
        Message(
            "Stream it (delivery streamed), best with direct I/O; or free memory, or load a "
            "part with --portion."
        ),
        Message("Set Delivery to streamed, best with direct I/O; or free memory."),
    ),
    (
        Message("Leave memory conditioning on; don't use --fresh-memory for comparisons."),
        Message("Run again: the window prepares memory before each run."),
    ),
    (
        Message(
            "Free memory, load a part (--portion {portion}MiB), stream it (deliver streamed),"
            " or map it (access mmap)."
        ),
        Message("Free memory, set Delivery to streamed, or set Access to mmap."),
    ),
    (
        Message("Leave out --portion."),
        Message("Compare the whole model."),
    ),
    (
        Message(
            "For an untouched time alone:"
            " modelmon run MODEL --strategy {library} --deliver untouched"
        ),
        Message("Set Delivery to usable or owned. Run A or B shows an untouched time on its own."),
    ),
    (
        Message("Use --deliver {other} for both, without --set-a or --set-b for it."),
        Message("Choose the same delivery for both."),
    ),
    (
        Message("Choose delivery streamed, or test a part of it (--portion)."),
        Message("Set Delivery to streamed."),
    ),
    (
        Message("Measure cold starts, or test a part of it (--portion)."),
        Message("Find the fastest cold start instead."),
    ),
    (
        Message("Run modelmon best again."),
        Message("Start Find best again."),
    ),
    (
        Message("Run modelmon best again with this version."),
        Message("Start Find best again with this version."),
    ),
    (
        Message("See modelmon doctor."),
        Message("See Details under Likely bottlenecks."),
    ),
    (
        Message("See why in the Runs tab or with modelmon history, then compare again."),
        Message("See why in the Runs tab, then compare again."),
    ),
    (
        Message("See modelmon history."),
        Message("See the Runs tab."),
    ),
    (
        Message("Say with --ready how it shows that it's ready, or give a longer --limit."),
        Message("Choose how it shows that it's ready, or a longer time limit."),
    ),
    (
        Message("Let modelmon watch start it: modelmon watch MODEL -- COMMAND."),
        Message("Let modelmon start it: type its command in Watch."),
    ),
    (
        Message("Start it with modelmon watch."),
        Message("Start it with Watch."),
    ),
    (
        Message("The storage hangs or is very slow: check its mount, or give more --seconds."),
        Message("The storage hangs or is very slow. Check its mount."),
    ),
    (
        Message("Install it there, or give the Python that has it (--at)."),
        Message("Install it there, or give the path of the Python that has it."),
    ),
    (
        Message("{why} Watch it with --pid {pid}, and load the model there."),
        Message("{why} Watch it by its process number, {pid}, and load the model there."),
    ),
    (
        Message("Raise --hz, or load a larger model for curves."),
        Message("Load a larger model for curves."),
    ),
    (
        Message("Read the events faster, or lower --hz."),
        Message("Close programs that keep the processors busy."),
    ),
)

CONTROLS: dict[str, str] = dict(_CONTROLS)
"""By the template of the terminal's message."""
