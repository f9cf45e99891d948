"""Where the time of a run went, phase by phase, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.bottleneck.phases import PhaseLabel, PhaseTime, phases_of
from modelmon.core.units import duration_text
from modelmon.gui.look.language import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.worker.result import RunResult

_NAMES: dict[PhaseLabel, str] = {
    "open": mark("open {time}"),
    "plan": mark("plan {time}"),
    "start-up": mark("start-up {time}"),
    "conditioning": mark("preparing memory {time}"),
    "cache": mark("page cache {time}"),
    "other": mark("other {time}"),
    "warm-up": mark("warm-up {time}"),
    "read": mark("read {time}"),
    "fault": mark("fault {time}"),
    "decode": mark("decode {time} beside it"),
}


def phases_text(result: RunResult) -> str:
    """Two lines: what came before the clock of the load, and what it timed."""
    phases = phases_of(result)
    before = [phase for phase in phases if phase.when == "before"]
    timed = [phase for phase in phases if phase.when != "before"]
    lines = []
    if before:
        lines.append(tr("Setup (not timed): {phases}", phases=_listed(before)))
    if timed:
        lines.append(tr("Timed: {phases}", phases=_listed(timed)))
    return "\n".join(lines)


def _listed(phases: Iterable[PhaseTime]) -> str:
    texts = [tr(_NAMES[phase.name], time=duration_text(phase.duration_ns)) for phase in phases]
    return tr(", ").join(texts)
