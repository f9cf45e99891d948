"""What speaks against a run that its worker could not know, and what several runs warned of."""

import msgspec
import pytest
from tests.core.conftest import LOADED

from modelmon.core.comparison.run_validity import (
    Checks,
    faster_than_probed,
    files_changed,
    reading_unseen,
    spoiled,
    warnings_of,
    with_warning,
)
from modelmon.core.probe.probe import Limits
from modelmon.core.worker.run_warnings import warned

OTHERS = warned("other-reader", "Somebody else read.", "33.6 MB during the load")
FEW = warned("few-samples", "The load ended after 1 sample.")


PROBED = Limits(device_bytes_per_s=1e9)


def test_that_a_run_of_another_file_than_the_first_ones_does_not_count(loaded):
    assert files_changed(loaded(files_mark="a"), "a") is None
    other = loaded(files_mark="b")
    marked = with_warning(other, files_changed(other, "a"))
    assert not marked.counts
    assert "changed during the experiment" in marked.why_not
    assert marked.warnings[-1].kind == "file-changed"


@pytest.mark.parametrize("state", ["cold", "cold-here"])
def test_that_a_cold_run_faster_than_the_probed_device_came_from_a_cache(loaded, state):
    run = loaded(cache_state=state, device_bytes=10**9)
    found = faster_than_probed(run, Limits(device_bytes_per_s=0.4e9))
    assert found.evidence == "2 GB/s, where the disk measurement found 400 MB/s at best"
    assert not with_warning(run, found).counts


# A slow way to load stays within what was measured, whatever the storage gives; `s` and `f` are
# runs of it and of a fast one, in capitals where they outrun the measurement.
@pytest.mark.parametrize(
    ("runs", "refused"),
    [
        ("F", [True]),
        ("FF", [True, False]),
        ("FSFS", [True, False, False, False]),
        ("sFFsF", [None, True, True, None, False]),
        # What was from the storage once, and is faster now, is cached below.
        ("fFF", [None, True, True]),
        ("sFSFF", [None, True, True, True, True]),
    ],
)
def test_that_runs_that_agree_outweigh_the_probe(loaded, runs, refused):
    checks, found = Checks(PROBED), []
    for letter in runs:
        strategy = "auto" if letter.lower() == "f" else "mmap"
        fetched = 10 * 10**9 if letter.isupper() else 10**8
        run = checks.checked("A", loaded(strategy, device_bytes=fetched, wall_ns=10**9))
        checks.take(run)
        found.append(not run.counts if run.warnings else None)
    assert found == refused


def test_that_a_probe_of_a_busy_moment_discards_no_run(loaded):
    run = loaded(device_bytes=10**9)
    found = faster_than_probed(run, PROBED)
    assert found.kind == "faster-than-probed"
    assert "doctor MODEL --probe" in found.remedy
    assert with_warning(run, found).counts


def test_that_speed_alone_is_no_crime(loaded):
    run = loaded(device_bytes=10**9)
    assert faster_than_probed(run, Limits(device_bytes_per_s=1.6e9)) is None
    assert faster_than_probed(run, Limits()) is None
    assert faster_than_probed(loaded(cache_state="warm", device_bytes=0), PROBED) is None


@pytest.mark.parametrize(
    ("first_ns", "last_ns", "is_seen"),
    [
        (2, 9, True),
        (None, None, False),
        # It was ready before a look saw its first byte: nothing is left to be compared.
        (9, 8, False),
        (9, 9, False),
    ],
)
def test_that_only_a_reading_that_was_seen_is_compared(loaded, first_ns, last_ns, *, is_seen):
    run = loaded(ready="exit", timed="reading", first_byte_ns=first_ns, last_byte_ns=last_ns)
    assert (reading_unseen(run) is None) == is_seen


def test_that_a_warning_that_only_informs_keeps_the_run(loaded):
    run = loaded()
    assert with_warning(run, None) == run


def test_that_each_kind_is_told_once_with_how_many_runs_had_it():
    loud = msgspec.structs.replace(LOADED, warnings=(OTHERS, OTHERS, FEW))
    discarded = msgspec.structs.replace(loud, counts=False)
    (told,) = warnings_of([LOADED, loud, loud, discarded])
    assert told.text == ("Somebody else read. (33.6 MB during the load) Seen in 2 of 3 runs.")
    assert told.warning.remedy
    assert spoiled([LOADED, loud, loud, discarded]) == 2
    assert warnings_of([LOADED]) == ()
