"""What a window can be busy with."""

from __future__ import annotations

from enum import Enum


class Activity(Enum):
    """What the window is busy with."""

    IDLE = "idle"
    OPENING = "opening"
    SAMPLING = "writing the sample"
    ESTIMATING = "estimating"
    PROBING = "measuring the disk"
    RUNNING = "running"
    COMPARING = "comparing"
    RACING = "finding the best"
    STOPPING = "stopping"


LOADING = (Activity.RUNNING, Activity.COMPARING, Activity.RACING, Activity.STOPPING)
"""Activities in which a worker may be loading."""
