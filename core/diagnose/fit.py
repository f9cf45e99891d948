"""Whether a model fits into memory, for each way in which its bytes can be delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.messages import Message
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from modelmon.core.machine.memory import Memory

FitDelivery = Literal["mapped", "owned", "decoded"]
FitAnswer = Literal["fits", "tight", "does-not-fit"]

COMFORTABLE_FACTOR = 1.5
"""A common recommendation: memory for 1.5 times the model. A rule of thumb, never a refusal."""

_FLOAT32_BYTES = 4


class Fit(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether a model fits when it is delivered so.

    `mapped` needs page cache, which the kernel can take back; `owned` a private copy;
    `decoded` all values as float32 at once. `usable_bytes` is available RAM, or what is left
    under the cgroup's limit where that is less (`limited_by` cgroup). `swap_free_bytes` is not
    counted: what lies there is read from a disk again.
    """

    delivery: FitDelivery
    answer: FitAnswer
    needed_bytes: int
    usable_bytes: int
    limited_by: Literal["ram", "cgroup"] = "ram"
    swap_free_bytes: int = 0

    @property
    def sentence(self) -> Message:
        """What to expect, with the figures."""
        needed, usable = size_text(self.needed_bytes), size_text(self.usable_bytes)
        figures = (
            Message("{needed} of {usable} under the cgroup's limit", needed=needed, usable=usable)
            if self.limited_by == "cgroup"
            else Message("{needed} of {usable} of RAM", needed=needed, usable=usable)
        )
        if self.answer == "fits":
            return Message("fits: {figures}", figures=figures)
        if self.answer == "tight":
            return Message(
                "tight: {figures}, less than the usual 1.5× the model",
                figures=figures,
            )
        return Message(
            "doesn't fit: {figures}; {shortage}", figures=figures, shortage=self._shortage()
        )

    def _shortage(self) -> Message:
        if self.delivery == "mapped":
            return Message("its pages would be dropped and reread")
        missing = self.needed_bytes - self.usable_bytes
        if not self.swap_free_bytes:
            return Message("and there is no swap free for the rest")
        if missing > self.swap_free_bytes:
            free = size_text(self.swap_free_bytes)
            return Message("and swap ({free} free) would not hold the rest either", free=free)
        return Message("{missing} would go to swap", missing=size_text(missing))


def fits(model_bytes: int, parameters: int | None, memory: Memory) -> tuple[Fit, ...]:
    """One statement for each delivery; `decoded` only where the `parameters` are known."""
    usable = memory.usable_bytes
    needs: list[tuple[FitDelivery, int]] = [("mapped", model_bytes), ("owned", model_bytes)]
    if parameters is not None:
        needs.append(("decoded", parameters * _FLOAT32_BYTES))
    return tuple(
        Fit(
            delivery=delivery,
            answer=fit_answer(needed, usable),
            needed_bytes=needed,
            usable_bytes=usable,
            limited_by="cgroup" if usable < memory.available_bytes else "ram",
            swap_free_bytes=max(0, memory.swap_total_bytes - memory.swap_used_bytes),
        )
        for delivery, needed in needs
    )


def fit_answer(needed_bytes: int, usable_bytes: int) -> FitAnswer:
    """Whether so many bytes fit into what can be had, by the rule of thumb."""
    if needed_bytes > usable_bytes:
        return "does-not-fit"
    return "tight" if needed_bytes * COMFORTABLE_FACTOR > usable_bytes else "fits"
