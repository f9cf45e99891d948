"""What is told of a run while it goes on."""

import sys
import time

from tests.core.cli.terminal import Terminal

from modelmon.core.cli.progress import ProgressBar
from modelmon.core.messages import NOTHING, Message
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord


def test_that_a_program_that_reads_nothing_is_told_once(capsys):
    told = Message("{program} hasn't opened a:fire:b[bold].gguf so far.", program="serve" * 20)
    with ProgressBar() as bar:
        for what in (told, NOTHING):
            bar.follow(ev.Waiting(5, what), RunRecord())
            assert bar.waiting == what
    assert capsys.readouterr().err == f"{told}\n"


def test_that_a_rate_is_that_of_the_whole_time_and_never_that_of_a_moment(monkeypatch):
    now_s = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])

    def told(*steps):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        with ProgressBar() as bar:
            for seconds, done_bytes in steps:
                now_s[0] += seconds
                bar.show("loading", done_bytes, 4_000_000_000)
        return terminal.getvalue()

    assert "loading 2 GB of 4 GB at 1 GB/s" in told((0, 0), (2, 2_000_000_000))
    moment = told((0, 0), (0.001, 2_000_000_000))
    assert "loading 2 GB of 4 GB " in moment
    assert "B/s" not in moment
    # A program takes its time before it reads, and a report may begin with what's done.
    assert "at 1 GB/s" in told((0, 0), (40, 0), (2, 2_000_000_000))
    assert "at 500 MB/s" in told((0, 1_000_000_000), (2, 2_000_000_000))
    assert "B/s" not in told((0, 0), (40, 0))
