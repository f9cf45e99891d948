"""How much faster one load is than another, as people say it."""

from __future__ import annotations

from modelmon.core.messages import Message
from modelmon.core.units import percent_text, two_figures

WORTH_A_FACTOR = 1.1
"""Below it a gain is told as a share of the time."""
_TWICE = 1.95
"""From here on, which is told as 2.0, a loss is told as a factor."""


def speed(ratio: float) -> Message:
    """Of what takes the other's time ÷ `ratio`: `1.2× as fast`, `6% less time`, `4% longer` or
    `2.5× as long`.
    """
    if ratio >= WORTH_A_FACTOR:
        return Message("{ratio}× as fast", ratio=two_figures(ratio))
    if ratio >= 1:
        return Message("{share} less time", share=percent_text(1 - 1 / ratio))
    if ratio > 1 / _TWICE:
        return Message("{share} longer", share=percent_text(1 / ratio - 1))
    return Message("{factor}× as long", factor=two_figures(1 / ratio))
