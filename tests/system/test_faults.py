"""Whoever dies: nothing is left behind, and the survivor says what happened."""

import contextlib
import io
import os
import signal
import subprocess
import sys

import msgspec
import psutil
import pytest
from tests.system.commands import MODELMON
from tests.system.runs import until

from modelmon.core.errors import EXIT_LOAD_FAILED
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.units import KIB, MIB
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.record import record_of

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="kills processes as Linux does"),
]

SOAK = pytest.mark.soak
PROCESS_ARM = PRESETS["processes"].config
# Tiny requests in random order keep a loader busy long enough to be killed at any moment.
SLOW = LoadConfig(access="read", order="random", chunk_bytes=4 * KIB, readers=4)
SLOW_PROCESSES = LoadConfig(
    access="read", order="random", chunk_bytes=4 * KIB, readers=2, reader_kind="process"
)
MOMENTS = pytest.mark.parametrize(
    ("moment", "config"),
    [
        pytest.param(ev.Planned, SLOW, id="Planned-threads", marks=SOAK),
        pytest.param(ev.Planned, PROCESS_ARM, id="Planned-processes", marks=SOAK),
        pytest.param(ev.Ready, SLOW, id="Ready-threads"),
        pytest.param(ev.Ready, PROCESS_ARM, id="Ready-processes", marks=SOAK),
        pytest.param(ev.Started, SLOW, id="Started-threads", marks=SOAK),
        pytest.param(ev.Started, PROCESS_ARM, id="Started-processes"),
    ],
)


class Worker:
    """A worker under test: its pipes, its events so far, its loaders."""

    def __init__(self, path, config, cache="as-is", command=worker_command()):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.events = []
        self.send(msgspec.json.encode(ev.Job(str(path), config, cache=cache)) + b"\n")

    @property
    def input(self):
        return self.process.stdin

    def send(self, line):
        self.input.write(line)
        self.input.flush()

    def until(self, kind):
        """Read events up to the first of this kind."""
        for line in self.process.stdout:
            self.events.append(ev.decode(line))
            if isinstance(self.events[-1], kind):
                return
        raise AssertionError(f"no {kind.__name__} came: {self.events[-1:]}")

    def loaders(self):
        return psutil.Process(self.process.pid).children()

    def last(self):
        """The last event, after the output ended."""
        self.events += [ev.decode(line) for line in self.process.stdout]
        self.process.wait()
        return self.events[-1]


@pytest.fixture
def start(tmp_path):
    workers = []

    def make(*args):
        workers.append(Worker(*args))
        return workers[-1]

    yield make
    for worker in workers:
        worker.process.kill()
        with contextlib.suppress(BrokenPipeError):
            worker.input.close()
        worker.process.stdout.close()
        worker.process.wait()
    assert {path.name for path in tmp_path.iterdir()} <= {"copy.safetensors"}


BUGGY_WORKER = """
import sys
from modelmon.core.worker import supervisor

def fail(*_, **__):
    raise KeyError("a bug")

supervisor.{place} = fail
sys.exit(supervisor.main())
"""


def assert_gone(processes):
    gone, _ = psutil.wait_procs(processes)
    assert len(gone) == len(processes)


@MOMENTS
def test_that_the_end_of_the_input_cancels_at_any_moment(start, sample, config, moment):
    worker = start(sample, config)
    if moment is ev.Started:
        worker.until(ev.Ready)
        worker.send(b"go\n")
    worker.until(moment)
    loaders = worker.loaders()
    worker.input.close()
    last = worker.last()
    assert_gone(loaders)
    if isinstance(last, ev.Finished):
        assert moment is ev.Started  # it was faster than the cancellation
    else:
        assert isinstance(last, ev.Failed)
        assert last.kind == "cancelled"
        assert worker.process.returncode == 130


@MOMENTS
def test_that_a_killed_supervisor_takes_its_loaders_with_it(start, sample, config, moment):
    worker = start(sample, config)
    if moment is ev.Started:
        worker.until(ev.Ready)
        worker.send(b"go\n")
    worker.until(moment)
    loaders = worker.loaders()
    worker.process.kill()
    worker.process.wait()
    assert_gone(loaders)


@pytest.mark.parametrize(
    "config",
    [pytest.param(SLOW, id="threads", marks=SOAK), pytest.param(PROCESS_ARM, id="processes")],
)
def test_that_a_killed_loader_becomes_a_sentence(start, sample, config):
    worker = start(sample, config)
    worker.until(ev.Ready)
    loaders = worker.loaders()
    loaders[0].send_signal(signal.SIGKILL)
    worker.send(b"go\n")
    last = worker.last()
    assert isinstance(last, ev.Failed)
    assert last.kind == "loader-died"
    assert "killed" in last.message or "died" in last.message
    assert worker.process.returncode == 1
    assert_gone(loaders)


