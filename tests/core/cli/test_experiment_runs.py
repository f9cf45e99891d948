"""What is told of an experiment that is stopped fits a terminal, and can be typed."""

import sys
from types import SimpleNamespace

import pytest
from tests.core.cli.terminal import Terminal

from modelmon.core.cli.measuring import make_runs
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.comparison import runner


def test_that_the_command_to_resume_is_a_line_of_its_own(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(runner, "_make_runs", interrupted)
    recorder = SimpleNamespace(kept_runs=3, experiment_id=12, problem="", end=lambda *_: None)
    session = SimpleNamespace(kind="compare", conclusive=False, stopped=True)
    underway = SimpleNamespace(
        session=session, recorder=recorder, inspection=SimpleNamespace(server="")
    )
    with pytest.raises(KeyboardInterrupt):
        make_runs(underway, ProgressBar(quiet=True), judge=interrupted)
    assert terminal.getvalue().splitlines() == [
        "Saved 3 runs.",
        "To resume: modelmon compare --resume x12",
    ]
