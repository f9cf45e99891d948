"""What is told of a run while it goes on."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from tests.core.cli.terminal import Terminal

from modelmon.core.cli.progress import ProgressBar
from modelmon.core.messages import NOTHING, Message
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord

if TYPE_CHECKING:
    import pytest


def test_that_a_program_that_reads_nothing_is_told_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = Message("{program} hasn't opened a:fire:b[bold].gguf so far.", program="serve" * 20)
    with ProgressBar() as bar:
        for what in (told, NOTHING):
            bar.follow(ev.Waiting(5, what), RunRecord())
            assert bar.waiting == what
    assert capsys.readouterr().err == f"{told}\n"


def test_that_a_rate_is_that_of_the_whole_time_and_never_that_of_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])

    def told(seconds: float) -> str:
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        with ProgressBar() as bar:
            bar.show("loading", 0, 4_000_000_000)
            now_s[0] += seconds
            bar.show("loading", 2_000_000_000, 4_000_000_000)
        return terminal.getvalue()

    assert "loading 2 GB of 4 GB at 1 GB/s" in told(2.0)
    assert "loading 2 GB of 4 GB " in told(0.001)
    assert "B/s" not in told(0.001)
