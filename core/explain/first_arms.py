"""Which two ways to load to compare first: what runtimes do today, and what should be fastest.

A guess, not a recommendation: it rests on figures of the storage, which a probe measured or which
such storage commonly has. The comparison that follows is what tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.explain.cost import predict, size_of
from modelmon.core.explain.expected import WORTH_TRYING, likeliest
from modelmon.core.explain.typical import limits_here
from modelmon.core.load.config import with_value
from modelmon.core.load.presets import PRESETS
from modelmon.core.messages import Message, joined
from modelmon.core.units import duration_text

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.explain.cost import Predicted
    from modelmon.core.load.config import Deliver
    from modelmon.core.worker.events import Cache

TODAY = "mmap"
"""What loaders of safetensors and GGUF do unless told otherwise: they map the file."""

_CACHED_SHARE = 0.95


class FirstArms(NamedTuple):
    """Names of two presets, why the second may be faster in one sentence, and what to deliver."""

    a: str
    b: str
    reason: Message
    deliver: Deliver = "usable"


def first_arms(
    inspection: Inspection, diagnosis: Diagnosis | None = None, cache: Cache = "cold"
) -> FirstArms:
    """What to compare first for this model where it lies, from this start.

    `diagnosis` makes the guess better: it sees below overlays and volumes, and may hold a probe.
    """
    deliver: Deliver = "usable" if inspection.can_stay else "streamed"
    start: Cache = "warm" if cache == "warm" or inspection.storage.kind == "memory" else "cold"
    size, limits = size_of(inspection.model), limits_here(inspection, diagnosis)
    configs = {
        name: with_value(preset.config, "deliver", deliver)
        for name, preset in PRESETS.items()
        if preset.config.loads_here
    }
    today = predict(configs.pop(TODAY), size, limits, start)
    found = likeliest(configs.items(), size, limits, start)
    if today is None or found is None:
        return FirstArms(TODAY, "auto", Message("Nothing is known about this storage."), deliver)
    reason = _reason(*found, today)
    if deliver == "streamed":
        why = Message("The model is larger than free memory: stream it, since it can't stay there.")
        reason = joined((why, reason))
    elif start == "cold" and (inspection.cached_share or 0.0) >= _CACHED_SHARE:
        warm = Message("The file is cached now: choose Warm to compare warm starts.")
        reason = joined((reason, warm))
    return FirstArms(TODAY, found[0], reason, deliver)


def second_arm(inspection: Inspection, first: str, cache: Cache) -> str:
    """The preset that is compared with the strategy `first` where none is named."""
    guess = first_arms(inspection, cache=cache).b
    return guess if guess != first else TODAY


def _reason(name: str, found: Predicted, today: Predicted) -> Message:
    times = {"time": duration_text(found.ns), "today": duration_text(today.ns)}
    if today.ns < WORTH_TRYING * found.ns:
        text = Message(
            "{name} ({time}) is predicted to be no faster than mmap ({today}).", name=name, **times
        )
    else:
        text = Message("{name} is predicted to take {time} instead of {today}.", name=name, **times)
    if found.measured:
        return text
    typical = Message("Typical values of such storage: measure the disk to be sure.")
    return joined((text, typical))
