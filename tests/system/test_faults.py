"""Whoever dies: nothing is left behind, and the survivor says what happened."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec
import psutil
import pytest
from tests.system.beds import images
from tests.system.commands import MODELMON, modelmon
from tests.system.needs import needs_fuse, needs_root, on_linux, rarely
from tests.system.runs import until
from tests.system.windows import idle, opened

from modelmon.core.cli.main import main
from modelmon.core.errors import EXIT_LOAD_FAILED, LoadFailedError
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.probe.process import take_probe
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import KIB, MIB
from modelmon.core.worker import client
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.record import record_of
from modelmon.core.worker.result import summarise

pytestmark = on_linux

SOAK = pytest.mark.soak
OTHERS = ("sequential", "parallel", "processes", "auto")
PROCESS_ARM = PRESETS["processes"].config
# Tiny requests in random order keep a loader busy long enough to be killed at any moment.
SLOW = LoadConfig(access="read", order="random", chunk_bytes=4 * KIB, readers=4)
# What is in flight is aborted.
GONE = "(Transport endpoint is not connected|Software caused connection abort)"
SLOW_MOUNT = Cost(first_byte_s=0.0, bytes_per_s=2e7)
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

    def next(self):
        """The next event."""
        self.events.append(ev.decode(self.process.stdout.readline()))
        return self.events[-1]

    def until(self, kind):
        """Read events up to the first of this kind."""
        for line in self.process.stdout:
            self.events.append(ev.decode(line))
            if isinstance(self.events[-1], kind):
                return
        raise AssertionError(f"no {kind.__name__} came: {self.events[-1:]}")

    def go(self, moment=ev.Started):
        """Let it go where it has to, up to this event; its loaders."""
        if moment is not ev.Planned:
            self.until(ev.Ready)
        if moment is ev.Started:
            self.send(b"go\n")
        if moment is not ev.Ready:
            self.until(moment)
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
    loaders = worker.go(moment)
    worker.input.close()
    last = worker.last()
    assert_gone(loaders)
    if isinstance(last, ev.Finished):
        assert moment is ev.Started  # it was faster than the cancellation
    else:
        assert last.kind == "cancelled"
        assert worker.process.returncode == 130


@MOMENTS
def test_that_a_killed_supervisor_takes_its_loaders_with_it(start, sample, config, moment):
    worker = start(sample, config)
    loaders = worker.go(moment)
    worker.process.kill()
    worker.process.wait()
    assert_gone(loaders)


@pytest.mark.parametrize(
    ("config", "moment"),
    [
        pytest.param(SLOW, ev.Ready, id="threads-before", marks=SOAK),
        pytest.param(PROCESS_ARM, ev.Ready, id="processes-before"),
        pytest.param(SLOW, ev.Sample, id="threads-during"),
        pytest.param(SLOW_PROCESSES, ev.Sample, id="processes-during", marks=SOAK),
    ],
)
def test_that_a_killed_loader_becomes_a_sentence(start, sample, config, moment):
    worker = start(sample, config, "as-is" if moment is ev.Ready else "cold")
    loaders = worker.go(ev.Ready)
    # So that it is not over before it is killed.
    loaders[-1].suspend()
    if moment is ev.Ready:
        loaders[-1].send_signal(signal.SIGKILL)
    worker.send(b"go\n")
    if moment is ev.Sample:
        worker.until(ev.Sample)
        loaders[-1].send_signal(signal.SIGKILL)
    last = worker.last()
    assert last.kind == "loader-died"
    assert "signal 9" in last.message
    assert "It had loaded " in last.message
    assert worker.process.returncode == 1
    assert_gone(loaders)


def test_that_where_memory_runs_out_a_loader_goes_before_who_reports_it(start, sample):
    worker = start(sample, SLOW)
    scores = [Path(f"/proc/{each.pid}/oom_score_adj") for each in worker.go(ev.Ready)]
    assert [score.read_text() for score in scores] == ["1000\n"]


@pytest.mark.parametrize("goes_on_before", [False, True])
def test_that_a_load_that_stood_still_for_a_while_does_not_count(start, sample, goes_on_before):
    worker = start(sample, SLOW_PROCESSES, "cold")
    loaders = worker.go(ev.Ready)
    for child in loaders:
        child.suspend()
    until(lambda: all(child.status() == psutil.STATUS_STOPPED for child in loaders))
    if not goes_on_before:
        worker.send(b"go\n")
        worker.until(ev.Sample)
    for child in loaders:
        child.resume()
    if goes_on_before:
        until(lambda: all(child.status() != psutil.STATUS_STOPPED for child in loaders))
        worker.send(b"go\n")
    done = worker.last()
    warned = " ".join(warning.message for warning in record_of(worker.events).warnings)
    is_told = "Not counted: the load was stopped by a signal" in warned
    assert is_told != goes_on_before
    assert not (is_told and done.counts)


SIGNALS = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGABRT", "SIGSEGV", "SIGBUS")


@SOAK
@pytest.mark.parametrize("seed", range(30))
def test_that_whoever_dies_by_a_signal_at_any_moment_leaves_nothing(start, sample, seed):
    """Ten times each: a supervisor or one of its loaders, between two lines of the record."""
    random = Random(seed)
    for _ in range(10):
        config = random.choice((SLOW, SLOW_PROCESSES, PROCESS_ARM, PRESETS["mmap"].config))
        worker = start(sample, config, random.choice(("as-is", "cold")))
        above = psutil.Process(worker.process.pid)
        for _ in range(random.randrange(12)):
            event = worker.next()
            if isinstance(event, ev.Ready):
                worker.send(b"go\n")
            if isinstance(event, ev.Finished):
                break
        family = above.children(recursive=True)
        dies = random.choice((above, *family))
        with contextlib.suppress(psutil.NoSuchProcess):
            dies.send_signal(getattr(signal, random.choice(SIGNALS)))
        if dies is above:
            worker.input.close()
            worker.process.wait()
        else:
            with contextlib.suppress(BrokenPipeError):
                worker.send(b"go\n")  # loaders ignore Ctrl-C, and wait for this
            if not isinstance(worker.last(), ev.Finished):
                assert record_of(worker.events).failed.message
        assert_gone(family)


def test_that_a_worker_ends_although_nobody_reads_what_it_says(start, sample):
    """More than a pipe holds is waiting to be read when the input ends."""
    worker = start(sample, LoadConfig(chunk_bytes=4 * KIB))
    loaders = worker.go()
    worker.input.close()
    worker.process.wait()
    assert_gone(loaders)


@pytest.mark.parametrize("name", ["mmap", "sequential"])
def test_that_a_file_cut_during_its_load_becomes_a_sentence(start, own_copy, name):
    worker = start(own_copy, PRESETS[name].config, "cold")
    worker.go(ev.Ready)
    os.truncate(own_copy, MIB)
    worker.send(b"go\n")
    last = worker.last()
    assert last.kind == ("loader-died" if name == "mmap" else "io")
    assert "copy.safetensors changed" in last.message


@pytest.mark.skipif(bool(images.why_not()), reason=images.why_not())
@pytest.mark.parametrize("name", ["mmap", "direct", *(pytest.param(x, marks=SOAK) for x in OTHERS)])
def test_that_a_disk_that_fails_in_the_middle_of_the_file_is_named(sample, tmp_path, name):
    image = tmp_path / "disk.img"
    with images.mounted(image, tmp_path / "disk", sample) as path:
        images.cut(image, path)
        failed = run_job(ev.Job(str(path), PRESETS[name].config, cache="as-is")).failed
    assert failed.kind == ("loader-died" if name in ("mmap", "processes") else "io")
    assert re.search(r"tiny\.safetensors at byte [\d,]+: Input/output error", failed.message)
    assert "disk" in failed.remedy


@needs_fuse
@pytest.mark.parametrize("name", ["mmap", *map(rarely, ("sequential", "direct", "auto"))])
def test_that_a_mount_whose_server_dies_is_named_and_what_came_is_kept(sample, tmp_path, name):
    def die(event, record):
        if isinstance(event, ev.Sample) and record.delivered_bytes:
            os.kill(store.server_pid, signal.SIGKILL)

    with served(sample, tmp_path / "mounted", SLOW_MOUNT) as store:
        record = run_job(ev.Job(str(store.path), PRESETS[name].config, cache="cold"), die)
        again = run_job(ev.Job(str(store.path), PRESETS[name].config))
        asked = modelmon("doctor", "--json", store.path)
    assert f"{store.path} at byte" in record.failed.message
    for said in (record.failed.message, again.failed.message, asked.stdout):
        assert re.search(GONE, said)
    assert "mount" in record.failed.remedy
    assert 0 < record.delivered_bytes < sample.stat().st_size
    assert not psutil.Process().children(recursive=True)


@needs_fuse
@pytest.mark.parametrize("cache", ["warm", rarely("cold")])
@pytest.mark.parametrize("moment", [ev.Ready, *map(rarely, (ev.Hello, ev.Planned, ev.Started))])
def test_that_a_mount_whose_server_dies_is_named_at_any_moment(sample, tmp_path, moment, cache):
    def die(event, _record):
        if isinstance(event, moment):
            os.kill(store.server_pid, signal.SIGKILL)

    with served(sample, tmp_path / "mounted", SLOW_MOUNT) as store:
        failed = run_job(ev.Job(str(store.path), LoadConfig(), cache=cache), die).failed
    assert str(store.path) in failed.message
    assert re.search(GONE, failed.message)
    assert re.search("storage|mount", failed.remedy)


@pytest.mark.long
@needs_fuse
def test_that_the_window_keeps_what_came_from_a_mount_whose_server_dies(
    sample, tmp_path, window, qtbot
):
    session = window.session

    def has_begun():
        record = session.record("A")
        return record is not None and record.delivered_bytes > 0

    with served(sample, tmp_path / "mounted", SLOW_MOUNT) as store:
        opened(qtbot, window, store.path)
        window.compare_controller.run("A")
        qtbot.waitUntil(has_begun)
        os.kill(store.server_pid, signal.SIGKILL)
        idle(qtbot, window)
    assert 0 < session.record("A").delivered_bytes < sample.stat().st_size
    assert f"{store.path} at byte" in session.notice.headline
    assert "mount" in session.notice.reason


@needs_fuse
@needs_root
def test_that_a_mount_taken_away_lazily_is_named_and_the_run_does_not_count(sample, tmp_path):
    def unmount(event, _record):
        if isinstance(event, ev.Started):
            mounts.unmount(str(store.path.parent))

    with served(sample, tmp_path / "mounted", SLOW_MOUNT) as store:
        job = ev.Job(str(store.path), PRESETS["sequential"].config, cache="cold")
        run = summarise(run_job(job, unmount))
        again = run_job(job)
    assert not run.counts
    assert "unmounted" in str([warning.evidence for warning in run.warnings])
    assert f"{store.path} doesn't exist" in again.failed.message
    assert "mount its storage" in again.failed.remedy


@needs_fuse
def test_that_a_mount_that_goes_while_it_is_measured_is_named(sample, tmp_path):
    def die():
        """It is asked whether it should stop once it has opened the file."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(store.server_pid, signal.SIGKILL)
        return False

    with (
        served(sample, tmp_path / "mounted", SLOW_MOUNT) as store,
        pytest.raises(LoadFailedError, match=f"mounted/.*: {GONE}"),
    ):
        take_probe([store.path], 1.0, die)


