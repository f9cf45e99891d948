"""What a window can be busy with."""

from __future__ import annotations

from enum import Enum

from modelmon.gui.look.language import mark


class Activity(Enum):
    """What the window is busy with; the value says it, to be translated where it is shown."""

    IDLE = mark("idle")
    OPENING = mark("opening")
    SAMPLING = mark("writing the sample")
    IMPORTING = mark("importing")
    ESTIMATING = mark("estimating")
    PROBING = mark("measuring the disk")
    RUNNING = mark("running")
    COMPARING = mark("comparing")
    RACING = mark("finding the best")
    STOPPING = mark("stopping")


LOADING = (Activity.RUNNING, Activity.COMPARING, Activity.RACING, Activity.STOPPING)
"""Activities in which a worker may be loading."""
