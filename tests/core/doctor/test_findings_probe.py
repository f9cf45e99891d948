"""What measured figures are judged to mean, and which rules of thumb they overrule."""

import msgspec
from tests.core.doctor.diagnosed import HEALTHY, limited

from modelmon.core.doctor.diagnosis import Finding
from modelmon.core.doctor.findings import findings_of, probe_findings, without_beaten
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.probe.probe import (
    BestTimes,
    CopyRate,
    MemoryFigures,
    Probe,
    Reads,
    StorageFigures,
    limits_of,
)

MS = 1_000_000


def reads(readers, bytes_per_s):
    return Reads(readers, 2**20, 100, 100 * 2**20, bytes_per_s, 1.0)


def steps(*rates):
    return tuple(reads(2**power, rate) for power, rate in enumerate(rates))


PROBE = Probe(
    schema=1,
    path="/m/a.gguf",
    model_bytes=10**9,
    machine_id="m",
    storage_id="s",
    probed_unix_s=0.0,
    duration_ns=5 * 10**9,
    storage=StorageFigures("direct", sequential=reads(1, 2e9), readers=steps(2e9, 2e9, 2.1e9, 2e9)),
    memory=MemoryFigures(),
    storage_class="nvme",
    class_evidence="",
    best=BestTimes(10**9, cold_ns=500 * MS),
    device_limit_bytes_per_s=15.75e9,
)


def judged(storage=None, **parts):
    figures = msgspec.structs.replace(PROBE.storage, **(storage or {}))
    probe = msgspec.structs.replace(PROBE, storage=figures, **parts)
    return {finding.kind: finding for finding in probe_findings(probe)}


def test_that_a_limit_far_above_what_the_disk_was_measured_at_is_no_problem():
    # 2.1 GB/s.
    for allowed, severity in ((1e8, "problem"), (2.2e9, "problem"), (4e9, "note")):
        limit = CgroupLimit("read-rate", allowed, "io.max", "/a.service", "sda")
        found = msgspec.structs.replace(limited(HEALTHY, limit), probe=PROBE)
        (finding,) = (one for one in findings_of(found) if one.kind == "io-limit")
        assert finding.severity == severity
        assert "a limit of its control group, io.max of /a.service." in finding.text


def test_that_of_a_fast_disk_nothing_is_told():
    assert not judged()


def test_that_a_probe_of_a_busy_disk_sets_no_limit():
    busy = {"direct_bytes": 10**9, "others_bytes": 2 * 10**9}
    found = judged(busy)["shared-probe"]
    assert "may be faster" in found.text
    assert "others moved 2 GB" in found.evidence
    # One rate after the other met more or fewer of them.
    assert set(judged({**busy, "reread_ratio": 3.0})) == {"shared-probe"}
    shared = msgspec.structs.replace(PROBE, storage=msgspec.structs.replace(PROBE.storage, **busy))
    assert limits_of(PROBE).device_bytes_per_s == 2.1e9
    assert limits_of(shared).device_bytes_per_s is None
    assert not judged({"direct_bytes": 10**9, "others_bytes": 10**6})


def test_that_caches_out_of_sight_are_noticed():
    too_fast = judged({"sequential": reads(1, 30e9)})["cached-elsewhere"]
    assert "15.8 GB/s possible" in too_fast.evidence
    hidden = {"reread_ratio": 3.0, "buffered": reads(1, 6e9)}
    found = judged(hidden)
    assert "3.0× as fast" in found["cached-elsewhere"].evidence
    assert "cached-elsewhere" not in judged({"reread_ratio": 1.2})


def test_that_slow_first_touches_are_noticed():
    def copies(fresh):
        return MemoryFigures(
            (CopyRate(1, True, 2**27, 5, 9e9, fresh), CopyRate(1, False, 2**27, 5, 9e9, 9e9))
        )

    assert "slow-fresh-memory" in judged(memory=copies(1e9))
    assert "slow-fresh-memory" not in judged(memory=copies(5e9))


def test_that_a_measurement_beats_a_rule_of_thumb():
    rules = [
        Finding("hard-disk", "note", "Spins.", "rotational", rule_of_thumb="someone says"),
        Finding("small-readahead", "note", "Little.", "128 KiB", rule_of_thumb="someone says"),
        Finding("full-link", "ok", "Full.", "seen"),
    ]
    fast = msgspec.structs.replace(PROBE.storage, buffered=reads(1, 1.9e9))
    kept = without_beaten(rules, msgspec.structs.replace(PROBE, storage=fast))
    assert [finding.kind for finding in kept] == ["full-link"]
    slow = msgspec.structs.replace(PROBE, storage_class="hard-disk")
    assert without_beaten(rules, slow) == rules