@pytest.mark.skipif(bool(images.why_not()), reason=images.why_not())
def test_that_a_full_disk_costs_no_result(sample, tmp_path, monkeypatch):
    with images.full(tmp_path / "full") as full:
        monkeypatch.setenv("MODELMON_DATA_DIR", str(full / "data"))
        options = ("--cache", "as-is", "--repeats", 1, "--out", full / "result.json")
        compared = modelmon("compare", sample, *options)
        assert compared.returncode == EXIT_LOAD_FAILED
        recorded = modelmon("run", sample, "--cache", "as-is", "--record", full / "run.jsonl")
    (tmp_path / "full").rmdir()
    assert "Too early to tell" in compared.stdout
    for said in (compared.stderr, recorded.stderr):
        assert "disk is full. Free space on that disk." in said
        assert "No space left on device" in said
    assert f"{full}/run.jsonl: The recording is cut" in recorded.stderr
    assert "25.2 MB, " in recorded.stdout


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
        worker.go()
    worker.last()
    record = record_of(worker.events)
    assert record.failed.kind == "internal"
    assert "KeyError: 'a bug'" in record.failed.message
    assert "in fail" in record.failed.details
    assert worker.process.returncode == EXIT_LOAD_FAILED


OTHER_BYTES = """
import hashlib, sys
from modelmon.core.worker import supervisor

supervisor.file_checksum = lambda *_: hashlib.sha256(b"other bytes").hexdigest()
sys.exit(supervisor.main())
"""


def test_that_loaded_bytes_that_are_not_the_files_are_an_error(sample, monkeypatch, capsys):
    command = [sys.executable, "-P", "-c", OTHER_BYTES]
    monkeypatch.setattr(client, "worker_command", lambda *_: command)
    words = ("run", str(sample), "--verify", "--cache", "as-is", "--no-history")
    assert main([*words, "--json"]) == EXIT_LOAD_FAILED
    told = capsys.readouterr()
    assert "The loaded bytes differ from the file." in told.err
    assert not json.loads(told.out)["checksum"]["matches"]


def test_that_a_terminated_worker_says_that_it_was_stopped(start, sample):
    worker = start(sample, SLOW)
    loaders = worker.go(ev.Ready)
    worker.process.terminate()
    last = worker.last()
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
