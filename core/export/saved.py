"""Results that were saved as JSON, read again: of Compare, of Find best and of a cluster."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from modelmon.core.cluster.result import CLUSTER_SCHEMA, ClusterResult
from modelmon.core.comparison.decision import paired_runs
from modelmon.core.comparison.result import RESULT_SCHEMA, Comparison
from modelmon.core.errors import ConfigError
from modelmon.core.find_best.result import RACE_SCHEMA, SearchResult
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.messages import Message, from_wire
from modelmon.core.terminal_safe import harmless
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from pathlib import Path

Saved: TypeAlias = Comparison | SearchResult | ClusterResult


_BY_KIND: dict[str, tuple[type[Saved], int]] = {
    "": (Comparison, RESULT_SCHEMA),
    "race": (SearchResult, RACE_SCHEMA),
    "cluster": (ClusterResult, CLUSTER_SCHEMA),
}
"""Types and schemas by what a file says that it is; comparisons say nothing."""
_MOST_BYTES = 128 * MIB
_REMEDY = Message("Save one with --out of modelmon compare, best or cluster.")


class _Named(msgspec.Struct):
    kind: str = ""


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return content


def is_result(path: Path) -> bool:
    """Whether a file has the parts of a result, even if they can't be used."""
    try:
        names = msgspec.json.decode(_content(path), type=dict[str, msgspec.Raw])
    except (OSError, *UNDECODABLE):
        return False
    return not {"arm_a", "arms", "standings"}.isdisjoint(names)


def read_result(path: Path) -> Saved:
    """The result saved in `path`; raises ConfigError that says what is wrong.

    Others may have had a say in it: what steers a terminal is left out.
    """
    try:
        content = _content(path)
        kind = msgspec.json.decode(content, type=_Named).kind
        as_type, schema = _BY_KIND.get(kind, _BY_KIND[""])
        found = msgspec.json.decode(harmless(content), type=as_type, dec_hook=from_wire)
        _check(found)
    except OSError as error:
        raise ConfigError(
            Message("Couldn't read {path}: {reason}.", path=path, reason=error.strerror)
        ) from error
    except (*UNDECODABLE, ConfigError) as error:
        raise ConfigError(
            Message("{path} isn't a saved result: {reason}.", path=path, reason=error), _REMEDY
        ) from error
    if found.schema != schema:
        raise ConfigError(
            Message(
                "{path} has schema {schema}; this version reads {result_schema}.",
                path=path,
                schema=found.schema,
                result_schema=schema,
            ),
            Message("Measure again with this version."),
        )
    return found


def _check(found: Saved) -> None:
    """Raise ValidationError where the parts of a result don't hang together."""
    if isinstance(found, SearchResult):
        known = {"", *(standing.label for standing in found.standings)}
        if not {found.recommendation.label, found.recommendation.exported} <= known:
            raise msgspec.ValidationError("it recommends what did not run")
    elif isinstance(found, ClusterResult):
        labels = [arm.way.label for arm in found.arms]
        if labels not in (["A"], ["A", "B"]):
            raise msgspec.ValidationError("its ways aren't A, or A and B")
        if not {run.label for run in found.runs} <= set(labels):
            raise msgspec.ValidationError("a run belongs to none of its strategies")
        for arm in found.arms:
            sizes = [point.nodes for point in arm.curve]
            if sizes != sorted(set(sizes)) or sizes[:1] == [0]:
                raise msgspec.ValidationError("its numbers of nodes don't ascend")


def check_pairs(comparison: Comparison) -> None:
    """Raise ConfigError where no verdict can rest on a comparison's runs, which is judged anew."""
    arms = (comparison.runs_a, comparison.runs_b)
    timed = all(run.timed_ns for runs in arms for run in runs if run.counts)
    if not timed or not paired_runs(*arms):
        raise ConfigError(Message("No pair of its runs counts."), _REMEDY)
