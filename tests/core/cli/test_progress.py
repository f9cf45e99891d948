"""What is told of a run while it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
