"""What each series of a plot is, in a sentence or two: meaning, unit, source, and what is good."""

from __future__ import annotations

from modelmon.gui.language import mark

THROUGHPUT = {
    "delivered": mark(
        "Bytes per second that arrive in memory, by the load's own requests. Higher is "
        "better, up to the disk limit."
    ),
    "device": mark(
        "Bytes per second from storage, by the kernel. Less than loaded: the page cache "
        "gave the rest."
    ),
    "limit": mark(
        "Best rate of the disk when it was measured. Loads at this line need a faster disk "
        "or smaller file."
    ),
}
IO_WAIT = {
    "waiting": mark(
        "Percent of this load's readers that wait for storage, sampled. Lower is better, "
        "unless the disk is at its limit."
    ),
    "own": mark(
        "Percent of its readers' time, over the whole run, spent waiting for storage or "
        "Python's interpreter. Other programs don't count."
    ),
    "psi": mark(
        "Percent of time in which any task on this machine stalled for I/O (PSI); other "
        "programs count."
    ),
    "system": mark(
        "The whole machine's: I/O pressure (PSI) counts stalled tasks, iowait idle processors; "
        "other programs count in both."
    ),
    "iowait": mark(
        "Percent of all processor time that was idle while I/O was pending: the whole "
        "system's, not this load's."
    ),
}
MEMORY = {
    "total": mark("Memory (RSS) of the loading processes in bytes, by the kernel."),
    "anon": mark(
        "Private memory of the loading processes in bytes, by the kernel. The system can't reclaim "
        "it, so less is better."
    ),
    "file": mark(
        "Mapped pages of files in bytes, by the kernel. The system can reclaim and reread them."
    ),
    "shared": mark("Memory that processes share in bytes, by the kernel."),
}
CPU = {
    "total": mark(
        "Processor time of the load in percent of one core. Near 100% per reader, a faster "
        "disk won't help."
    ),
    "user": mark("The share of programs and libraries, such as copying and decoding."),
    "system": mark("The share of the kernel, such as page faults and copying from the cache."),
    "decode": mark("Processor time of decoders in percent of one core; they run next to readers."),
}
FAULTS = {
    "minor": mark(
        "Page faults per second whose page was in memory already. Each costs processor "
        "time, so fewer is better."
    ),
    "major": mark(
        "Page faults per second that read from storage. Each stops its thread, so fewer is better."
    ),
}
DEVICE = {
    "idle": mark("What other programs did on the disk just before the run. Less is better."),
}
_REQUESTS = mark(
    "Each point is one read request: when it was made, and where in the file. Jumps are seeks."
)
ACCESS_MAP = {"A": _REQUESTS, "B": _REQUESTS}
WATERFALL = {
    "waiting": mark("From a block's first request until it's ready. Shorter is better."),
    "arriving": mark("When bytes of a block arrived, by the times of the load's own requests."),
    "ready": mark("When all bytes of a block are in memory. Earlier is better."),
}
_BLOCK_TIME = mark(
    "A block's share of the load time; the bars of one load add up to it. Lower is better."
)
BLOCK_TIMES = {
    "A": _BLOCK_TIME,
    "B": _BLOCK_TIME,
    "decoding": mark(
        "Part of a block's time in which its values became floats; what isn't waiting is reading."
    ),
    "waiting": mark(
        "Part of a block's time in which its bytes were read and waited for a free decoder."
    ),
}
