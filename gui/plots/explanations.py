"""What each series of a plot is, in a sentence or two: meaning, unit, source, and what is good."""

from __future__ import annotations

from modelmon.gui.look.language import mark

THROUGHPUT = {
    "delivered": mark(
        "Bytes per second that arrive in memory, by the times of the load's own requests. Higher "
        "is better, up to the disk limit."
    ),
    "device": mark(
        "Bytes per second read from storage, by the kernel's counters. Less than loaded: the page "
        "cache gave the rest. More: bytes were read that the load didn't ask for."
    ),
    "limit": mark(
        "Bytes per second that the disk gave at best when it was measured. A load at this line "
        "needs a faster disk or a smaller file."
    ),
}
IO_WAIT = {
    "waiting": mark(
        "Percent of this load's readers that wait for storage, sampled and averaged over five "
        "samples. Lower is better, unless the disk is at its limit."
    ),
    "own": mark(
        "Percent of its readers' time that this load waited for storage, over the whole run: time "
        "that was neither on a processor nor queued for one. Other programs have no part in it."
    ),
    "psi": mark(
        "Percent of time in which any task on this machine stalled for I/O, by the kernel (PSI). "
        "Unlike this load's own wait, other programs count, and one stalled task is enough."
    ),
    "iowait": mark(
        "Percent of all processor time that was idle while I/O was pending, by the kernel. Unlike "
        "this load's own wait, it's the whole system's, and small on machines with many processors."
    ),
}
MEMORY = {
    "total": mark("Memory (RSS) of the loading processes in bytes, by the kernel."),
    "anon": mark(
        "Private memory of the loading processes in bytes, by the kernel. The system can't reclaim "
        "it, so less is better."
    ),
    "file": mark(
        "Mapped pages of files in bytes, by the kernel. The system can reclaim them, and would "
        "have to read them again."
    ),
    "shared": mark("Memory that processes share in bytes, by the kernel."),
}
CPU = {
    "total": mark(
        "Processor time of the loading processes in percent of one core, by the kernel. Near 100% "
        "per reader, a faster disk won't help."
    ),
    "user": mark("The part of it in programs and libraries, such as copying and decoding."),
    "system": mark("The part of it in the kernel, such as page faults and copying from the cache."),
    "decode": mark("Processor time of decoders in percent of one core; they run beside readers."),
}
FAULTS = {
    "minor": mark(
        "Page faults per second whose page was in memory already, by the kernel. Each costs "
        "processor time, so fewer is better."
    ),
    "major": mark(
        "Page faults per second that had to read from storage, by the kernel. Each stops its "
        "thread, so fewer is better."
    ),
}
DEVICE = {
    "idle": mark("What other programs did on the disk just before the run. Less is better."),
}
_REQUESTS = mark(
    "Each point is one read request: when it was made, and where in the file. Rising lines are "
    "sequential reads; jumps are seeks, which cost time on disks and object stores."
)
ACCESS_MAP = {"A": _REQUESTS, "B": _REQUESTS}
WATERFALL = {
    "waiting": mark("From a block's first request until it's ready. Shorter is better."),
    "arriving": mark("When bytes of a block arrived, by the times of the load's own requests."),
    "ready": mark("When all bytes of a block are in memory. Earlier is better."),
}
_BLOCK_TIME = mark(
    "A block's share of the load time: that of its requests, divided by how many were in flight. "
    "The bars of one load add up to its time; lower is better."
)
BLOCK_TIMES = {
    "A": _BLOCK_TIME,
    "B": _BLOCK_TIME,
    "decoding": mark(
        "Part of a block's time in which its values became floats; the rest is reading and waiting."
    ),
}
