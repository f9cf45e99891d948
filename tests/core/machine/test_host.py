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
from modelmon.core.machine.memory import huge_pages_mode


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
        write(tmp_path, f"{cpu}/thermal_throttle/core_throttle_count", "3")
        write(tmp_path, f"{cpu}/thermal_throttle/package_throttle_count", "5")
        write(tmp_path, f"{cpu}/topology/physical_package_id", "0")
    cpu = read_cpu(tmp_path)
    assert cpu.model == "ACME Core 9"
    assert (cpu.governors, cpu.frequency_driver) == (("powersave",), "acpi-cpufreq")
    # Three for each core, and five for the one package that both report.
    assert cpu.throttle_events == 11


def test_that_a_machine_that_shows_nothing_has_no_figures(tmp_path):
    cpu = read_cpu(tmp_path)
    assert (cpu.governors, cpu.throttle_events) == ((), None)
    assert throttle_events(tmp_path) is None
    assert cpu.logical >= 1
    assert huge_pages_mode(tmp_path) is None
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


def test_that_the_setting_of_huge_pages_is_the_word_in_brackets(tmp_path):
    write(tmp_path, "sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]")
    assert huge_pages_mode(tmp_path) == "never"


def test_that_wsl_and_containers_are_known_by_their_marks(tmp_path):
    write(tmp_path, "proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2")
    write(tmp_path, "proc/self/cgroup", "0::/kubepods/besteffort/pod1")
    host = read_host(tmp_path)
    assert host.is_wsl
    assert host.is_virtual
    assert host.container == "kubepods"
