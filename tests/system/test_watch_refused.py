"""Watching where the machine tells less than all of it, or a program misses something there."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress

import psutil
import pytest
from tests.system.beds import old_kernel
from tests.system.commands import MODELMON, assert_that_all_have_ended, command, starts, typed
from tests.system.runs import until

from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.file_trace import TraceInstance, TracingUnavailableError
from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Sample, WatchedProgram

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc"),
]

# A user who owns nothing here; the one right it keeps is to read, since the interpreter may lie in
# a folder that others cannot enter.
AS_NOBODY = (
    *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
    *(f"--{which}=-all,+dac_read_search" for which in ("inh-caps", "ambient-caps", "bounding-set")),
)
needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="only root can become another user, and mount",
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model on a disk that everybody may read; never changed by a test."""
    path = tmp_path_factory.mktemp("refused") / "big.safetensors"
    written = write_sample(path, "safetensors", 64 * MIB, 4, 0)
    for each in (written, *written.parents[:2]):
        each.chmod(0o755)
    with written.open("rb") as file:
        if obstacle := eviction_obstacle(file.fileno()):
            pytest.skip(obstacle)
    return written


def asked(*arguments, before=(), **options):
    """`modelmon watch` in a process of its own, which nothing is kept of, started by `before`."""
    return subprocess.run(
        [*map(str, (*before, *MODELMON, "watch", "--no-history", *arguments))],
        **{"stdin": subprocess.DEVNULL, "capture_output": True, "text": True} | options,
        check=False,
    )


@needs_root
@pytest.mark.parametrize("named", [True, pytest.param(False, marks=pytest.mark.long)])
def test_that_a_process_of_another_user_is_refused_to_who_may_not_see_it(model, notes, named):
    with subprocess.Popen(command("opens-and-stays", model, notes)) as program:
        until((notes / "opened").exists)
        which = [model] if named else []
        done = asked(*which, "--pid", program.pid, before=AS_NOBODY, cwd=model.parent)
        goes_on = program.poll() is None
        program.kill()
    assert done.returncode == 2
    assert (
        f"(process {program.pid}) belongs to root, and what it reads can't be seen" in done.stderr
    )
    assert "as that user or as root" in done.stderr
    assert goes_on


@needs_root
def test_that_users_without_rights_watch_what_is_theirs(model):
    # The interpreter of these tests may lie where others start nothing.
    reads = ("dd", f"if={model}", "of=/dev/null", "bs=1M")
    done = asked(model, "--cache", "as-is", "--json", "--", *reads, before=AS_NOBODY)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    assert result["load_bytes"] == result["model_bytes"]
    assert result["seen_by"] != "trace"


@pytest.mark.parametrize(
    "deed", ["mmap", *(pytest.param(deed, marks=pytest.mark.long) for deed in ("read", "direct"))]
)
def test_that_where_the_kernel_tells_nothing_of_the_cache_counters_tell(model, notes, deed):
    kernel = (sys.executable, old_kernel.__file__)
    options = ("--seen-by", "residency", "--cache", "cold", "--yes", "--")
    done = asked(model, *options, *command(deed, model, notes), before=kernel)
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert "the program's counters: a total, without blocks" in told
    assert_that_all_have_ended(notes)


@pytest.mark.long
@needs_root
def test_that_a_trace_is_taken_wherever_tracefs_is_mounted(model, notes, tmp_path):
    try:
        TraceInstance(1 << 20).close()
    except TracingUnavailableError as error:
        pytest.skip(str(error))
    elsewhere = tmp_path / "my traces"
    elsewhere.mkdir()
    # In a namespace that ends with it: what is mounted there is mounted nowhere else.
    script = 'umount -l /sys/kernel/tracing 2>/dev/null; mount -t tracefs none "$0" && exec "$@"'
    before = ("unshare", "--mount", "sh", "-c", script, elsewhere)
    options = ("--seen-by", "trace", "--cache", "as-is", "--json", "--yes", "--")
    done = asked(model, *options, *command("read", model, notes), before=before)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["seen_by"] == "trace"
    assert list(elsewhere.iterdir()) == []
    assert_that_all_have_ended(notes)


@pytest.mark.parametrize(
    "code", ["open('/dev/tty')", pytest.param("input()", marks=pytest.mark.long)]
)
def test_that_a_program_that_needs_a_terminal_is_told_that_it_has_none(model, code):
    done = typed("watch", model, "--cache", "warm", "--yes", "--", sys.executable, "-c", code)
    assert done.returncode == 1
    assert "ended with exit code 1" in done.stderr
    assert "It has no terminal and no input here" in done.stderr


@pytest.mark.long
def test_that_a_program_that_is_killed_while_it_is_watched_is_told(model, notes):
    def kill(event, _):
        if isinstance(event, Sample) and (notes / "loaded").exists():
            for pid in starts(notes):
                # Told of once more after it has ended.
                with suppress(psutil.NoSuchProcess):
                    psutil.Process(pid).kill()

    watched = WatchedProgram("somebody's program", "exit")
    job = Job(
        str(model), LoadConfig(library=PROGRAM), cache="warm", allow_busy=True, program=watched
    )
    record = run_job(job, kill, command=command("hangs", model, notes))
    assert record.failed is not None
    assert "stopped by signal 9" in record.failed.message
    assert_that_all_have_ended(notes)
