"""`--verify` hashes what was delivered when no loader reads any more."""

import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.extents import total_bytes
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.planner import plan_load
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.procfs import parse_pid_stat
from modelmon.core.model.open import open_model
from modelmon.core.units import GIB, MIB
from modelmon.core.worker.events import Job
from modelmon.core.worker.loaders import Loaders
from modelmon.core.worker.streams import Inbox
from modelmon.core.worker.supervisor import verify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.mark.parametrize("deliver", ["usable", "owned", "streamed"])
@pytest.mark.parametrize("free_bytes", [MIB, 64 * GIB], ids=["short of memory", "with memory"])
def test_that_no_loader_hashes_while_another_still_reads_where_memory_allows(
    sample, monkeypatch, deliver, free_bytes
):
    monkeypatch.setattr(
        "modelmon.core.worker.loaders.read_memory", lambda: Memory(64 * GIB, free_bytes)
    )
    model = open_model(sample)
    config = LoadConfig(access="read", readers=2, reader_kind="process", deliver=deliver)
    plan = plan_load(model, config)
    files = OpenFiles([str(sample)], [model.shards[0].size_bytes], {0})
    loaders = Loaders(plan, Job(str(sample), config, verify=True), files)
    quick, slow = loaders.pids
    inbox = Inbox()
    try:
        loaders.listen(inbox)
        loaders.wait_ready(inbox)
        os.kill(slow, signal.SIGSTOP)
        before_bytes = psutil.Process(quick).memory_info().rss
        loaders.go()
        first = inbox.get(None)
        while not sleeps(quick):
            pass
        held_bytes = psutil.Process(quick).memory_info().rss - before_bytes
        keeps = held_bytes > total_bytes(plan.readers[0]) // 2
        assert keeps == (deliver != "streamed" or free_bytes > GIB)
        os.kill(slow, signal.SIGCONT)
        second = inbox.get(None)
        assert {first.sender, second.sender} == {0, 1}
        loaders.take(first)
        loaders.take(second)
        sums = loaders.checksums(inbox)
        _, matches = verify(plan, files, sums, lambda _: None)
        assert matches
    finally:
        loaders.close()
        files.close()


def sleeps(pid):
    """Whether all threads of a process wait for something."""
    texts = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/stat")]
    return {stat.state for stat in map(parse_pid_stat, texts) if stat is not None} == {"S"}
