"""What each figure is, its unit, and what is good: for tool tips and reports, typed once.

By the name that stands beside the figure, since the same name means something else of a run, of a
phase, of a block and of a node.
"""

from __future__ import annotations

from modelmon.core.messages import Message

_COUNTED = Message("Runs that started as requested, of all runs. From five on, a range is known.")
RUN = {
    "Time": Message("From the start until every byte is in memory. Lower is better."),
    "Estimate": Message("What a run usually takes, from all runs that count. Lower is better."),
    "Median": Message("Half of the runs took less, half took more. Lower is better."),
    "Range": Message("From the fastest to the slowest run. The narrower, the surer is a verdict."),
    "Part": Message("Runs of a part of the model: their times can't be compared with whole loads."),
    "Rate": Message("Bytes loaded per second. Higher is better, up to the disk limit."),
    "Start": Message("State of the page cache at the start. Only runs that start alike compare."),
    "I/O wait": Message(
        "Percent of the readers' time spent waiting for storage. Lower is better, unless the disk"
        " is at its limit."
    ),
    "Peak memory": Message(
        "Largest memory (RSS) of the load. Less leaves more for other programs."
    ),
    "From storage": Message(
        "Bytes read from storage. More than the model: some were read twice. Less: some were"
        " cached."
    ),
    "Runs": _COUNTED,
    "Counted": _COUNTED,
    "Speedup": Message("How many times as fast as the runs above. Above 1× is faster."),
    "Bottleneck": Message("What takes the largest part of the time, and the figures that show it."),
    "Memory": Message("Where the model is: the system can drop mapped pages, not private memory."),
    "CPU": Message("Processor time of programs (user) and of the kernel (system), of all cores."),
    "Faults": Message("Page faults. Major ones waited for storage, so fewer are better."),
    "Wait": Message("The phases from start to ready. The longest one is where to begin."),
}
"""Of a load, or of several."""
MODEL = {
    "Size": Message("Bytes of the tensors. Memory for 1.5 times as many is a rule of thumb."),
    "Share": Message("Percent of the model's bytes."),
    "Shape": Message("Values along each dimension."),
    "Blocks": Message("Layers of the model, and what is outside them."),
}
"""Of a model, or a part of it."""
PHASE = {
    "Time": Message("How long the phase took. All phases add up to the whole wait."),
    "Share": Message("Percent of the whole wait. Begin with the largest."),
    "What it did, and what shortens it": Message(
        "What the program was busy with: disk, processors, locks or network. Then the setting to"
        " try, its price, and what it brought here."
    ),
}
"""Of a watched program's wait."""
BLOCK = {
    "Time": Message("The block's share of the load time; all blocks add up to it."),
    "Rate": Message("Bytes of the block per second of its time. Higher is better."),
    "Requested at": Message("When its first byte was asked for, after the start."),
    "Ready at": Message("When its last byte was in memory, after the start. Earlier is better."),
    "Arriving for": Message("How long bytes of it arrived, without the waits between."),
    "Requests": Message(
        "Requests that read parts of it. On most storage, fewer and larger ones are faster."
    ),
    "Reading": Message("Percent of its time in which its bytes were read."),
    "Waiting": Message("Percent of its time in which its bytes waited for a free decoder."),
    "Decoding": Message("Percent of its time in which its values were decoded to floats."),
    "Throughput": Message("Bytes per second that arrived in the selected range of time."),
    "Loaded": Message("Bytes that arrived in the selected range of time."),
    "Readers waiting": Message(
        "Share of readers that waited, sampled. The card shows the whole load's exact share."
        " (PSI): I/O pressure, where that's unknown."
    ),
    "Blocks ready": Message("Blocks whose last byte arrived in the selected range of time."),
}
"""Of a block of the model, or of a selected range of time."""
NODE = {
    "Ready": Message("When the node had the model, after the start. Lower is better."),
    "Rate": Message("Bytes that the node loaded per second. Higher is better."),
    "From storage": Message("Bytes that the node read from storage; the rest came from a cache."),
    "Was cached": Message("Percent of the model in the node's page cache before the start."),
    "Started late": Message("How much later than the first node it began. Less is better."),
    "Reason": Message("Why it lags behind the others, as far as that is known."),
    "First": Message("When the first node had the model. Lower is better."),
    "Median": Message("When half of the nodes had the model. Lower is better."),
    "Last ready": Message("When all nodes had the model. Lower is better."),
    "Together (× one)": Message(
        "What all nodes read together, per second, and how many times that is what one gets alone."
    ),
    "Shared limit": Message("The most that all nodes get together from the storage they share."),
    "10× nodes, extrapolated": Message("Expected with more nodes than were measured."),
}
"""Of a cluster's nodes, one or all."""
