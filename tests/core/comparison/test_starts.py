"""Files in memory have no cold start: warm ones are measured, or it is said at once."""

import json
import os
import shutil
import sys
from pathlib import Path

import msgspec
import pytest
from tests.core.find_best.racing import Racetrack, conditions

from modelmon.core.cli.main import main
from modelmon.core.comparison.estimate import start_of
from modelmon.core.errors import EXIT_DONE, EXIT_USAGE, ConfigError
from modelmon.core.find_best.plan import plan_search
from modelmon.core.machine.storage import Storage, storage_of

SHARED_MEMORY = Path("/dev/shm")
IN_MEMORY = Storage("/dev/shm/m", "/dev/shm", "tmpfs", "tmpfs", "memory")
ON_DISK = Storage("/data/m", "/data", "ext4", "/dev/sda1", "local-disk")


def test_that_a_start_is_cold_unless_asked_or_in_memory():
    assert start_of(None, ON_DISK) == "cold"
    assert start_of("warm", ON_DISK) == "warm"
    assert start_of(None, IN_MEMORY) == "warm"
    assert start_of("as-is", IN_MEMORY) == "as-is"


def test_that_a_cold_start_in_memory_is_refused_with_the_true_reason():
    with pytest.raises(ConfigError, match=r"in memory \(tmpfs\)") as refusal:
        start_of("cold", IN_MEMORY)
    assert "warm" in refusal.value.remedy


@pytest.mark.parametrize("objective", ["warm", "memory"])
def test_that_all_runs_of_a_race_in_memory_start_warm(objective):
    shared = msgspec.structs.replace(conditions(objective=objective), in_memory=True)
    track = Racetrack(shared)
    track.go()
    assert track.jobs
    assert {job.cache for _, job in track.jobs} == {"warm"}
    assert track.session.ending == "decided"


def test_that_what_is_recommended_in_memory_is_said_to_start_warm(inspection):
    shared = msgspec.structs.replace(conditions(objective="memory"), in_memory=True)
    track = Racetrack(shared)
    track.go()
    assert "from a warm start" in track.session.race(inspection).recommendation.sentence


def test_that_a_race_for_first_starts_in_memory_is_refused(inspection):
    in_memory = msgspec.structs.replace(inspection, storage=IN_MEMORY)
    with pytest.raises(ConfigError, match="no cold start"):
        plan_search(in_memory, "cold")
    assert plan_search(in_memory, "memory").conditions.cache == "warm"


@pytest.fixture
def in_memory(sample):
    """The sample in /dev/shm."""
    if sys.platform != "linux" or storage_of(SHARED_MEMORY).kind != "memory":
        pytest.skip("no filesystem in memory")
    copy = SHARED_MEMORY / f"modelmon-test-{os.getpid()}.safetensors"
    try:
        shutil.copyfile(sample, copy)
        yield copy
    finally:
        copy.unlink(missing_ok=True)


def test_that_a_run_of_a_file_in_memory_counts(in_memory, capfd):
    assert main(["run", str(in_memory), "--json"]) == EXIT_DONE
    said = capfd.readouterr()
    result = json.loads(said.out)["result"]
    assert (result["cache_state"], result["counts"]) == ("warm", True)
    assert "so this measures warm starts" in said.err


@pytest.mark.parametrize("objective", ["warm", "memory"])
def test_that_find_best_measures_warm_starts_in_memory(in_memory, capfd, objective):
    asked = ["--objective", objective] if objective == "memory" else []
    assert main(["best", str(in_memory), *asked, "--dry-run", "--json"]) == EXIT_DONE
    said = capfd.readouterr()
    assert json.loads(said.out)["conditions"]["objective"] == objective
    assert "so this measures warm starts" in said.err


@pytest.mark.parametrize(
    "arguments",
    [["run", "--cache", "cold"], ["compare", "--cache", "cold"], ["best", "--objective", "cold"]],
    ids=["run", "compare", "best"],
)
def test_that_a_cold_start_that_was_asked_for_is_refused_at_once(in_memory, capfd, arguments):
    assert main([*arguments, str(in_memory)]) == EXIT_USAGE
    said = capfd.readouterr().err
    assert "no cold start" in said
    assert "copy the model to a disk" in said