@pytest.mark.parametrize(
    "config",
    [pytest.param(SLOW, id="threads"), pytest.param(SLOW_PROCESSES, id="processes", marks=SOAK)],
)
def test_that_a_loader_killed_during_the_load_becomes_a_sentence(start, sample, config):
    worker = start(sample, config, "cold")
    worker.until(ev.Ready)
    loaders = worker.loaders()
    # So that it is not over before it is killed.
    loaders[-1].suspend()
    worker.send(b"go\n")
    worker.until(ev.Sample)
    loaders[-1].send_signal(signal.SIGKILL)
    last = worker.last()
    assert isinstance(last, ev.Failed)
    assert "signal 9" in last.message
    assert_gone(loaders)


def test_that_a_worker_ends_although_nobody_reads_what_it_says(start, sample):
    """More than a pipe holds is waiting to be read when the input ends."""
    worker = start(sample, LoadConfig(chunk_bytes=4 * KIB))
    worker.until(ev.Ready)
    worker.send(b"go\n")
    worker.until(ev.Started)
    loaders = worker.loaders()
    worker.input.close()
    worker.process.wait()
    assert_gone(loaders)


def test_that_a_file_cut_under_its_map_becomes_a_sentence(start, own_copy):
    worker = start(own_copy, PRESETS["mmap"].config, "cold")
    worker.until(ev.Ready)
    os.truncate(own_copy, MIB)
    worker.send(b"go\n")
    last = worker.last()
    assert isinstance(last, ev.Failed)
    assert "bus error" in last.message
    assert "cut" in last.remedy


def test_that_a_file_cut_while_it_is_read_is_named(start, own_copy):
    worker = start(own_copy, LoadConfig())
    worker.until(ev.Ready)
    os.truncate(own_copy, MIB)
    worker.send(b"go\n")
    last = worker.last()
    assert isinstance(last, ev.Failed)
    assert last.kind == "io"
    assert "copy.safetensors" in last.message


@pytest.mark.parametrize(
    "place",
    [
        "prepare",
        "TimedLoad.finish",
        pytest.param("Sampler.close", marks=pytest.mark.long),
    ],
)
def test_that_a_bug_in_the_worker_ends_the_record_with_one_sentence(start, sample, place):
    command = [sys.executable, "-P", "-c", BUGGY_WORKER.format(place=place)]
    worker = start(sample, LoadConfig(), "as-is", command)
    if place != "prepare":
        worker.until(ev.Ready)
        worker.send(b"go\n")
    worker.last()
    record = record_of(worker.events)
    assert record.failed.kind == "internal"
    assert "KeyError: 'a bug'" in record.failed.message
    assert "in fail" in record.failed.details
    assert worker.process.returncode == EXIT_LOAD_FAILED


def test_that_a_terminated_worker_says_that_it_was_stopped(start, sample):
    worker = start(sample, SLOW)
    worker.until(ev.Ready)
    loaders = worker.loaders()
    worker.process.terminate()
    last = worker.last()
    assert isinstance(last, ev.Failed)
    assert last.kind == "cancelled"
    assert_gone(loaders)


def test_that_a_killed_terminal_leaves_no_process(sample):
    slow = ["--set", "access=read", "--set", "order=random", "--set", "chunk_bytes=4KiB"]
    with subprocess.Popen(
        [*MODELMON, "run", str(sample), *slow, "--cache", "as-is"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as terminal:
        above = psutil.Process(terminal.pid)
        until(lambda: len(above.children(recursive=True)) >= 2)
        family = above.children(recursive=True)
        terminal.kill()
    assert_gone(family)


def test_that_the_recording_of_a_killed_worker_ends_with_a_sentence(sample):
    def kill(event, _record):
        if isinstance(event, ev.Started):
            (worker,) = psutil.Process().children()
            worker.kill()

    recording = io.BytesIO()
    record = run_job(ev.Job(str(sample), SLOW, cache="as-is"), kill, recording)
    assert "signal 9" in record.failed.message
    assert ev.decode(recording.getvalue().splitlines()[-1]) == record.failed


def test_that_a_worker_that_says_nothing_in_its_time_is_ended(sample):
    job = ev.Job(str(sample), SLOW, cache="as-is")
    record = run_job(job, most_s=0.0)
    assert record.finished is None
    assert record.failed is not None
    assert not psutil.Process().children(recursive=True)
