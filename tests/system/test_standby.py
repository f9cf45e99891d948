"""The next run's worker and loader, started while the present one prepares its load."""

import errno
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from tests.system.needs import on_linux
from tests.system.runs import until

from modelmon.core.load.config import PRESETS
from modelmon.core.load.plan import STANDBY
from modelmon.core.worker import client
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import Standby, run_job
from modelmon.gui.background.child_process import Standby as QtStandby
from modelmon.gui.background.worker_process import WorkerProcess

pytestmark = on_linux


def threads_of(process):
    """Those that have not ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return [int(each.name) for each in Path(f"/proc/{process.pid}/task").iterdir()]
    return []


def below():
    """All that this process has started and that still runs."""
    return psutil.Process().children(recursive=True)


@pytest.fixture(autouse=True)
def _nothing_left():
    before = {process.pid for process in below()}
    yield
    until(lambda: {process.pid for process in below()} <= before)


class Runs:
    """Runs one after another, and what was there when each load was let go."""

    def __init__(self, path):
        self.path = path
        self.processes = []

    def __call__(self, standby, strategy):
        def seen(event, _record):
            if isinstance(event, ev.Started):
                self.processes.append({process.pid for process in below()})

        job = ev.Job(str(self.path), PRESETS[strategy].config, strategy)
        return run_job(job, seen, standby=standby)


def test_that_each_run_has_processes_of_its_own_that_stood_ready_before(sample):
    run = Runs(sample)
    with Standby() as standby:

        def follows():
            assert run(standby, "auto").finished
            before, now = run.processes[-2:]
            # A supervisor and a loader at work, and as many that only wait for the next run.
            return len(before) == len(now) == 4 and len(before & now) == 2

        assert run(standby, "auto").finished
        # On a busy machine a loader that isn't awake in time is started anew.
        until(follows)
        assert run(standby, "auto").finished
    assert not run.processes[-3] & run.processes[-1]


def test_that_runs_go_on_where_there_is_no_room_for_a_process_that_stands_by(sample, monkeypatch):
    start, run = subprocess.Popen, Runs(sample)

    def refuse(command, **options):
        if STANDBY in command:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return start(command, **options)

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with Standby() as standby:
        assert all(run(standby, "auto").finished for _ in range(2))


@pytest.mark.long
def test_that_every_kind_of_loader_can_follow(sample):
    run = Runs(sample)
    names = ("auto", "shared-fd", "auto", "processes", "auto", "direct", "auto")
    with Standby() as standby:
        records = [run(standby, name) for name in names]
    done = [record.finished for record in records if record.finished]
    assert len(done) == len(names)
    assert len({each.delivered_bytes for each in done}) == 1


@pytest.mark.parametrize("who", ["worker", pytest.param("loader", marks=pytest.mark.long)])
def test_that_one_that_was_killed_while_it_stood_by_costs_no_run(sample, who):
    run = Runs(sample)
    with Standby() as standby:
        before = {process.pid for process in psutil.Process().children()}
        assert run(standby, "auto").finished
        (waiting,) = [p for p in psutil.Process().children() if p.pid not in before]
        killed = waiting if who == "worker" else waiting.children()[0]
        killed.kill()
        until(lambda: killed.status() == psutil.STATUS_ZOMBIE)
        # Its first thread ends before the others, and with these the process.
        until(lambda: set(threads_of(killed)) <= {killed.pid})
        record = run(standby, "auto")
        assert record.finished, record.failed


@pytest.mark.long
def test_that_one_that_never_stands_ready_is_given_up(sample, monkeypatch):
    command, client_process = client.worker_command(), client.ChildProcess
    sleeper = (sys.executable, "-c", "import time; time.sleep(600)")

    def started(words):
        return client_process(sleeper if words[-1] == client.STANDBY else command)

    monkeypatch.setattr(client, "ChildProcess", started)
    monkeypatch.setattr(client, "STARTED_S", 0.1)
    run = Runs(sample)
    with Standby() as standby:
        assert all(run(standby, "auto").finished for _ in range(2))


def in_window(qtbot, standby, path):
    job = ev.Job(str(path), PRESETS["auto"].config, "auto")
    worker = WorkerProcess(job, standby=standby)
    with qtbot.waitSignal(worker.ended, timeout=60_000):
        worker.start()
    return worker


@pytest.fixture
def standby(monkeypatch):
    # Wait for each worker, however busy the machine is.
    monkeypatch.setattr("modelmon.gui.background.child_process.STARTED_S", 100.0)
    standing = QtStandby()
    yield standing
    standing.shut_down()


def test_that_the_window_does_the_same(qtbot, standby, sample):
    first = in_window(qtbot, standby, sample)
    assert standby.is_still
    waiting = {process.pid for process in psutil.Process().children()}
    second = in_window(qtbot, standby, sample)
    assert second.process_id == 0
    assert first.record.finished
    assert second.record.finished
    assert not waiting & {process.pid for process in psutil.Process().children()}


@pytest.mark.long
def test_that_the_window_goes_on_where_one_was_killed(qtbot, standby, sample):
    before = {process.pid for process in psutil.Process().children()}
    assert in_window(qtbot, standby, sample).record.finished
    with qtbot.waitSignal(standby.still, timeout=60_000):
        for process in psutil.Process().children():
            if process.pid not in before:
                process.kill()
    assert in_window(qtbot, standby, sample).record.finished
