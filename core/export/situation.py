"""What a result says that the settings of others follow from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.cluster.summary import best_arm as best_arm_of_cluster
from modelmon.core.engines.model_files import ModelFiles, files_of
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.export.config_file import (
    NOT_MEASURED,
    best_arm,
    cluster_machine,
    equivalent_of,
    of_one_run,
    render,
    render_cluster,
    render_race,
    render_run,
    stored_instead,
    stored_of,
)
from modelmon.core.export.reading import reading_of
from modelmon.core.history.origin import machine_of
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.storage_stack import storage_stack_of
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.model.open import open_model
from modelmon.core.remote.address import parts_of
from modelmon.core.units import GIB, duration_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.core.cluster.result import ClusterArm, ClusterResult
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.experiment.race.result import Race
    from modelmon.core.experiment.result import Comparison
    from modelmon.core.experiment.schedule import Label
    from modelmon.core.export.reading import Reading
    from modelmon.core.history.rows import RunRow
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.storage_stack import MountLayer, StorageStack
    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult

_STARTS: dict[Cache, Message] = {
    "cold": Message("from a cold start"),
    "warm": Message("from a warm start"),
    "as-is": Message("with the cache as it was"),
}

NOT_IN_SIGHT = Message("Its storage isn't in sight here: export on the machine that has the model.")
UNOPENED = Message("Its files can't be opened here: export on the machine that has the model.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One strategy that was measured with one model on one machine.

    Where it is a command of somebody else, that is `program`. `why` is the verdict, `effect` what
    the strategy took here. `swapped`: some run swapped memory out or in.
    `own_file` is `modelmon.toml`, which stores `own_config`; else `own_obstacle` says why there is
    none. `own_effect` is said in place of `effect` where that is another than the strategy, and
    `own_measured` whether it was measured. `warm_ns` is what the fastest start took that found the
    model cached, where `median_ns` is of cold ones. `stack` is what the model lies on, None where
    it is not in sight. `server` is where `path` is, "" for this machine. `model` is what is there,
    None where that can't be opened.
    """

    path: str
    format: str
    nbytes: int
    strategy: str
    config: LoadConfig
    reading: Reading
    why: Message
    effect: Message
    median_ns: float
    platform: str
    ram_bytes: int
    warm_ns: float | None = None
    swapped: bool = False
    own_file: str = ""
    own_config: LoadConfig | None = None
    own_effect: Message = NOTHING
    own_measured: bool = True
    own_obstacle: Message = NOTHING
    stack: StorageStack | None = None
    program: str = ""
    server: str = ""
    model: Model | None = None

    @property
    def lowest(self) -> MountLayer | None:
        """The filesystem that holds the model; None where it is not in sight."""
        return self.stack.lowest if self.stack is not None else None

    @property
    def is_program(self) -> bool:
        """Whether it is a command, which says nothing of how others should read."""
        return self.reading.access == "unknown"

    @property
    def readers(self) -> int:
        """How many readers the strategy has; 1 where the library decides that."""
        return self.reading.readers or 1

    @property
    def files(self) -> ModelFiles:
        """The files that were opened."""
        if self.model is not None:
            return files_of(self.model, in_sight=not self.server)
        path = Path(self.path)
        is_file = path.suffix == f".{self.format}"
        if is_file and "-of-" not in path.stem:
            return ModelFiles(str(path.parent), (path.name,), frozenset({path.name}))
        return ModelFiles(str(path.parent) if is_file or path.suffix == ".json" else self.path)

    @property
    def files_at_once(self) -> int:
        """How many files that many readers would load at once, each a whole one: of those that are
        not in sight, as many as there are readers.
        """
        model = self.model
        files = len(model.shards if model is not None else self.files.names)
        return min(self.readers, files or self.readers)

    @property
    def folder(self) -> str:
        """The model's folder, as programs take it that load a folder."""
        return self.files.folder

    @property
    def file(self) -> str:
        """The model's first file, as programs take it that load one; where its files are not in
        sight, the path.
        """
        return next(iter(self.files.paths), self.path)


def told(headline: Message, *reasons: Message) -> Message:
    """A verdict in a running text: its headline has no full stop."""
    return Message("{headline}. {reasons}", headline=headline, reasons=joined(reasons))


def model_here(path: str, server: str = "") -> Model | None:
    """The model at a path of this machine; None where there is none that can be opened."""
    try:
        return None if server else open_model(Path(path))
    except ModelmonError:
        return None


def served_by(mount: MountLayer, program: str) -> bool:
    """Whether this FUSE program serves the mount."""
    return mount.fuse is not None and mount.fuse.program == program


