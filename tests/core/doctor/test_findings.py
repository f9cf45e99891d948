"""What a diagnosis is judged to mean."""

import msgspec
import pytest
from tests.core.doctor.diagnosed import (
    FULL,
    GB,
    HEALTHY,
    HURTS,
    KIB,
    PROBE,
    changed,
    found_with,
    judged,
    limited,
    on,
    on_disk,
    probed,
)
from tests.core.probe.probes import reads

from modelmon.core.doctor.findings import findings_of
from modelmon.core.machine.block_devices import Disk, PciLink
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.file_users import FileUser
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.mounts import FuseMount, NetworkMount
from modelmon.core.probe.probe import CopyRate, MemoryFigures, limits_of

IN_MEMORY = msgspec.structs.replace(HEALTHY.storage, kind="memory")


def test_that_a_healthy_machine_has_no_findings():
    nvme = Disk("ACME Fast", "nvme", "pcie", rotational_reported=False, pci_links=(FULL,))
    found = findings_of(on_disk(nvme, readahead_bytes=128 * KIB))
    assert not found


PROBLEMS = {
    *("windows-drive", "nothing-cached", "slow-link", "slow-usb", "does-not-fit"),
    *("swapping", "throttled", "io-limit"),
}


@pytest.mark.parametrize(("found", "kind", "evidence"), HURTS)
def test_that_what_hurts_a_load_is_found_with_its_evidence(found, kind, evidence):
    finding = judged(found)[kind]
    assert finding.severity == ("problem" if kind in PROBLEMS else "note")
    assert evidence in finding.evidence
    assert finding.remedy


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        # A virtual disk's word on rotation is not believed, nor its link.
        (on_disk(Disk(bus="virtio", is_virtual=True, rotational_reported=True)), "hard-disk"),
        (
            on_disk(Disk(is_virtual=True, pci_links=(PciLink("0:2", 2.5, 1, 16.0, 16, 16.0, 16),))),
            "slow-link",
        ),
        # What is in memory stays there, however little is free besides.
        (found_with(storage=IN_MEMORY, memory=Memory(64 * GB, 6 * GB)), "does-not-fit"),
        (found_with(storage=IN_MEMORY, memory=Memory(64 * GB, 10 * GB)), "tight-memory"),
        # Five times the model is enough.
        (changed("memory", cgroup_limit_bytes=40 * GB), "cgroup-limit"),
        # An empty file has no pages to be cached.
        (changed("file", size_bytes=0, cached_share=None), "residency-unknown"),
        # intel_pstate calls its ordinary mode powersave.
        (
            changed("cpu", governors=("powersave",), frequency_driver="intel_pstate"),
            "slow-governor",
        ),
        (
            on(
                "fuse",
                "fuseblk",
                bdi="8:1",
                readahead_bytes=128 * KIB,
                fuse=FuseMount("ntfs-3g", "local"),
            ),
            "small-readahead",
        ),
    ],
)
def test_that_what_proves_nothing_is_no_finding(found, kind):
    assert kind not in judged(found)


def test_that_problems_come_first():
    users = (FileUser(7, "server", "open"),)
    found = changed("file", size_bytes=70 * GB, allocated_bytes=70 * GB, users=users)
    assert [finding.severity for finding in findings_of(found)] == ["problem", "note"]


def test_that_a_claim_about_loading_names_its_source_and_a_measurement_does_not():
    network = judged(on("network", "nfs4", network=NetworkMount("NFS")))
    assert "safetensors#562" in network["network-filesystem"].rule_of_thumb
    assert not judged(changed("idle", swapped_in_bytes=10**7))["swapping"].rule_of_thumb


def test_that_a_program_that_wakes_and_swaps_in_a_few_pages_is_no_finding():
    assert "swapping" not in judged(changed("idle", swapped_in_bytes=40_000))


def test_that_a_limit_far_above_what_the_disk_was_measured_at_is_no_problem():
    # 2.1 GB/s.
    for allowed, severity in ((1e8, "problem"), (2.2e9, "problem"), (4e9, "note")):
        limit = CgroupLimit("read-rate", allowed, "io.max", "/a.service", "sda")
        finding = judged(limited(probed(), limit))["io-limit"]
        assert finding.severity == severity
        assert "a limit of its control group, io.max of /a.service." in finding.text


def measured(storage=None, **parts):
    """What a probe of these figures adds or changes."""
    before, after = judged(HEALTHY), judged(probed(storage, **parts))
    return {kind: finding for kind, finding in after.items() if before.get(kind) != finding}


def test_that_of_a_fast_disk_nothing_is_told():
    assert not measured()


def test_that_a_probe_of_a_busy_disk_sets_no_limit():
    busy = {"direct_bytes": 10**9, "others_bytes": 2 * 10**9}
    found = measured(busy)["shared-probe"]
    assert "may be faster" in found.text
    assert "others moved 2 GB" in found.evidence
    # One rate after the other met more or fewer of them.
    assert set(measured({**busy, "reread_ratio": 3.0})) == {"shared-probe"}
    assert limits_of(PROBE).device_bytes_per_s == 2.1e9
    assert limits_of(probed(busy).probe).device_bytes_per_s is None
    assert not measured({"direct_bytes": 10**9, "others_bytes": 10**6})


def test_that_caches_out_of_sight_are_noticed():
    too_fast = measured({"sequential": reads(1, 30e9)})["cached-elsewhere"]
    assert "15.8 GB/s possible" in too_fast.evidence
    hidden = {"reread_ratio": 3.0, "buffered": reads(1, 6e9)}
    found = measured(hidden)
    assert "3.0× as fast" in found["cached-elsewhere"].evidence
    assert "cached-elsewhere" not in measured({"reread_ratio": 1.2})


def test_that_slow_first_touches_are_noticed():
    def copies(fresh):
        return MemoryFigures(
            (CopyRate(1, True, 2**27, 5, 9e9, fresh), CopyRate(1, False, 2**27, 5, 9e9, 9e9))
        )

    assert "slow-fresh-memory" in measured(memory=copies(1e9))
    assert "slow-fresh-memory" not in measured(memory=copies(5e9))


@pytest.mark.parametrize(("storage_class", "kept"), [("nvme", False), ("hard-disk", True)])
def test_that_a_measurement_beats_a_rule_of_thumb(storage_class, kept):
    disk = Disk("Spin", "sata", rotational_reported=True)
    spinning = on_disk(disk, readahead_bytes=128 * KIB)
    rules = {"hard-disk", "small-readahead"}
    assert rules <= judged(spinning).keys()
    probe = probed({"buffered": reads(1, 1.9e9)}, storage_class=storage_class).probe
    assert ("hard-disk" in judged(msgspec.structs.replace(spinning, probe=probe))) == kept
    assert "small-readahead" not in judged(msgspec.structs.replace(spinning, probe=probe))
    slow = probed({"buffered": reads(1, 1e9)}, storage_class=storage_class).probe
    assert "small-readahead" in judged(msgspec.structs.replace(spinning, probe=slow))
