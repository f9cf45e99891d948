from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import LoadConfig
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.record import ProtocolError

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord


@pytest.mark.parametrize("kind", [ConfigError, ProtocolError, msgspec.DecodeError, RecursionError])
def test_that_an_error_of_whoever_watches_is_theirs(sample: Path, kind: type[Exception]) -> None:
    def fail(_event: AnyEvent, _record: RunRecord) -> None:
        raise kind("theirs")

    with pytest.raises(kind, match="theirs"):
        run_job(Job(str(sample), LoadConfig()), fail)