def stack_here(path: str, filesystem: str, ram_bytes: int) -> StorageStack | None:
    """What the model lies on, where it is still there on such a filesystem, and this is a machine
    with so much RAM: the same path may be a server's.
    """
    same_size = round(read_memory().total_bytes / GIB) == round(ram_bytes / GIB)
    if not same_size or not Path(path).exists():
        return None
    stack = storage_stack_of(Path(path))
    return stack if stack.mounts and stack.mounts[0].filesystem == filesystem else None


def of_comparison(
    comparison: Comparison, label: Label | None = None, stack: StorageStack | None = None
) -> Situation:
    """One arm of a comparison; without `label` the winner, or the one that is exported.

    Raises ConfigError for a library of which it is not known how it reads.
    """
    verdict = comparison.verdict
    if label is None:
        label = verdict.winner if verdict.winner in ("A", "B") else best_arm(comparison)
    arm, other = comparison.arm(label), comparison.arm("B" if label == "A" else "A")
    why = told(verdict.sentence, verdict.reason)
    if verdict.winner in ("A", "B") and verdict.winner != label:
        why = Message(
            "The comparison doesn't recommend {arm}. {sentence}.",
            arm=label,
            sentence=verdict.sentence,
        )
    place = parts_of(comparison.path)
    stored, instead = comparison.exported_arm(label), equivalent_of(comparison, label)
    own_file, obstacle = _own_file(partial(render, comparison, label))
    return Situation(
        path=place.path,
        server=place.server,
        format=comparison.model.format,
        nbytes=comparison.model.nbytes,
        strategy=arm.strategy,
        config=arm.config,
        reading=reading_of(arm.config, comparison.cache),
        why=joined(filter(None, (why, comparison.measured_with))),
        effect=_effect(
            arm.strategy, arm.median_ns, comparison.cache, other.strategy, other.median_ns
        ),
        program=comparison.command(label),
        median_ns=arm.median_ns,
        platform=comparison.machine.platform,
        ram_bytes=comparison.machine.ram_bytes,
        swapped=_swapped((*comparison.runs_a, *comparison.runs_b)),
        own_file=own_file,
        own_effect=stored_instead(f"{arm.strategy}, with threads", instead.median_ns, arm.strategy)
        if instead is not None
        else NOTHING,
        own_config=stored.config if stored else None,
        own_obstacle=obstacle,
        stack=stack,
        model=model_here(place.path, place.server),
    )


def of_race(race: Race, stack: StorageStack | None = None) -> Situation:
    """What a race recommends, which may be more than modelmon.toml can store. Raises the same."""
    found, place = race.recommendation, parts_of(race.path)
    own_file, obstacle = _own_file(partial(render_race, race))
    best = race.standing(found.label)
    stored = race.standing(found.exported) if found.exported else None
    other = next((each for each in race.standings if each.label == found.runner_up), None)
    median_ns = best.median_ns or found.expected_ns
    warm = [each.other_expected_ns for each in race.standings if each.other_expected_ns is not None]
    return Situation(
        path=place.path,
        server=place.server,
        format=race.model.format,
        nbytes=race.model.nbytes,
        strategy=found.label,
        config=found.config,
        reading=reading_of(found.config, race.cache),
        program=race.command,
        why=told(found.sentence, *filter(None, (found.to_set, *found.reasons, race.measured_with))),
        effect=_effect(
            found.label,
            median_ns,
            race.cache,
            other.label if other else "",
            other.median_ns if other else None,
        ),
        median_ns=median_ns,
        warm_ns=min(warm, default=None) if race.cache == "cold" else None,
        platform=race.machine.platform,
        ram_bytes=race.machine.ram_bytes,
        swapped=_swapped(run.result for run in race.runs),
        own_file=own_file,
        own_effect=stored_instead(stored.label, stored.median_ns or 0, found.label)
        if stored is not None and stored is not best
        else NOTHING,
        own_config=stored.config if stored else None,
        own_obstacle=obstacle,
        stack=stack,
        model=model_here(place.path, place.server),
    )


def of_cluster(
    result: ClusterResult, label: Label | None = None, stack: StorageStack | None = None
) -> Situation:
    """One way of a cluster; without `label` the recommended one. Raises the same, and where no
    start of all nodes came to its end.
    """
    arm = best_arm_of_cluster(result)
    arm = next((each for each in result.arms if each.way.label == label and each.curve), arm)
    others = [each for each in result.arms if each is not arm and each.curve]
    last, machine = arm.curve[-1], cluster_machine(result)
    own_file, obstacle = _own_file(partial(render_cluster, result, arm))
    stored, measured = stored_of(arm.way)
    model = result.model
    return Situation(
        path=result.path,
        format=model.format if model is not None else Path(result.path).suffix.removeprefix("."),
        nbytes=model.nbytes if model is not None else 0,
        strategy=arm.way.strategy,
        config=arm.way.config,
        reading=reading_of(arm.way.config, result.cache),
        why=told(*result.recommendation) if result.verdict else joined(result.recommendation),
        effect=_cluster_effect(arm, others),
        median_ns=last.last_ns,
        platform=machine.platform,
        ram_bytes=machine.ram_bytes,
        swapped=_swapped(
            node.result for run in result.runs for node in run.nodes if node.result is not None
        ),
        own_file=own_file,
        own_effect=NOTHING if measured else NOT_MEASURED,
        own_measured=measured,
        own_config=stored if own_file else None,
        own_obstacle=obstacle,
        stack=stack,
        model=model_here(result.path),
    )


