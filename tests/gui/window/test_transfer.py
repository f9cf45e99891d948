from __future__ import annotations

from modelmon.gui.opening.transfer import Transfer


def test_that_rate_and_rest_follow_what_was_done() -> None:
    now_s = 10.0
    transfer = Transfer(400_000_000, lambda: now_s)
    transfer.reached(1)
    assert transfer.time_left == ""
    now_s = 12.0
    transfer.reached(100_000_000)
    assert transfer.share == 0.25
    assert transfer.detail == "100 of 400 MB at 50 MB/s"
    assert transfer.time_left == "About 6 s left"


def test_that_more_than_all_is_all() -> None:
    transfer = Transfer(10, lambda: 0.0)
    transfer.reached(11)
    assert transfer.share == 1.0
