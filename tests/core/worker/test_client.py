import msgspec
import pytest

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import LoadConfig
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.record import ProtocolError


@pytest.mark.parametrize("kind", [ConfigError, ProtocolError, msgspec.DecodeError, RecursionError])
def test_that_an_error_of_whoever_watches_is_theirs(sample, kind):
    def fail(_event, _record):
        raise kind("theirs")

    with pytest.raises(kind, match="theirs"):
        run_job(Job(str(sample), LoadConfig()), fail)
