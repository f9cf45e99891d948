"""Which series have no figures at all, so that a plot can say so and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.gui.plots.time.trace import Trace
    from modelmon.gui.slot import ArmLabel


def missing_series(traces: Mapping[tuple[ArmLabel, str], Trace]) -> set[str]:
    """Series for which runs were asked and none knew: a row of gaps, never of zeros."""
    asked, known = set(), set()
    for (_, key), trace in traces.items():
        if len(trace.values):
            asked.add(key)
            if np.isfinite(trace.values).any():
                known.add(key)
    return asked - known
