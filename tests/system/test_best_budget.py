"""The budget of a race holds whatever a worker or its storage does."""

import os
import signal
import sys
import time

import pytest
from tests.system.needs import needs_fuse

from modelmon.core.cli import best
from modelmon.core.comparison import runner
from modelmon.core.comparison.runner import begin
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.find_best.plan import SearchConditions
from modelmon.core.find_best.session import SearchSession
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.worker import client
from modelmon.core.worker.events import Job

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")

BUDGET_NS = 2 * 10**9


@pytest.fixture
def stubborn():
    """The command of a worker that says nothing and does not end when it is told to."""
    # What a process ignores, those that it starts ignore too.
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield [sys.executable, "-c", "import time; time.sleep(1000)"]
    signal.signal(signal.SIGTERM, before)


def test_that_a_worker_that_does_not_end_when_its_time_is_up_is_killed(
    sample, monkeypatch, stubborn
):
    monkeypatch.setattr(client, "worker_command", lambda *_: stubborn)
    record = client.run_job(Job(str(sample), LoadConfig()), most_s=0.0)
    assert "signal 9" in record.failed.message


@pytest.fixture
def race(monkeypatch):
    """Race two ways, of which two runs take none of the budget, however busy the machine is; the
    time of the third, which something befalls, is spent.
    """

    def race_at(path, befall):
        runs, begun_ns = 0, 0

        def run(job, follow, lines, most_s, *_others):
            nonlocal runs, begun_ns
            runs += 1
            if runs <= 2:
                return client.run_job(job, follow, lines)
            begun_ns = time.monotonic_ns()
            befall()
            return client.run_job(job, follow, lines, most_s)

        def clock_ns():
            return time.monotonic_ns() - begun_ns if begun_ns else 0

        monkeypatch.setattr(runner, "run_job", run)
        names = ("mmap", "sequential")
        racers = tuple(Entrant(name, name, PRESETS[name].config) for name in names)
        conditions = SearchConditions(str(path), "cold", BUDGET_NS, 0, condition_memory=False)
        session = SearchSession(racers, conditions, clock_ns=clock_ns)
        underway = begin(None, session, inspect_model(path))
        return best.run_race(underway, time.monotonic_ns())

    return race_at


def test_that_a_race_ends_with_its_budget_though_a_worker_does_not(
    on_a_device, monkeypatch, stubborn, race
):
    found = race(
        on_a_device, lambda: monkeypatch.setattr(client, "worker_command", lambda *_: stubborn)
    )
    assert found.ending == "budget"
    assert len(found.runs) == 2


@pytest.mark.soak
@needs_fuse
def test_that_a_race_on_storage_that_hangs_ends_with_its_budget_and_what_it_knows(
    sample, tmp_path, race
):
    with served(sample, tmp_path / "m", Cost(first_byte_s=0.0, bytes_per_s=1e9)) as store:
        try:
            found = race(store.path, lambda: os.kill(store.server_pid, signal.SIGSTOP))
        finally:
            os.kill(store.server_pid, signal.SIGCONT)
    assert found.ending == "budget"
    assert len(found.runs) == 2