def _own_file(rendered: Callable[[], str]) -> tuple[str, Message]:
    """What modelmon.toml holds, or why there is none."""
    try:
        return rendered(), NOTHING
    except ConfigError as error:
        return "", error.text


def _cluster_effect(arm: ClusterArm, others: Sequence[ClusterArm]) -> Message:
    # A node that was lost may be in the starts of one way alone.
    both = [
        (point.nodes, point.last_ns, each.last_ns, other)
        for other in others
        for point in arm.curve
        for each in other.curve
        if point.nodes == each.nodes
    ]
    last = arm.curve[-1]
    nodes, last_ns, other_ns, other = max(
        both, key=lambda found: found[0], default=(last.nodes, last.last_ns, 0.0, None)
    )
    figures = {"strategy": arm.way.name, "nodes": nodes, "time": duration_text(last_ns)}
    if other is None:
        return Message(
            "With {strategy} the last of {nodes} nodes was ready after {time}.", **figures
        )
    return Message(
        "With {strategy} the last of {nodes} nodes was ready after {time}, with {other}"
        " after {other_time}.",
        **figures,
        other=other.way.name,
        other_time=duration_text(other_ns),
    )


def of_run(
    row: RunRow,
    result: RunResult,
    model_format: str,
    own_obstacle: Message,
    why: Message = NOTHING,
) -> Situation:
    """One run of the history without its model, and `why` it was chosen where others were compared
    with it. Raises the same.
    """
    place = parts_of(row.path)
    return Situation(
        path=place.path,
        server=place.server,
        format=model_format,
        nbytes=row.model_bytes,
        strategy=row.strategy,
        config=row.config,
        reading=reading_of(row.config, row.cache_asked),
        program=result.command,
        why=_why(result, why),
        effect=_effect(row.strategy, row.wall_ns, row.cache_asked),
        median_ns=row.wall_ns,
        platform=row.kernel,
        ram_bytes=row.ram_bytes,
        swapped=_swapped((result,)),
        own_obstacle=own_obstacle,
        stack=stack_here(row.path, row.filesystem, row.ram_bytes),
        model=model_here(place.path, place.server),
    )


def _why(run: RunResult, why: Message) -> Message:
    return joined(filter(None, (why or of_one_run(run), run.why_not)))


def of_result(
    run: RunResult,
    inspection: Inspection,
    why: Message = NOTHING,
    stack: StorageStack | None = None,
) -> Situation:
    """One run of what was inspected: how it loaded, or the command that did. Raises the same."""
    place = parts_of(inspection.reference)
    own_file, obstacle = _own_file(partial(render_run, run, inspection, why))
    return Situation(
        path=place.path,
        server=place.server,
        format=inspection.model.format,
        nbytes=run.model_bytes,
        strategy=run.strategy,
        config=run.config,
        reading=reading_of(run.config, run.cache_asked),
        program=run.command,
        why=_why(run, why),
        effect=_effect(run.strategy, run.wall_ns, run.cache_asked),
        median_ns=run.wall_ns,
        platform=machine_of(inspection).platform,
        ram_bytes=inspection.memory.total_bytes,
        swapped=_swapped((run,)),
        own_file=own_file,
        own_config=run.config if own_file else None,
        own_obstacle=obstacle,
        stack=stack,
        model=inspection.model,
    )


def _effect(
    strategy: str, ns: float, cache: Cache, other: str = "", other_ns: float | None = None
) -> Message:
    if other_ns is None:
        return Message(
            "With {strategy} it took {time} {start}.",
            strategy=strategy,
            time=duration_text(ns),
            start=_STARTS[cache],
        )
    return Message(
        "With {strategy} it took {time} {start}, with {other} {other_time}.",
        strategy=strategy,
        time=duration_text(ns),
        start=_STARTS[cache],
        other=other,
        other_time=duration_text(other_ns),
    )


def _swapped(runs: Iterable[RunResult]) -> bool:
    return any(
        run.memory is not None and (run.memory.swapped_in_bytes or run.memory.swapped_out_bytes)
        for run in runs
    )
