"""What each plot shows and how to read it, under PLOT, and what each of its series is: meaning,
unit, source, and what is good.
"""

from __future__ import annotations

from modelmon.gui.language import mark

PLOT = ""
"""The key of what the plot as a whole shows."""
THROUGHPUT = {
    PLOT: mark(
        "How fast the model arrives in memory. A flat line at the disk limit can't be better; a "
        "gap is a wait. Loaded far above read: the page cache supplied the rest."
    ),
    "delivered": mark(
        "Bytes per second that arrive in memory, by the load's own requests. Higher is "
        "better, up to the disk limit."
    ),
    "device": mark(
        "Read rate from storage. If lower than loaded, the page cache supplied the rest."
    ),
    "limit": mark(
        "Best rate of the disk when it was measured. Loads at this line need a faster disk "
        "or smaller file."
    ),
}
IO_WAIT = {
    PLOT: mark(
        "How many of the load's readers wait for storage. High all the time: storage is the "
        "limit. Low: look at CPU, page faults or decoding."
    ),
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
    "iowait": mark(
        "Percent of all processor time that was idle while I/O was pending: the whole "
        "system's, not this load's."
    ),
}
MEMORY = {
    PLOT: mark(
        "Memory of the loading processes. Private memory is their own copy. Mapped pages are the "
        "page cache's: the system can drop and reread them."
    ),
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
    PLOT: mark(
        "Processor time of the load; 100% is one core. Near 100% per reader, the processor is the "
        "limit and not the disk."
    ),
    "total": mark(
        "Processor time of the load in percent of one core. Near 100% per reader, a faster "
        "disk won't help."
    ),
    "user": mark("The share of programs and libraries, such as copying and decoding."),
    "system": mark("The share of the kernel, such as page faults and copying from the cache."),
    "decode": mark("Processor time of decoders in percent of one core; they run next to readers."),
}
FAULTS = {
    PLOT: mark(
        "How often the load touched pages that weren't mapped yet. Only mapped loads have many. "
        "Major faults wait for storage: a map that is read in small pieces."
    ),
    "minor": mark(
        "Page faults per second whose page was in memory already. Each costs processor "
        "time, so fewer is better."
    ),
    "major": mark(
        "Page faults per second that read from storage. Each stops its thread, so fewer is better."
    ),
}
DEVICE = {
    PLOT: mark(
        "What the disk did, for all programs together. More than the load read: others use the "
        "disk, or bytes are read twice."
    ),
    "idle": mark("What other programs did on the disk just before the run. Less is better."),
}
_REQUESTS = mark(
    "Each point is one read request: when it was made, and where in the file. Jumps are seeks."
)
_ORDER = mark(
    "Where in the file the load read, and when: time to the right, place in the file upward. A "
    "diagonal is reading in order. Scattered points are jumps, slow on hard disks and object "
    "stores."
)
ACCESS_MAP = {PLOT: _ORDER, "A": _REQUESTS, "B": _REQUESTS}
WATERFALL = {
    PLOT: mark(
        "A row for each block of the model, from its first request until it's ready. Long bars "
        "are waits. Bars above each other are blocks that are read at the same time."
    ),
    "waiting": mark("From a block's first request until it's ready. Shorter is better."),
    "arriving": mark("When bytes of a block arrived, by the times of the load's own requests."),
    "ready": mark("When all bytes of a block are in memory. Earlier is better."),
}
_BLOCK_TIME = mark(
    "A block's share of the load time; the bars of one load add up to it. Lower is better."
)
BLOCK_TIMES = {
    PLOT: mark(
        "Which blocks take the time of the load. The bars of one load add up to it. Equal bars "
        "are normal; one that stands out was read in small pieces, or disturbed."
    ),
    "A": _BLOCK_TIME,
    "B": _BLOCK_TIME,
    "decoding": mark("Time spent converting the block to floats. The rest is reading or waiting."),
    "waiting": mark(
        "Part of a block's time in which its bytes were read and waited for a free decoder."
    ),
}
PAGE_CACHE = {
    PLOT: mark(
        "Which parts of the files are in memory, along their length. Empty before a load: a cold "
        "start. After a load it's what the next start finds."
    )
}
TIMELINE = mark(
    "The whole wait, from start to ready, by phases. Begin with the longest one: the table names "
    "what the program did in it."
)
RANKING = mark(
    "All that was tested, fastest first. A dot is the estimate, its line the likely range. Where "
    "lines overlap, more runs may change the order."
)
STRIP = mark(
    "Each mark is one run. Line: usual time. Box: likely range (95%). Hollow: "
    "disturbed by something else."
)
SCALING = {
    PLOT: mark(
        "What all nodes read together, by how many load at once. On the dotted line none slows "
        "another down. Where the curve flattens, they share a limit."
    ),
    "limit": mark("From how many nodes on they use up what all share."),
    "ideal": mark("Expected if the nodes didn't slow each other down."),
    "expected": mark("With more nodes than were measured."),
}
NODES = {
    PLOT: mark(
        "A row for each node, from the start until it has the model. Rows that end late are "
        "stragglers; the table below names the reason."
    )
}
