from modelmon.core.machine.host import free_page_reports, is_virtual_machine

INTERRUPTS = """\
           CPU0       CPU1
 31:          0        909 PCI-MSIX-0000:00:01.0   3-edge      virtio0-stats
 32:       4071         12 PCI-MSIX-0000:00:01.0   4-edge      virtio0-reporting_vq
 35:          1          0 PCI-MSIX-0000:00:05.0   0-edge      virtio4-config
LOC:     481724     528564   Local timer interrupts
"""


def test_that_reports_of_all_processors_are_counted(tmp_path):
    file = tmp_path / "interrupts"
    file.write_text(INTERRUPTS)
    assert free_page_reports(file) == 4083


def test_that_a_machine_without_a_balloon_tells_nothing(tmp_path):
    file = tmp_path / "interrupts"
    assert free_page_reports(file) is None
    file.write_text("".join(INTERRUPTS.splitlines(keepends=True)[:2]))
    assert free_page_reports(file) is None


def test_that_the_processors_own_word_is_taken(tmp_path):
    file = tmp_path / "cpuinfo"
    assert is_virtual_machine(file) is None
    file.write_text("model name\t: any\nflags\t\t: fpu hypervisor sse\n")
    assert is_virtual_machine(file) is True
    file.write_text("model name\t: any\nflags\t\t: fpu sse\n")
    assert is_virtual_machine(file) is False
