import subprocess
import sys

import pytest

from modelmon.core.load import progress

_WRITER = """
import sys
from modelmon.core.load import progress
from modelmon.core.load.threads import RequestTimes
mine = progress.attach(sys.argv[1], [3, 2])
mine.record(1, 0, RequestTimes(10, 20), 4096)
mine.record(1, 1, RequestTimes(20, 35, 7, 2), 100)
mine.finish(1)
mine.warmup_bytes = 7
"""


@pytest.mark.skipif(sys.platform == "win32", reason="hands down a descriptor")
def test_that_another_process_sees_what_a_loader_recorded():
    handed = progress.reserve()
    assert handed is not None
    mine, name = progress.create([3, 2], handed)
    command = [sys.executable, "-c", _WRITER, name]
    subprocess.run(command, pass_fds=[handed], check=True)
    assert mine.delivered_bytes == 4196
    assert mine.times(1, 0) == [10, 20, 0, 0, 20, 35, 7, 2]
    assert mine.times(1, 1) == [20, 35, 7, 2]
    assert mine.times(0, 0) == []
    assert mine.finished_readers == 1
    assert mine.warmup_bytes == 7
    mine.close()
