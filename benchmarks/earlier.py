"""What an earlier run of the benchmark saved, to go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from growth import Growth
from records import Arm, Run

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import verbatim

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = 2


class _Settings(msgspec.Struct, frozen=True, rename={"size_scale": "size scale"}):
    size_scale: float


class Earlier(msgspec.Struct, frozen=True):
    """The runs that were saved, with what they ran; empty where nothing is added to.

    `machine` is where it was measured, in words.
    """

    schema: int
    settings: _Settings
    machine: dict[str, str] = {}
    arms: list[Arm] = []
    runs: list[Run] = []
    growth: list[Growth] = []

    @property
    def arms_of_files(self) -> dict[tuple[str, str], Arm]:
        """Each arm by file and name, wherever it ran."""
        known = {arm.name: arm for arm in self.arms}
        return {(run.file, run.arm): known[run.arm] for run in self.runs}

    def rounds_of(self, file: str) -> int:
        """How many rounds of a file there are."""
        return 1 + max((run.round for run in self.runs if run.file == file), default=-1)


def read_earlier(path: Path | None, size_scale: float) -> Earlier:
    """Read what `--json` saved; raises ModelmonError for one that nothing can be added to."""
    if path is None:
        return Earlier(SCHEMA, _Settings(size_scale))
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Earlier)
    except (OSError, msgspec.DecodeError) as error:
        raise ModelmonError(verbatim(f"{path} is not what --json saved: {error}")) from error
    if found.schema != SCHEMA or found.settings.size_scale != size_scale:
        raise ModelmonError(
            verbatim(f"{path} was measured at size scale {found.settings.size_scale:g}."),
            verbatim("Add to it at the same scale."),
        )
    return found
