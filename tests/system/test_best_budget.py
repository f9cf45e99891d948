"""The budget of a race holds whatever a worker does."""

from __future__ import annotations

import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest

from modelmon.core.cli.best_runs import run_race
from modelmon.core.experiment.preflight.preflight import look_at
from modelmon.core.experiment.race.plan import plan_race
from modelmon.core.experiment.race.resume import begin_race
from modelmon.core.load.config import LoadConfig
from modelmon.core.worker import client
from modelmon.core.worker.events import Job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.system,
    pytest.mark.alone,
    pytest.mark.skipif(sys.platform == "win32", reason="needs signals"),
]

BUDGET_NS = 12 * 10**9


@pytest.fixture
def stubborn() -> Iterator[list[str]]:
    """The command of a worker that says nothing and does not end when it is told to."""
    # What a process ignores, those that it starts ignore too.
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield [sys.executable, "-c", "import time; time.sleep(1000)"]
    signal.signal(signal.SIGTERM, before)


def test_that_a_worker_that_does_not_end_when_its_time_is_up_is_killed(
    sample: Path, monkeypatch: pytest.MonkeyPatch, stubborn: list[str]
) -> None:
    monkeypatch.setattr(client, "worker_command", lambda: stubborn)
    record = client.run_job(Job(str(sample), LoadConfig()), most_s=0.0)
    assert record.failed is not None
    assert "signal 9" in record.failed.message


def test_that_a_race_ends_within_its_budget_though_a_worker_does_not(
    sample: Path, monkeypatch: pytest.MonkeyPatch, stubborn: list[str]
) -> None:
    commands = iter([client.worker_command(), client.worker_command()])
    monkeypatch.setattr(client, "worker_command", lambda: next(commands, stubborn))
    preflight = look_at(sample)
    begun_ns = time.monotonic_ns()
    candidates, conditions, _ = plan_race(preflight, "warm", budget_ns=BUDGET_NS)
    race = run_race(begin_race(None, preflight, candidates, conditions), begun_ns)
    assert race.ending == "budget"
    assert len(race.runs) == 2
    assert race.spent_ns <= BUDGET_NS
