"""`modelmon warm` and `modelmon launch`, with real programs on storage of known cost."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from tests.core.model.model_files import save, write_index
from tests.page_cache import drop, kept, left_alone
from tests.system.beds import memory_limit
from tests.system.commands import MODELMON, command, modelmon, typed
from tests.system.needs import needs_fuse, on_linux
from tests.system.runs import started_as_asked, until

from modelmon.core.load.config import PRESETS
from modelmon.core.machine.page_cache import WARM_SHARE, eviction_obstacle, residency
from modelmon.core.model.sample import write_sample
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Ready

pytestmark = on_linux

MAPPED = PRESETS["mmap"].config
EITHER = pytest.mark.parametrize(
    "keep_cache", [pytest.param(True, marks=pytest.mark.long), False], ids=["kept", "dropped"]
)
SLOW_BYTES_PER_S = 2e6
"""The small model takes twelve seconds at this rate."""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model on a disk, of more than one piece; never changed by a test."""
    path = tmp_path_factory.mktemp("warmed") / "big.safetensors"
    written = write_sample(path, "safetensors", 72 * MIB, 4, 0)
    with written.open("rb") as file:
        obstacle = eviction_obstacle(file.fileno())
    if obstacle:
        pytest.skip(obstacle)
    return written


@contextmanager
def object_store(path, folder, *, first_byte_s=0.001, bytes_per_s=400e6, keep_cache=True):
    """The file on a mount where each read that does not go on is a new request."""
    with served(
        path,
        folder / "mounted",
        Cost(first_byte_s=first_byte_s, bytes_per_s=bytes_per_s, keep_cache=keep_cache),
    ) as store:
        yield store


