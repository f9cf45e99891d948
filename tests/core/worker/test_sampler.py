"""The part of a program's time that the figures are of."""

import sys
import time

import pytest

from modelmon.core.machine.storage import storage_of
from modelmon.core.units import MIB
from modelmon.core.worker.figures import LoaderTotals
from modelmon.core.worker.sampler import Sampler

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_that_what_was_read_before_it_was_told_belongs_to_the_reading(sample):
    sampler = Sampler(storage_of(sample))

    def look(moment, device_bytes):
        totals = LoaderTotals(device_bytes=device_bytes)
        sampler.sample(0, 0, totals)
        sampler.mark(moment, totals)
        return time.monotonic_ns()

    look("before", 3 * MIB)  # its libraries
    begun_ns = look("before", 5 * MIB)
    look("before", 13 * MIB)  # read already, and not told yet
    look("reading", 69 * MIB)
    look("", 70 * MIB)
    assert sampler.part(begun_ns)[0].device_bytes == 65 * MIB
    assert sampler.part()[0].device_bytes == 57 * MIB
    sampler.close()
