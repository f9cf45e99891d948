"""Results that were saved as JSON, read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.cluster.result import CLUSTER_SCHEMA, ClusterResult
from modelmon.core.comparison.decision import paired_runs
from modelmon.core.comparison.result import RESULT_SCHEMA, Comparison
from modelmon.core.errors import ConfigError
from modelmon.core.find_best.result import RACE_SCHEMA, SearchResult
from modelmon.core.messages import Message, from_wire
from modelmon.core.terminal_safe import harmless

if TYPE_CHECKING:
    from pathlib import Path


class _Kind(msgspec.Struct):
    """What tells results of races and clusters from comparisons."""

    kind: str = ""


def is_result(path: Path) -> bool:
    """Whether a file has the parts of a result, even if they can't be used."""
    try:
        names = msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])
    except (OSError, msgspec.DecodeError, RecursionError):
        return False
    return not {"arm_a", "arms", "standings"}.isdisjoint(names)


def _content_of(path: Path, kind: str) -> bytes | None:
    """The bytes of a result of this kind; None for any other file, of which read_comparison says
    what is wrong.
    """
    try:
        content = path.read_bytes()
        found = msgspec.json.decode(content, type=_Kind).kind
    except (OSError, msgspec.DecodeError, RecursionError):
        return None
    return content if found == kind else None


def _check_schema(path: Path, schema: int, known: int, remedy: Message) -> None:
    if schema != known:
        raise ConfigError(
            Message(
                "{path} has schema {schema}; this version reads {result_schema}.",
                path=path,
                schema=schema,
                result_schema=known,
            ),
            remedy,
        )


def read_race(path: Path) -> SearchResult | None:
    """The race saved in `path`; None if it is something else or nothing."""
    content = _content_of(path, "race")
    if content is None:
        return None
    try:
        race = msgspec.json.decode(harmless(content), type=SearchResult, dec_hook=from_wire)
        _check_labels(race)
    except (msgspec.DecodeError, ConfigError, RecursionError) as error:
        raise ConfigError(
            Message("{path} isn't a saved Find best result: {reason}.", path=path, reason=error),
            Message("Run modelmon best again."),
        ) from error
    _check_schema(
        path, race.schema, RACE_SCHEMA, Message("Run modelmon best again with this version.")
    )
    return race


def _check_labels(race: SearchResult) -> None:
    """Raise ValidationError where the recommendation is of none that ran."""
    known = {"", *(standing.label for standing in race.standings)}
    if not {race.recommendation.label, race.recommendation.exported} <= known:
        raise msgspec.ValidationError("it recommends what did not run")


def read_cluster(path: Path) -> ClusterResult | None:
    """What was measured on a cluster and saved in `path`; None if it is something else or nothing.

    Many machines have had a say in it: what steers a terminal is left out.
    """
    content = _content_of(path, "cluster")
    if content is None:
        return None
    try:
        result = msgspec.json.decode(harmless(content), type=ClusterResult, dec_hook=from_wire)
        _check_cluster(result)
    except (msgspec.DecodeError, ConfigError, RecursionError) as error:
        raise ConfigError(
            Message("{path} isn't a saved cluster result: {reason}.", path=path, reason=error),
            Message("Save one with modelmon cluster --out."),
        ) from error
    _check_schema(
        path, result.schema, CLUSTER_SCHEMA, Message("Measure the cluster again with this version.")
    )
    return result


def _check_cluster(result: ClusterResult) -> None:
    """Raise ValidationError where its ways, starts and nodes don't hang together."""
    labels = [arm.way.label for arm in result.arms]
    if labels not in (["A"], ["A", "B"]):
        raise msgspec.ValidationError("its ways aren't A, or A and B")
    if not {run.label for run in result.runs} <= set(labels):
        raise msgspec.ValidationError("a run belongs to none of its strategies")
    for arm in result.arms:
        sizes = [point.nodes for point in arm.curve]
        if sizes != sorted(set(sizes)) or sizes[:1] == [0]:
            raise msgspec.ValidationError("its numbers of nodes don't ascend")


def read_comparison(path: Path, *, with_runs: bool = False) -> Comparison:
    """The comparison saved in `path`; raises ConfigError that says what is wrong, `with_runs` also
    where no verdict can rest on its runs: whoever shows these judges them again.
    """
    try:
        content = harmless(path.read_bytes())
        comparison = msgspec.json.decode(content, type=Comparison, dec_hook=from_wire)
        if with_runs:
            _check_pairs(comparison)
    except OSError as error:
        raise ConfigError(
            Message("Couldn't read {path}: {reason}.", path=path, reason=error.strerror)
        ) from error
    except (msgspec.DecodeError, ConfigError, RecursionError) as error:
        raise ConfigError(
            Message("{path} isn't a saved comparison: {reason}.", path=path, reason=error),
            Message("Save one with modelmon compare --out."),
        ) from error
    _check_schema(
        path, comparison.schema, RESULT_SCHEMA, Message("Compare again with this version.")
    )
    return comparison


def _check_pairs(comparison: Comparison) -> None:
    """Raise ValidationError where no verdict can rest on its runs."""
    arms = (comparison.runs_a, comparison.runs_b)
    timed = all(run.timed_ns for runs in arms for run in runs if run.counts)
    if not timed or not paired_runs(*arms):
        raise msgspec.ValidationError("no pair of its runs counts")
