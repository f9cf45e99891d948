"""Storage that stops answering: whoever waits for it can still be stopped."""

import os
import signal
import subprocess
from contextlib import suppress

import psutil
import pytest
from tests.system.needs import needs_fuse, rarely
from tests.system.windows import idle, opened

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.runner import recorder_of
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.history.history import History
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import LoadConfig
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.worker.child_process import program
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Sample
from modelmon.core.worker.look import decode
from modelmon.core.worker.result import summarise

pytestmark = needs_fuse


class EnoughError(Exception):
    """The user has waited long enough."""


@pytest.mark.parametrize(
    ("end", "hangs"),
    [
        ("stopped", "while it loads"),
        ("time is up", "while it loads"),
        rarely("time is up", "early"),
    ],
)
@pytest.mark.parametrize("access", ["mmap", *map(rarely, ("read", "direct", "auto"))])
def test_that_a_load_from_storage_that_hangs_ends_when_it_is_to(
    sample, tmp_path, access, end, hangs
):
    below = []

    def hang(event, _record):
        if isinstance(event, Sample):
            below.extend(psutil.Process().children(recursive=True))
            os.kill(server, signal.SIGSTOP)
            if end == "stopped":
                raise EnoughError

    mount_point = tmp_path / "mounted"
    with served(sample, mount_point, Cost(first_byte_s=0.0, bytes_per_s=5e6)) as store:
        server = store.server_pid
        job = Job(str(store.path), LoadConfig(access=access, readers=2), cache="cold")
        if hangs == "early":
            os.kill(server, signal.SIGSTOP)
        try:
            with suppress(EnoughError):
                record = run_job(job, hang, most_s=3.0)
                assert end == "time is up"
                assert record.finished is None
                assert record.failed is not None
            workers = [p for p in psutil.Process().children() if "core.worker" in command(p)]
            assert not workers
        finally:
            os.kill(server, signal.SIGCONT)
        # What the kernel held back ends with the storage's answer.
        psutil.wait_procs([process for process in below if process.pid != server])
    assert bool(below) is (hangs == "while it loads")


def test_that_a_load_that_takes_longer_than_it_may_is_ended_and_tells_what_it_saw(sample, tmp_path):
    config = LoadConfig(access="read", readers=2)
    mount_point = tmp_path / "mounted"
    with served(sample, mount_point, Cost(first_byte_s=0.0, bytes_per_s=1e6)) as store:
        job = Job(str(store.path), config, cache="cold", most_load_ns=200_000_000)
        run = summarise(run_job(job))
    assert run.wall_ns > 200_000_000
    assert not run.counts
    assert [warning.kind for warning in run.warnings if not warning.counts] == ["cut-off"]


@pytest.mark.long
def test_that_a_comparison_on_storage_that_hangs_keeps_no_other_run_from_the_history(
    sample, own_copy, tmp_path, window, qtbot
):
    mount_point = tmp_path / "mounted"
    with served(sample, mount_point, Cost(first_byte_s=0.0, bytes_per_s=1e9)) as store:
        server = store.server_pid
        stopped = stopped_comparison(store.path)
        opened(qtbot, window, own_copy)
        os.kill(server, signal.SIGSTOP)
        try:
            window.compare_controller.resume(stopped)
            qtbot.waitUntil(lambda: bool(reading(store.path)))
            window.commands.stop()
            assert not window.session.busy
            window.compare_controller.run("A")
            idle(qtbot, window)
            assert len(window.session.kept) == 1
        finally:
            os.kill(server, signal.SIGCONT)
    # The history is written by a thread of its own.
    states = ["done", "stopped"]
    qtbot.waitUntil(lambda: [row.state for row in History().experiments()] == states)


def test_that_what_is_on_storage_that_hangs_keeps_no_folder_from_being_listed(sample, tmp_path):
    folder, mount_point = tmp_path / "folder", tmp_path / "folder" / "mounted"
    folder.mkdir()
    (folder / "here.gguf").write_bytes(b"GGUF")
    with served(
        sample, mount_point, Cost(first_byte_s=0.0, bytes_per_s=1e9, keep_attributes=False)
    ) as store:
        (folder / "link.gguf").symlink_to(store.path)
        os.kill(store.server_pid, signal.SIGSTOP)
        try:
            listed = answer_about("--list", folder)
            there = answer_about(store.path, folder)
        finally:
            os.kill(store.server_pid, signal.SIGCONT)
    names = [(each.name, each.kind) for each in listed.entries.entries]
    assert names == [("mounted", "folder"), ("here.gguf", "gguf"), ("link.gguf", "gguf")]
    assert (there.path, there.kind) == (str(folder), "folder")


def answer_about(*asked):
    """The first line of what is said of paths, of which one hangs."""
    words = program("modelmon.core.worker.look", *map(str, asked))
    with subprocess.Popen(words, stdout=subprocess.PIPE) as looking:
        try:
            return decode(looking.stdout.readline())
        finally:
            looking.kill()


def stopped_comparison(model):
    """What the history calls a comparison of which one pair was run."""
    inspection = inspect_model(model)
    conditions = Conditions(str(model), "as-is", max_pairs=5)
    arms = {label: Entrant(label, "mmap", LoadConfig(access="mmap")) for label in ("A", "B")}
    session = CompareSession(arms["A"], arms["B"], conditions)
    recorder = recorder_of(History(), session, inspection)
    for _ in range(2):
        step = session.next_job()
        recorder.add(step[0], session.add(run_job(step[1])))
    recorder.end("stopped")
    return f"x{recorder.experiment_id}"


def reading(model):
    """Processes below this one that were started for the model."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if str(model) in command(child)]


def command(process):
    """Its command line; empty once it has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""
