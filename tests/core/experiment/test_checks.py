"""What speaks against a run that its worker could not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from modelmon.core.experiment.checks import faster_than_probed, files_changed, with_warning
from modelmon.core.probe.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.worker.result import RunResult

    Make = Callable[..., RunResult]

PROBED = Limits(device_bytes_per_s=1e9)


def test_that_a_run_of_another_file_than_the_first_ones_does_not_count(loaded: Make) -> None:
    assert files_changed(loaded(files_mark="a"), "a") is None
    other = loaded(files_mark="b")
    marked = with_warning(other, files_changed(other, "a"))
    assert not marked.counts
    assert "changed during the experiment" in marked.why_not
    assert marked.warnings[-1].kind == "file-changed"


@pytest.mark.parametrize("state", ["cold", "cold-here"])
def test_that_a_cold_run_faster_than_the_probed_device_came_from_a_cache(
    loaded: Make, state: str
) -> None:
    run = loaded(cache_state=state, device_bytes=10**9)
    found = faster_than_probed(run, Limits(device_bytes_per_s=0.4e9))
    assert found is not None
    assert found.evidence == "2 GB/s, where the disk measurement found 400 MB/s at best"
    assert not with_warning(run, found).counts


def test_that_a_probe_of_a_busy_moment_discards_no_run(loaded: Make) -> None:
    run = loaded(device_bytes=10**9)
    found = faster_than_probed(run, PROBED)
    assert found is not None
    assert found.kind == "faster-than-probed"
    assert "doctor --probe" in found.remedy
    assert with_warning(run, found).counts


def test_that_speed_alone_is_no_crime(loaded: Make) -> None:
    run = loaded(device_bytes=10**9)
    assert faster_than_probed(run, Limits(device_bytes_per_s=1.6e9)) is None
    assert faster_than_probed(run, Limits()) is None
    assert faster_than_probed(loaded(cache_state="warm", device_bytes=0), PROBED) is None


def test_that_a_warning_that_only_informs_keeps_the_run(loaded: Make) -> None:
    run = loaded()
    assert with_warning(run, None) == run
