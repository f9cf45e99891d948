"""Processors, swap and huge pages as pretended machines show them, and this one."""

import platform

import pytest

from modelmon.core.machine.host import (
    cpu_model,
    free_page_reports,
    is_virtual_machine,
    read_cpu,
    read_host,
    throttle_events,
)
from modelmon.core.machine.memory import HugePages, Swap, read_huge_pages, read_swap


def write(root, path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n")


def test_that_a_laptop_s_processor_is_described(tmp_path):
    write(tmp_path, "proc/cpuinfo", "processor\t: 0\nmodel name\t: ACME  Core 9\nflags\t\t: fpu")
    for number in range(2):
        cpu = f"sys/devices/system/cpu/cpu{number}"
        write(tmp_path, f"{cpu}/cpufreq/scaling_governor", "powersave")
        write(tmp_path, f"{cpu}/cpufreq/scaling_driver", "acpi-cpufreq")
        write(tmp_path, f"{cpu}/cpufreq/cpuinfo_max_freq", "4200000")
        write(tmp_path, f"{cpu}/thermal_throttle/core_throttle_count", "3")
        write(tmp_path, f"{cpu}/thermal_throttle/package_throttle_count", "5")
        write(tmp_path, f"{cpu}/topology/physical_package_id", "0")
        write(tmp_path, f"sys/devices/system/node/node{number}/cpulist", str(number))
    cpu = read_cpu(tmp_path)
    assert cpu.model == "ACME Core 9"
    assert (cpu.governors, cpu.frequency_driver) == (("powersave",), "acpi-cpufreq")
    assert (cpu.max_frequency_hz, cpu.numa_nodes) == (4.2e9, 2)
    # Three for each core, and five for the one package that both report.
    assert cpu.throttle_events == 11


def test_that_a_machine_that_shows_nothing_has_no_figures(tmp_path):
    cpu = read_cpu(tmp_path)
    assert (cpu.governors, cpu.numa_nodes, cpu.throttle_events) == ((), None, None)
    assert throttle_events(tmp_path) is None
    assert cpu.logical >= 1
    assert read_huge_pages(tmp_path) == HugePages()
    assert read_swap(tmp_path) == Swap()
    host = read_host(tmp_path)
    assert (host.is_virtual, host.container, host.pressure) == (None, "", ())


@pytest.mark.parametrize(
    ("text", "model", "is_virtual"),
    [
        ("model name : AMD EPYC 7B13\nflags\t\t: fpu hypervisor sse", "AMD EPYC 7B13", True),
        ("processor : 0\nBogoMIPS : 50.00", platform.processor() or None, None),
        ("Model\t\t: Raspberry Pi 5 Model B\nflags : sse", "Raspberry Pi 5 Model B", False),
    ],
)
def test_that_only_some_processors_tell_their_name_and_a_hypervisor(
    tmp_path, text, model, is_virtual
):
    write(tmp_path, "proc/cpuinfo", text)
    assert cpu_model(tmp_path) == model
    assert is_virtual_machine(tmp_path) is is_virtual


def test_that_reports_of_free_pages_are_counted_for_all_processors(tmp_path):
    assert free_page_reports(tmp_path) is None
    lines = "           CPU0       CPU1\n 31:  0  909 PCI-MSIX-0000:00:01.0 3-edge virtio0-stats\n"
    write(tmp_path, "proc/interrupts", lines)
    assert free_page_reports(tmp_path) is None
    counted = " 32:  4071  12 PCI-MSIX-0000:00:01.0 4-edge virtio0-reporting_vq\n"
    write(tmp_path, "proc/interrupts", f"{lines}{counted}LOC: 481724 528564 Local timer interrupts")
    assert free_page_reports(tmp_path) == 4083


def test_that_huge_page_settings_are_the_words_in_brackets(tmp_path):
    folder = "sys/kernel/mm/transparent_hugepage"
    write(tmp_path, f"{folder}/enabled", "always madvise [never]")
    write(tmp_path, f"{folder}/shmem_enabled", "always within_size advise [never] deny force")
    write(tmp_path, f"{folder}/hpage_pmd_size", "2097152")
    found = read_huge_pages(tmp_path)
    assert (found.private, found.shared, found.defrag) == ("never", "never", None)
    assert found.size_bytes == 2 * 1024**2


def test_that_swap_in_compressed_memory_is_told_from_swap_on_a_disk(tmp_path):
    text = (
        "Filename\tType\t\tSize\tUsed\tPriority\n"
        "/swap.img file 8388604 1024 -2\n"
        "/dev/zram0 partition 4194300 0 100"
    )
    write(tmp_path, "proc/swaps", text)
    write(tmp_path, "proc/meminfo", "Zswap: 8 kB\nZswapped: 20 kB")
    write(tmp_path, "sys/module/zswap/parameters/enabled", "Y")
    write(tmp_path, "sys/block/zram0/disksize", "4294967296")
    write(tmp_path, "sys/block/zram0/mm_stat", "8000 2000 3000 0 3000 0 0 0 0")
    write(tmp_path, "sys/block/zram1/disksize", "0")
    write(tmp_path, "sys/block/zram1/mm_stat", "9 9 9 0 0 0 0 0 0")
    swap = read_swap(tmp_path)
    assert [(area.name, area.kind, area.used_bytes) for area in swap.areas or ()] == [
        ("/swap.img", "file", 1024**2),
        ("/dev/zram0", "zram", 0),
    ]
    assert (swap.zswap.enabled, swap.zswap.held_bytes) == (True, 20 * 1024)
    assert (swap.zram_held_bytes, swap.zram_memory_bytes) == (8000, 3000)


def test_that_wsl_and_containers_are_known_by_their_marks(tmp_path):
    write(tmp_path, "proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2")
    write(tmp_path, "proc/self/cgroup", "0::/kubepods/besteffort/pod1")
    host = read_host(tmp_path)
    assert host.is_wsl
    assert host.is_virtual
    assert host.container == "kubepods"
