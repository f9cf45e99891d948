"""What a diagnosis is judged to mean."""

import pytest
from tests.core.doctor.diagnosed import (
    FULL,
    GB,
    HURTS,
    KIB,
    changed,
    judged,
    with_disk,
    with_ground,
)

from modelmon.core.doctor.findings import findings_of
from modelmon.core.machine.block_devices import Disk, PciLink
from modelmon.core.machine.file_users import FileUser
from modelmon.core.machine.mounts import FuseMount, NetworkMount


def test_that_a_healthy_machine_has_nothing_but_good_findings():
    nvme = Disk("ACME Fast", "nvme", "pcie", rotational_reported=False, pci_links=(FULL,))
    found = findings_of(with_disk(nvme, readahead_bytes=128 * KIB))
    assert {finding.severity for finding in found} == {"ok"}
    assert {finding.kind for finding in found} == {"full-link", "file-unused", "fits"}


@pytest.mark.parametrize(("found", "kind", "severity", "evidence"), HURTS)
def test_that_what_hurts_a_load_is_found_with_its_evidence(found, kind, severity, evidence):
    finding = judged(found)[kind]
    assert finding.severity == severity
    assert evidence in finding.evidence
    assert finding.remedy


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        # A virtual disk's word on rotation is not believed, nor its link.
        (with_disk(Disk(bus="virtio", is_virtual=True, rotational_reported=True)), "hard-disk"),
        (
            with_disk(
                Disk(is_virtual=True, pci_links=(PciLink("0:2", 2.5, 1, 16.0, 16, 16.0, 16),))
            ),
            "slow-link",
        ),
        # An empty file has no pages to be cached.
        (changed("file", size_bytes=0, cached_share=None), "residency-unknown"),
        # intel_pstate calls its ordinary mode powersave.
        (
            changed("cpu", governors=("powersave",), frequency_driver="intel_pstate"),
            "slow-governor",
        ),
        (
            with_ground(
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
    network = judged(with_ground("network", "nfs4", network=NetworkMount("NFS")))
    assert "safetensors#562" in network["network-filesystem"].rule_of_thumb
    assert not judged(changed("idle", swapped_in_bytes=10**7))["swapping"].rule_of_thumb


def test_that_a_program_that_wakes_and_swaps_in_a_few_pages_is_no_finding():
    assert "swapping" not in judged(changed("idle", swapped_in_bytes=40_000))
