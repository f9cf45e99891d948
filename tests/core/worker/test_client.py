import errno
import sys
from types import SimpleNamespace

import msgspec
import pytest

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import LoadConfig
from modelmon.core.worker import loaders
from modelmon.core.worker.child_process import ChildProcess
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.record import ProtocolError


@pytest.mark.parametrize("kind", [ConfigError, ProtocolError, msgspec.DecodeError, RecursionError])
def test_that_an_error_of_whoever_watches_is_theirs(sample, kind):
    def fail(_event, _record):
        raise kind("theirs")

    with pytest.raises(kind, match="theirs"):
        run_job(Job(str(sample), LoadConfig()), fail)


@pytest.mark.parametrize("number", [errno.EPIPE, errno.EINVAL])
def test_that_a_process_that_is_gone_is_noticed_by_its_output_alone(number):
    """Windows has EINVAL for a pipe whose reader has gone (bpo-19612)."""

    def refuse(*_):
        raise OSError(number, "no")

    child = ChildProcess([sys.executable, "-S", "-c", ""])
    assert child.line(None) is None
    child._process.stdin.close()
    child._process.stdin = SimpleNamespace(write=refuse, flush=refuse, close=refuse)
    child.send(b"go\n")
    loaders._tell(child._process, b"go\n")
    assert child.end(60) == "ended with exit code 0"
