"""Caches that a measurement does not expect: each is seen, named, and kept from being ranked."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.page_cache import kept
from tests.system.commands import AS_NOBODY, mapped_by_another
from tests.system.needs import needs_fuse, needs_root, on_linux

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.run_validity import is_discarded_by_chance
from modelmon.core.doctor.inspection import inspect_model, known_limits
from modelmon.core.errors import LoadFailedError
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.machine.storage import storage_of
from modelmon.core.probe.client import run_probe
from modelmon.core.probe.probe import Limits, limits_of
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Ready
from modelmon.core.worker.result import summarise

pytestmark = on_linux

READ = PRESETS["sequential"].config
COLD_RUN = """
import json, sys
from modelmon.core.worker.result import summarise
from modelmon.core.load.config import LoadConfig
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
result = summarise(run_job(Job(sys.argv[1], LoadConfig(), cache="cold")))
kinds = [warning.kind for warning in result.warnings]
share, state = result.residency_before_share, result.cache_state
print(json.dumps([share, state, result.cache_evidence, result.counts, kinds]))
"""


def test_that_a_file_cached_after_it_was_found_cold_is_noticed(on_a_device):
    """Residency said 0% before the start; the bytes from the device tell another story."""

    def cache_it(event, _record):
        if isinstance(event, Ready):
            assert event.residency_share == 0
            cached.enter_context(kept(on_a_device))

    with ExitStack() as cached:
        result = summarise(run_job(Job(str(on_a_device), READ, cache="cold"), cache_it))
    assert "served-from-cache" in {warning.kind for warning in result.warnings}
    assert not result.counts
    assert "Not counted" in result.why_not


def test_that_a_file_in_memory_is_never_called_cold(sample):
    shared_memory = Path("/dev/shm")
    if not shared_memory.is_dir() or storage_of(shared_memory).kind != "memory":
        pytest.skip("no filesystem in memory")
    copy = shared_memory / f"modelmon-test-{os.getpid()}.safetensors"
    try:
        shutil.copyfile(sample, copy)
        session = CompareSession(
            Entrant("A", "sequential", READ),
            Entrant("B", "mmap", PRESETS["mmap"].config),
            Conditions(str(copy), "cold"),
        )
        while (step := session.next_job()) is not None:
            result = session.add(run_job(step[1]))
            assert not result.counts
            (told,) = [each for each in result.warnings if each.kind == "cache-not-cold"]
            assert "warm" in told.remedy
        with pytest.raises(LoadFailedError, match="there's no slower place"):
            session.comparison(inspect_model(copy))
    finally:
        copy.unlink(missing_ok=True)


SLOW, FAST = (Cost(first_byte_s=0.0, bytes_per_s=rate) for rate in (10e6, 2e9))


def comparing(path, limits):
    arms = Entrant("A", "sequential", READ), Entrant("B", "mmap", PRESETS["mmap"].config)
    return CompareSession(*arms, Conditions(str(path), "cold", max_pairs=2), limits)


@pytest.mark.soak
@needs_fuse
def test_that_a_server_that_answers_from_its_memory_is_not_ranked(sample, tmp_path):
    """Its storage gives what was probed, until its own cache has the file, out of sight."""
    point = tmp_path / "mounted"
    with ExitStack() as stack:
        store = stack.enter_context(served(sample, point, SLOW))
        limits = limits_of(run_probe(store.path, 1.0).probe)
        session = comparing(store.path, limits)
        counted = []
        while (step := session.next_job()) is not None:
            result = session.add(run_job(step[1]))
            counted.append(result.counts)
            if result.counts:
                stack.close()
                stack.enter_context(served(sample, point, FAST))
            else:
                assert "served-from-cache" in {warning.kind for warning in result.warnings}
                assert "Not counted" in result.why_not
                assert "Measure the disk again" in result.warnings[-1].remedy
        assert counted[0]
        assert not any(counted[1:])
        with pytest.raises(LoadFailedError, match=r"No run of [AB] counts"):
            session.comparison(inspect_model(store.path))


@pytest.mark.soak
@needs_fuse
def test_that_runs_that_agree_outweigh_what_was_measured_before(sample, tmp_path):
    """The storage became faster under a mount that stayed: the first run can't be told from one
    out of a cache; from the second on it is the probe that is wrong.
    """
    with served(sample, tmp_path / "mounted", FAST) as store:
        session = comparing(store.path, Limits(device_bytes_per_s=2e6))
        results = []
        while (step := session.next_job()) is not None:
            results.append(session.add(run_job(step[1])))
        assert [result.counts for result in results] == [False, True, True, True, True]
        (told,) = [each for each in results[-1].warnings if each.kind == "faster-than-probed"]
        assert "Measure the disk again" in told.remedy
        assert session.comparison(inspect_model(store.path)).arm_a.runs == 2


@pytest.mark.soak
@needs_fuse
def test_that_what_is_mounted_anew_is_another_storage(sample, tmp_path):
    """Another server, or the same with other settings, at the same place under the same name."""
    point = tmp_path / "mounted"
    probed = []
    for cost in (SLOW, SLOW, FAST):
        with served(sample, point, cost) as store:
            found = inspect_model(store.path)
            assert found.probe is None
            if cost is FAST:
                assert summarise(run_job(Job(str(store.path), READ, cache="cold"))).counts
                session = comparing(store.path, known_limits(found))
                while (step := session.next_job()) is not None:
                    result = session.add(run_job(step[1]))
                    assert result.counts or is_discarded_by_chance(result), result.why_not
            run_probe(store.path, 1.0)
            again = inspect_model(store.path)
            assert again.probe is not None
            assert again.origin == found.origin
            probed.append(found.origin.storage.id if found.origin else "")
    # The same mounted again is the same to the history; only its probe is of another mount.
    assert probed[0] == probed[1] != probed[2]


@needs_root
def test_that_another_owners_file_is_judged_by_the_devices_bytes(own_copy, on_a_device):
    """This user sees neither what is cached nor who maps it."""
    del on_a_device
    own_copy.chmod(0o644)

    def cold_run():
        command = [*AS_NOBODY, sys.executable, "-P", "-c", COLD_RUN, str(own_copy)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    *told, kinds = cold_run()
    assert told == [None, "cold", "inferred", True]
    assert "residency-unknown" in kinds
    with mapped_by_another(own_copy):
        *told, kinds = cold_run()
    assert told == [None, "warm", "inferred", False]
    assert {"residency-unknown", "cache-not-cold"} <= set(kinds)
