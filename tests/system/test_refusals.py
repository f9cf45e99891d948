"""What is refused, inferred or asked about, as sentences with figures."""

import mmap
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.system.commands import MODELMON, mapped_by_another, typed
from tests.system.runs import sparse_model

from modelmon.core.errors import ConfigError, DoesNotFitError
from modelmon.core.history.history import History
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.load.planner import plan_load
from modelmon.core.load.rules import check_fits
from modelmon.core.machine.memory import Memory
from modelmon.core.model.open import open_model
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.units import GIB, MIB
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import summarise


def plan_of(nbytes, config):
    """The plan of a model with a single tensor of this size."""
    tensors = (Tensor("t", "U8", (nbytes,), 0, 0, nbytes),)
    blocks = (Block("b", (0,), nbytes),)
    return plan_load(
        Model("m", "/m", "gguf", (Shard("/m", nbytes, 0),), tensors, blocks, {}), config
    )


def fits(nbytes, config, memory):
    try:
        check_fits(config, plan_of(nbytes, config), memory)
    except DoesNotFitError:
        return False
    return True


def test_that_a_load_larger_than_the_memory_is_refused_with_the_figures():
    memory = Memory(total_bytes=16 * GIB, available_bytes=8 * GIB)
    config, mapped = LoadConfig(), LoadConfig(access="mmap")
    with pytest.raises(DoesNotFitError, match=r"needs 21\.5 GB, 8\.59 GB") as refused:
        check_fits(config, plan_of(20 * GIB, config), memory)
    assert "--portion 4096MiB" in refused.value.remedy
    assert fits(7 * GIB, config, memory)
    assert not fits(7 * GIB, replace(config, ranks=2), memory)
    assert fits(20 * GIB, mapped, memory)
    assert not fits(20 * GIB, replace(mapped, deliver="owned"), memory)
    ahead = replace(mapped, prefetch_bytes=3 * GIB)
    with pytest.raises(ConfigError, match="ahead"):
        check_fits(ahead, plan_of(4 * GIB, ahead), memory)
    limited = msgspec.structs.replace(memory, cgroup_limit_bytes=2 * GIB, cgroup_used_bytes=GIB)
    with pytest.raises(DoesNotFitError, match=r"cgroup's limit leaves 1\.07 GB"):
        check_fits(config, plan_of(2 * GIB, config), limited)


def test_that_a_sparse_model_larger_than_this_machine_is_refused_by_the_worker(tmp_path):
    try:
        path = sparse_model(tmp_path / "huge.safetensors", 2**43)
    except OSError:
        pytest.skip("this filesystem has no files of 8 TiB")
    record = run_job(Job(str(path), LoadConfig()))
    assert record.failed.kind == "does-not-fit"
    assert "8.80 TB" in record.failed.message


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [("gone.safetensors", None, "gone.safetensors"), ("bad.gguf", b"GGUFxx", "bad.gguf")],
)
def test_that_an_unreadable_model_is_named(tmp_path, name, content, part):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    record = run_job(Job(str(path), LoadConfig()))
    assert record.failed.kind == "model"
    assert part in record.failed.message


def test_that_a_job_of_another_version_is_refused():
    job = b'{"path":"/m","config":{},"protocol":77}\n'
    done = subprocess.run(worker_command(), input=job, capture_output=True, check=False)
    assert done.returncode == 2
    assert b'"protocol":77' in done.stdout


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_that_a_file_mapped_by_another_process_is_named_and_then_never_called_cold(own_copy):
    config = PRESETS["mmap"].config
    with mapped_by_another(own_copy) as pid:
        refused = run_job(Job(str(own_copy), config, cache="cold"))
        allowed = run_job(Job(str(own_copy), config, cache="cold", allow_busy=True))
    assert refused.failed.kind == "busy"
    assert f"process {pid}" in refused.failed.message
    result = summarise(allowed)
    assert not result.counts
    assert result.cache_state != "cold"
    warnings = {warning.kind: warning for warning in allowed.warnings}
    assert "mapped-elsewhere" in warnings
    warning = warnings["cache-not-cold"]
    assert f"process {pid}) maps it" in warning.message
    assert "% was already cached" in warning.evidence
    assert warning.remedy
    assert result.why_not == warning.message


def test_that_nothing_is_read_when_the_file_shrinks_after_planning(own_copy):
    size = open_model(own_copy).nbytes
    with own_copy.open("r+b") as file:
        file.truncate(size // 2)
    record = run_job(Job(str(own_copy), LoadConfig()))
    assert "copy.safetensors" in record.failed.message


def test_that_page_size_maps_are_not_needed_for_a_tiny_model(tmp_path):
    header = b'{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'
    path = tmp_path / "one.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"\x07")
    assert path.stat().st_size < mmap.PAGESIZE < MIB
    for name in ("mmap", "auto"):
        record = run_job(Job(str(path), PRESETS[name].config, verify=True))
        assert record.finished is not None, (name, record.failed)
        assert record.finished.checksum_matches


@pytest.mark.skipif(not Path("/sys/kernel").exists(), reason="there is no /sys here")
@pytest.mark.parametrize(
    "words",
    [
        ("run", "--record"),
        ("compare", "--out"),
        ("compare", "--export"),
        ("best", "--out"),
        ("best", "--export"),
    ],
)
def test_that_nothing_is_measured_whose_result_could_not_be_written(sample, words):
    """Even root makes no file in /sys, whatever the rights of that folder say."""
    subcommand, option = words
    told = typed(subcommand, sample, option, "/sys/result.json")
    assert told.returncode == 1
    assert "/sys/result.json" in told.stderr
    assert not History().experiments()


def test_that_whoever_starts_modelmon_is_asked_about_as_well(own_copy):
    starter = (
        "import mmap, subprocess, sys\n"
        "with open(sys.argv[1], 'rb') as file:\n"
        "    held = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)\n"
        "sys.exit(subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode)"
    )
    command = [*MODELMON, "run", str(own_copy), "--no-history"]
    done = subprocess.run(
        [sys.executable, "-c", starter, str(own_copy), *command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode
    assert f"{own_copy.name} is in use" in done.stderr
