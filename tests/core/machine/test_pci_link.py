"""PCIe links, from what both of their ends say."""

import pytest

from modelmon.core.machine.block_devices import (
    PciEnd,
    link_bytes_per_s,
    links_between,
    parse_link_speed,
)


@pytest.mark.parametrize(
    ("text", "gt_per_s"),
    [("2.5 GT/s PCIe", 2.5), ("16.0 GT/s PCIe", 16.0), ("8 GT/s", 8.0), ("Unknown", None)],
)
def test_that_a_speed_is_read_or_unknown(text, gt_per_s):
    assert parse_link_speed(text) == gt_per_s


@pytest.mark.parametrize(
    ("gt_per_s", "lanes", "bytes_per_s"), [(2.5, 1, 0.25e9), (5.0, 4, 2e9), (16.0, 4, 7.877e9)]
)
def test_that_the_line_code_is_taken_off(gt_per_s, lanes, bytes_per_s):
    assert link_bytes_per_s(gt_per_s, lanes) == pytest.approx(bytes_per_s, rel=1e-3)


def test_that_a_switch_makes_two_links():
    ends = [
        PciEnd("disk", 16.0, 4, 16.0, 4),
        PciEnd("switch's lower port", 16.0, 4, 16.0, 4),
        PciEnd("switch's upper port", 8.0, 8, 16.0, 16),
        PciEnd("root port", 8.0, 8, 8.0, 16),
    ]
    disk, switch = links_between(ends)
    assert (disk.address, disk.max_gt_per_s, disk.max_lanes) == ("disk", 16.0, 4)
    assert (switch.address, switch.lanes, switch.max_lanes) == ("switch's upper port", 8, 16)
    assert switch.max_gt_per_s == 8.0


def test_that_a_link_that_says_nothing_is_left_out():
    assert links_between([PciEnd("disk", None, None, None, None)]) == ()
    (alone,) = links_between([PciEnd("disk", 8.0, 4, 16.0, 4)])
    assert alone.max_gt_per_s == 16.0
