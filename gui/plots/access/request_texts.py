"""What an access map says in words: how many requests there were, and how many restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modelmon.core.units import three_figures
from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from modelmon.gui.plots.access.requests import Requests

RESTARTS_TIP = mark(
    "A restart, or seek, is a request that does not continue where its descriptor's last one ended."
)


def load_text(requests: Requests, end_s: float) -> str:
    """Requests and restarts of a whole load, and restarts a second."""
    values = {
        "requests": f"{len(requests):,}",
        "restarts": f"{requests.restarts:,}",
        "rate": three_figures(requests.restarts / end_s if end_s > 0 else 0.0),
    }
    if requests.merged > 1:
        return tr(
            "{requests} records of {each} requests, {restarts} restarts (inferred), {rate}/s",
            each=three_figures(requests.merged),
            **values,
        )
    return tr("{requests} requests, {restarts} restarts (inferred), {rate}/s", **values)


def stretch_text(requests: Requests, start_s: float, end_s: float) -> str:
    """The same of a part of the load."""
    inside = (requests.seconds >= start_s) & (requests.seconds <= end_s)
    jumps = int(np.count_nonzero(requests.jumps & inside))
    return tr(
        "{requests} requests under the band, {rate} restarts/s",
        requests=f"{np.count_nonzero(inside):,}",
        rate=three_figures(jumps / max(end_s - start_s, 1e-9)),
    )
