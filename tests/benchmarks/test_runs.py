from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

NBYTES = 100_000_000


def test_that_a_load_that_returns_before_its_pages_are_there_has_failed(
    load: Callable[[str], ModuleType],
) -> None:
    records, runs = load("records"), load("runs")

    def error(delivery: str, rise: int | None) -> str:
        task = records.Task(records.Arm("an arm", "modelmon", delivery), "model", NBYTES)
        answer = records.Answer(delivered_bytes=NBYTES, peak_rise_bytes=rise)
        said: str = runs.checked(answer, task).error
        return said

    assert "in memory" in error("usable", NBYTES // 2)
    assert not error("usable", NBYTES)
    assert not error("streamed", NBYTES // 100)
    # Where the platform tells nothing.
    assert not error("owned", None)