def warmed(*arguments):
    done = typed("warm", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def cached_share(path):
    with path.open("rb") as file:
        share = share_of(file.fileno())
    assert share is not None
    return share


def share_of(descriptor):
    """The same, without opening it: that may drop what is cached."""
    return residency(descriptor, [(0, os.fstat(descriptor).st_size)]).share


def python(code):
    return (sys.executable, "-S", "-c", code)


def wait_for_bytes(store):
    """Return when the warming is under way: more has been served than a header and what follows."""
    served_bytes = 0
    while served_bytes < MIB:
        served_bytes += store.counts().bytes
        time.sleep(0.01)


def users(path):
    """Processes of modelmon that have to do with the file."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if str(path) in (process.info["cmdline"] or ()) and "modelmon" in process.info["cmdline"]
    ]


def wait_for_the_end_of_reading(process, path):
    """Return when the program runs, what reads ahead of it having been there before, and that has
    ended.
    """
    # While a process becomes another program its command line is empty.
    until(lambda: "modelmon" not in (psutil.Process(process.pid).cmdline() or ["modelmon"]))
    until(lambda: users(path) == [])


@pytest.mark.parametrize("strategy", [(), ("--strategy", "sequential"), ("--strategy", "parallel")])
def test_that_a_warmed_model_is_in_the_page_cache(model, strategy):
    found = left_alone(lambda: (warmed(model, *strategy), cached_share(model)), model)
    told, share = found
    assert share == 1
    assert told["kept_share"] == 1
    assert told["file_bytes"] == told["wanted_bytes"] == model.stat().st_size
    assert told["cached_bytes"] + told["read_bytes"] == told["wanted_bytes"]
    assert told["read_bytes"] > 0.9 * model.stat().st_size
    assert told["notes"] == []


def test_that_all_files_of_an_index_are_warmed(tmp_path):
    files = ("layers-0.safetensors", "mtp.safetensors", "parts/visual.safetensors")
    for file in files:
        save(tmp_path / file, f"{file}.w")
    write_index(tmp_path / "model.safetensors.index.json", {f"{file}.w": file for file in files})
    told = warmed(tmp_path)
    assert told["wanted_bytes"] == sum((tmp_path / file).stat().st_size for file in files)
    launched = modelmon("launch", tmp_path, "--warm-first", "--", "true")
    assert (launched.returncode, "isn't warmed" in launched.stderr) == (0, False)


def test_that_what_is_cached_is_not_read_again(model):
    with kept(model):
        told = warmed(model)
        said = typed("warm", model).stdout
    assert (told["read_bytes"], told["bytes_per_s"], told["kept_share"]) == (0, None, 1)
    assert "Already cached: nothing to read" in said


def test_that_a_model_in_memory_needs_no_warming(sample):
    memory = Path("/dev/shm") / f"modelmon-test-{os.getpid()}.safetensors"
    if not memory.parent.is_dir():
        pytest.skip("there is no /dev/shm")
    try:
        memory.write_bytes(sample.read_bytes())
        told = warmed(memory)
    finally:
        memory.unlink(missing_ok=True)
    assert told["read_bytes"] == 0
    assert told["notes"][0].startswith("Already cached")


@pytest.mark.soak
@pytest.mark.skipif(bool(memory_limit.why_not()), reason=memory_limit.why_not())
def test_that_of_a_model_larger_than_the_memory_the_part_is_warmed_that_stays(tmp_path):
    model = write_sample(tmp_path / "large.safetensors", "safetensors", 192 * MIB, 4, 0)
    with memory_limit.limited(160 * MIB) as little:

        def attempt():
            limited = little.command(*MODELMON, "warm", "--json", str(model))
            done = subprocess.run(limited, capture_output=True, text=True, check=True)
            return json.loads(done.stdout)

        drop(model)
        told = attempt()
    assert MIB < told["wanted_bytes"] < 160 * MIB
    assert told["kept_share"] >= WARM_SHARE
    assert told["notes"][0].startswith("Only the first ")


@needs_fuse
def test_that_a_mount_on_which_opening_drops_the_cache_is_left_alone(sample, tmp_path):
    with object_store(sample, tmp_path, keep_cache=False) as store:
        told = warmed(store.path)
        served_bytes = store.counts().bytes
    assert told["read_bytes"] == 0
    assert "drops its cached pages" in told["notes"][0]
    assert served_bytes < 0.1 * sample.stat().st_size


@needs_fuse
@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        pytest.param(signal.SIGTERM, 130, marks=pytest.mark.soak),
        pytest.param(signal.SIGKILL, -9, marks=pytest.mark.soak),
    ],
)
def test_that_a_stopped_warming_leaves_nothing(sample, tmp_path, number, code):
    with object_store(sample, tmp_path, bytes_per_s=SLOW_BYTES_PER_S) as store:
        with subprocess.Popen(
            [*MODELMON, "warm", str(store.path)], stderr=subprocess.PIPE, text=True
        ) as process:
            wait_for_bytes(store)
            process.send_signal(number)
            _, said = process.communicate()
        assert process.returncode == code
        assert "Traceback" not in said
        assert users(store.path) == []


# launch


def test_that_a_launched_program_is_the_process_that_was_started(sample):
    code = (
        "import os, sys; print(os.getpid(), os.getpgrp(), os.getsid(0), os.environ['WORD'],"
        " sys.stdin.read()); print('to stderr', file=sys.stderr); sys.exit(7)"
    )
    with subprocess.Popen(
        [*MODELMON, "launch", "--quiet", str(sample), "--", *python(code)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"WORD": "env"},
    ) as process:
        out, err = process.communicate("input")
    pid, group, session, word, said = out.split()
    assert int(pid) == process.pid
    assert (int(group), int(session)) == (os.getpgrp(), os.getsid(0))
    assert (word, said, err, process.returncode) == ("env", "input", "to stderr\n", 7)


def said_beside_a_program(model):
    """What is said on the standard error while a program waits for its input to end."""
    with subprocess.Popen(
        [*MODELMON, "launch", str(model), "--", "cat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_for_the_end_of_reading(process, model)
        out, said = process.communicate("input")
    assert (process.returncode, out) == (0, "input")
    return said.splitlines()


def test_that_it_says_in_one_line_what_it_does(model):
    def attempt():
        return said_beside_a_program(model)

    (said,) = left_alone(attempt, model)
    assert said.startswith(f"modelmon: {model.name}: Warming ")
    with kept(model):
        (said,) = said_beside_a_program(model)
    assert "Already cached: nothing to read" in said


def test_that_a_program_that_is_warmed_first_starts_when_its_model_is_there(model):
    def attempt():
        # It ends at once, and with it what would read beside it.
        launched = (*MODELMON, "launch", "--warm-first", str(model), "--")
        with subprocess.Popen(
            (*launched, *python("import os; print(os.getpid())")),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            out, said = process.communicate()
        assert (process.returncode, int(out)) == (0, process.pid)
        return said, cached_share(model)

    said, share = left_alone(attempt, model)
    assert said.startswith(f"modelmon: {model.name}: Warming ")
    assert share == 1


@pytest.mark.parametrize("more", [(), ("--warm-first",)])
def test_that_a_missing_model_is_told_also_where_the_program_ends_at_once(tmp_path, more):
    done = modelmon("launch", "--quiet", *more, tmp_path / "none.gguf", "--", "true")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "modelmon: none.gguf isn't warmed: No such file or directory.\n"


def test_that_a_program_gets_what_it_would_have_got_without(sample):
    """Open files, and which signals are ignored: Python ignores some that its children inherit."""
    asking = ("sh", "-c", "ls /proc/self/fd; grep -E '^Sig(Blk|Ign)' /proc/self/status")
    alone = subprocess.run(
        asking, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
    )
    launched = modelmon("launch", sample, "--", *asking)
    assert launched.stdout == alone.stdout


@needs_fuse
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGINT, marks=pytest.mark.soak),
        signal.SIGTERM,
        pytest.param(signal.SIGKILL, marks=pytest.mark.soak),
    ],
)
def test_that_a_signal_reaches_the_program_and_ends_what_reads_ahead(
    sample, tmp_path, notes, number
):
    with object_store(sample, tmp_path, bytes_per_s=SLOW_BYTES_PER_S) as store:
        waiting = command("waits", store.path, notes)
        with subprocess.Popen(
            [*MODELMON, "launch", "--quiet", str(store.path), "--", *waiting],
            stderr=subprocess.PIPE,
        ) as process:
            until((notes / f"{process.pid}.pid").exists)
            wait_for_bytes(store)
            process.send_signal(number)
            # Nobody holds its output any more.
            process.communicate()
        assert process.returncode == -number
        until(lambda: not users(store.path))


@needs_fuse
def test_that_a_program_that_exits_at_once_ends_what_reads_ahead(sample, tmp_path):
    with object_store(sample, tmp_path, bytes_per_s=SLOW_BYTES_PER_S) as store:
        done = modelmon("launch", store.path, "--", *python("raise SystemExit(3)"))
        assert done.returncode == 3
        until(lambda: not users(store.path))
        assert store.counts().bytes < sample.stat().st_size


@pytest.mark.parametrize(("name", "code"), [("no-such-command-here", 127), ("/etc/passwd", 126)])
def test_that_a_command_that_cannot_be_run_is_told_as_a_shell_does(sample, name, code):
    done = modelmon("launch", sample, "--", name)
    assert done.returncode == code
    assert name in done.stderr
    assert "Warming" not in done.stderr


@needs_fuse
def test_that_a_program_with_direct_reads_is_told_that_this_does_not_help(sample, tmp_path, notes):
    with object_store(sample, tmp_path, bytes_per_s=SLOW_BYTES_PER_S / 4) as store:
        opening = command("opens-directly", store.path, notes)
        with subprocess.Popen(
            [*MODELMON, "launch", str(store.path), "--", *opening],
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            said = [process.stderr.readline(), process.stderr.readline()]
            until(lambda: users(store.path) == [])
            process.kill()
        assert "direct I/O" in said[1]


@pytest.mark.soak
@needs_fuse
def test_that_a_launched_program_finds_what_was_read_ahead_of_it(sample, tmp_path, notes):
    with object_store(sample, tmp_path) as store:
        waiting = command("waits", store.path, notes)
        launched = [*MODELMON, "launch", str(store.path), "--", *waiting]
        with subprocess.Popen(launched, stderr=subprocess.PIPE) as process:
            wait_for_the_end_of_reading(process, store.path)
            read_ahead = store.counts()
            with kept(store.path):
                store.counts()
                (notes / "go").touch()
                process.communicate()
                own = store.counts()
    assert process.returncode == 0
    assert own.requests == 0
    assert 0.9 < read_ahead.bytes / sample.stat().st_size < 1.5


# The cache of a FUSE mount may be dropped by whoever opens the file: does modelmon spoil it?


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Of which each page is asked for by itself. Never changed by a test."""
    path = tmp_path_factory.mktemp("warmed") / "small.safetensors"
    return write_sample(path, "safetensors", 8 * MIB, layers=4, seed=1)


@contextmanager
def warm(path, mount_point, *, keep_cache):
    """The file behind FUSE, all of it cached, and the descriptor that looks at the cache."""
    with served(
        path, mount_point, Cost(first_byte_s=0.0, bytes_per_s=1e9, keep_cache=keep_cache)
    ) as store:
        watcher = os.open(store.path, os.O_RDONLY)
        try:
            with kept(store.path):
                assert share_of(watcher) == 1
                store.counts()
                yield store, watcher
        finally:
            os.close(watcher)


@needs_fuse
@EITHER
def test_that_a_warm_start_is_warm_whatever_opening_does(small, tmp_path, keep_cache):
    """All files are opened before the cache is filled, and none after."""

    def forget_the_preparation(event, _record):
        if isinstance(event, Ready):
            store.counts()

    with warm(small, tmp_path / "mounted", keep_cache=keep_cache) as (store, _):
        job = Job(str(store.path), MAPPED, cache="warm", allow_busy=True)
        record = started_as_asked(job, forget_the_preparation)
        during = store.counts()
    assert record.finished.cache_state == "warm"
    assert record.finished.cache_evidence == "verified"
    assert record.finished.counts
    assert during.bytes <= (1 - WARM_SHARE) * record.finished.delivered_bytes
    assert during.handles == 0


@needs_fuse
def test_that_a_start_as_it_is_says_that_opening_has_dropped_the_cache(small, tmp_path):
    """Any program's opening does that here, so a load of the dropped file is what users get."""
    states = {}
    for keep_cache in (True, False):
        with warm(small, tmp_path / "mounted", keep_cache=keep_cache) as (store, _):
            record = run_job(Job(str(store.path), MAPPED, cache="as-is", allow_busy=True))
            served_bytes = store.counts().bytes
        states[keep_cache] = (
            record.ready.residency_share == 1,
            record.finished.cache_state,
            served_bytes >= record.finished.delivered_bytes,
        )
    assert states == {True: (True, "warm", False), False: (False, "cold-here", True)}


@needs_fuse
@EITHER
def test_that_doctor_says_that_looking_may_have_dropped_the_cache(small, tmp_path, keep_cache):
    with warm(small, tmp_path / "mounted", keep_cache=keep_cache) as (store, watcher):
        done = typed("doctor", "--json", store.path)
        left = share_of(watcher)
    file = json.loads(done.stdout)["file"]
    assert file["opening_may_drop_cache"]
    if keep_cache:
        assert (file["cached_share"], left) == (1, 1)
    else:
        assert file["cached_share"] == 0
        # The header, which doctor reads after it has looked, with what is read ahead of it.
        assert left < 0.05
