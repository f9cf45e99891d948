"""Every strategy where the system refuses what only tells of the cache, or gives little; commands
where Python or the kernel is old.
"""

import json
import subprocess
import sys

import pytest
from tests.system.beds import old_kernel
from tests.system.commands import AS_NOBODY, MODELMON
from tests.system.needs import needs_root, on_linux

from modelmon.core.load.config import PRESETS
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

pytestmark = on_linux

TELLING = "cachestat,mincore,fadvise64"
LOADS = """
import sys
import ml_dtypes, numpy  # whose libraries end a process that has too little
from modelmon.core import load_model
from modelmon.core.errors import LoadFailedError

path, limit, added, *ways = sys.argv[1:]
if added:
    import resource
    of = getattr(resource, limit)
    used = 1024 * int(open("/proc/self/status").read().split("VmSize:")[1].split()[0])
    most = int(added) + (used if limit == "RLIMIT_AS" else 0)
    resource.setrlimit(of, (most, most))
for way in ways:
    try:
        print(way, len(load_model(path, way)))
    except LoadFailedError as error:
        print(way, "failed:", error, error.remedy)
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model that everybody may read; never changed by a test."""
    folder = tmp_path_factory.mktemp("limits")
    written = write_sample(folder / "tiny.safetensors", "safetensors", 8 * MIB, 2, 0)
    for each in (written, *written.parents[:2]):
        each.chmod(0o755)
    return written


def ran(*before, path, way, cache):
    """The result of `modelmon run` that was started by a command."""
    options = ("--no-history", "--json", "--no-memory-prep", "--cache", cache, "--strategy", way)
    command = [*map(str, (*before, *MODELMON, "run", path, *options))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["result"]


def loads(path, limit, added, *before):
    """What comes of `load_model` by each strategy within a limit."""
    python = (sys.executable, "-P", "-c", LOADS, path, limit, added, *PRESETS)
    command = [*map(str, (*before, *python))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def filtered(error, calls=TELLING):
    """What a command is started by to be refused these calls."""
    return (sys.executable, old_kernel.__file__, f"{error}:{calls}")


@pytest.mark.parametrize("error", ["EPERM", "ENOSYS"])
def test_that_every_strategy_loads_where_the_cache_is_told_by_no_call(model, error):
    came = loads(model, "", "", *filtered(error))
    assert came.keys() == PRESETS.keys()
    assert len({*came.values()}) == 1, came


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=() if way == "mmap" else pytest.mark.long) for way in PRESETS],
)
def test_that_a_run_says_that_its_start_is_not_known_there(model, way):
    result = ran(*filtered("EPERM"), path=model, way=way, cache="cold")
    assert result["cache_evidence"] != "verified"
    told = " ".join(warning["message"] for warning in result["warnings"])
    assert "the system refuses cachestat and mincore" in told


def test_that_a_file_that_may_not_be_evicted_is_no_cold_start(model):
    model.read_bytes()
    result = ran(*filtered("EPERM", "fadvise64"), path=model, way="mmap", cache="cold")
    assert not result["counts"]
    told = " ".join(warning["message"] for warning in result["warnings"])
    assert "The system refuses to evict files, as some containers do." in told
    assert "another process" not in told


@needs_root
def test_that_of_another_users_file_it_is_said_that_direct_reads_work(model):
    result = ran(*AS_NOBODY, path=model, way="auto", cache="as-is")
    (note,) = (each for each in result["warnings"] if each["kind"] == "direct-refused")
    assert "the file belongs to another user. Direct I/O works" in note["message"]
    assert ran(*AS_NOBODY, path=model, way="direct", cache="as-is")["counts"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("doctor", "{model}"), "tiny"),
        (("launch", "{model}", "--", sys.executable, "-c", "print('launched')"), "launched"),
        (("watch", "{model}", "--yes", "--cache", "warm", "--", "cat", "{model}"), "cat"),
    ],
)
def test_that_a_python_that_was_built_for_old_systems_is_enough(
    model, tmp_path, monkeypatch, command, said
):
    """conda's and uv's have names only for what glibc 2.17 had."""
    missing = "import os\ndel os.memfd_create, os.pidfd_open\n"
    (tmp_path / "sitecustomize.py").write_text(missing)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    words = [word.format(model=model) for word in command]
    done = subprocess.run([*MODELMON, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, "Error" in done.stderr) == (0, False), done.stderr
    assert said in done.stdout


def test_that_a_kernel_that_is_too_old_to_watch_on_is_named(model):
    watching = (*MODELMON, "watch", str(model), "--yes", "--cache", "warm", "--", "cat", str(model))
    kernel = filtered("ENOSYS", "pidfd_open")
    done = subprocess.run([*kernel, *watching], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert "Watching needs Linux 5.3 or newer: Function not implemented." in done.stderr


@pytest.mark.parametrize("added", [4 * MIB, 24 * MIB, 96 * MIB])
def test_that_little_address_space_is_named(model, added):
    came = loads(model, "RLIMIT_AS", str(added))
    failed = [said for said in came.values() if said.startswith("failed")]
    assert all("ulimit -v" in said and "ulimit -u" not in said for said in failed), came
    assert failed or added > 24 * MIB


@needs_root
def test_that_few_processes_are_named(model):
    came = loads(model, "RLIMIT_NPROC", "1", *AS_NOBODY)
    assert came["mmap"] == came["sequential"]
    assert "starts no more threads" in came["parallel"]
    assert "ulimit -u" in came["parallel"]


def test_that_few_open_files_are_named(model):
    came = loads(model, "RLIMIT_NOFILE", "6")
    failed = [said for said in came.values() if said.startswith("failed")]
    assert failed
    assert all("ulimit -n" in said for said in failed), came
