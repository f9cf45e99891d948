"""What a story plays on: a folder of its own, loads, and events for whoever shows it."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.runner import RunView, begin, run_experiment
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.errors import DoesNotFitError
from modelmon.core.explain.evidence import WAITS_FOR_STORAGE
from modelmon.core.explain.terms import terms_of
from modelmon.core.history.rows import Entrant
from modelmon.core.messages import Message, filled, joined
from modelmon.core.model.sample import write_sample
from modelmon.core.simulate.cost import Counts
from modelmon.core.simulate.store import served
from modelmon.core.units import percent_text
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import run_job
from modelmon.core.worker.result import failure_of, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from modelmon.core.comparison.result import Comparison
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.sample_layout import SampleFormat
    from modelmon.core.simulate.cost import Cost
    from modelmon.core.simulate.store import Store
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

    WhatOf = Callable[["Loaded"], Message]

Look = Literal["title", "text", "finding", "advice"]
LAYERS = 8
_FOLDER = "modelmon-demo-"
_SPENT = {
    "disk": Message("{share} disk"),
    "faults": Message("{share} page faults"),
    "decode": Message("{share} decoding"),
    "busy-processors": Message("{share} busy processors"),
    "page-cache": Message("{share} copying"),
    "memory": Message("{share} memory"),
    "other": Message("{share} other"),
}
_NAMED_SHARE = 0.05
"""Of a load's time; less isn't shown."""


class Said(msgspec.Struct, frozen=True, tag_field="type", tag="said"):
    """A sentence of a story: its title, an explanation, what was found, or what to do."""

    text: Message
    look: Look = "text"


class Ran(msgspec.Struct, frozen=True, tag_field="type", tag="ran"):
    """A load that ended: which, how long it took, what it did to the storage, and the shares of
    its time by what it was `spent` on.
    """

    label: Message
    duration_ns: int
    what: Message
    model_bytes: int
    counts: Counts
    spent: dict[str, float]


class Progressed(msgspec.Struct, frozen=True, tag_field="type", tag="progress"):
    """How far what is under way has come."""

    label: Message
    done_bytes: int
    total_bytes: int


Event = Said | Ran | Progressed


class Loaded(NamedTuple):
    """A load, what the storage did for it, and its blocks."""

    run: RunResult
    counts: Counts
    blocks: tuple[ev.BlockTiming, ...]

    @property
    def spent(self) -> dict[str, float]:
        """Shares of its time by what held it back, as every run is explained; the largest first."""
        shares = dict[str, float]()
        for kind, ns in terms_of(self.run):
            name = "disk" if kind in WAITS_FOR_STORAGE else kind if kind in _SPENT else "other"
            shares[name] = shares.get(name, 0.0) + ns / self.run.wall_ns
        return dict(sorted(shares.items(), key=lambda item: -item[1]))

    @property
    def spent_text(self) -> Message:
        """`91% disk, 9% decoding`."""
        return joined(
            (
                filled(_SPENT[name], share=percent_text(share))
                for name, share in self.spent.items()
                if share >= _NAMED_SHARE
            ),
            ", ",
        )


class Stage:
    """Where one story plays; `show` gets its events as they come."""

    def __init__(self, show: Callable[[Event], None], folder: Path) -> None:
        self.show = show
        self._folder = folder

    def say(self, *texts: Message, look: Look = "text") -> None:
        """Show sentences, a paragraph each."""
        for text in texts:
            self.show(Said(text, look))

    def conclude(
        self, found: Iterable[Message], why: Iterable[Message], to_do: Iterable[Message]
    ) -> None:
        """End a story: what was found, why that is so, and what to set."""
        self.say(*found, look="finding")
        self.say(*why)
        self.say(*to_do, look="advice")

    def sample(self, name: str, kind: SampleFormat, nbytes: int) -> Path:
        """A model, the same each time."""
        path = self._folder / name
        label = Message("Writing {name}", name=name)
        write_sample(
            path,
            kind,
            nbytes,
            LAYERS,
            seed=1,
            progress=lambda done, total: self.show(Progressed(label, done, total)),
        )
        return path

    @contextmanager
    def served(self, model: Path, cost: Cost) -> Iterator[Store]:
        """The model on storage of this cost."""
        with served(model, self._folder / cost.kind, cost) as store:
            yield store

    def load(
        self,
        store: Store,
        config: LoadConfig,
        label: Message,
        what: WhatOf,
        cache: ev.Cache = "cold",
    ) -> Loaded:
        """One load from this storage; `what` says what came of it."""
        view = _View(self, store, {"": label}, what)
        job = ev.Job(str(store.path), config, cache=cache, condition_memory=False)
        record = run_job(job, view.follow)
        if record.finished is None:
            raise failure_of(record)
        (found,) = view.by_label[""]
        return found

    def compare(
        self, store: Store, pairs: int, arms: dict[Message, LoadConfig], what: WhatOf
    ) -> tuple[Comparison, dict[str, list[Loaded]]]:
        """Pairs of cold loads and their verdict, as `modelmon compare` makes them; and those of A
        and of B.
        """
        first, second = (
            Entrant(label, str(name), config)
            for label, (name, config) in zip("AB", arms.items(), strict=True)
        )
        conditions = Conditions(
            str(store.path),
            "cold",
            max_pairs=pairs,
            condition_memory=False,
            allow_busy=True,
        )
        session = CompareSession(first, second, conditions)
        inspection = inspect_model(store.path)
        view = _View(self, store, dict(zip("AB", arms, strict=True)), what)
        found = run_experiment(
            begin(None, session, inspection), view, lambda: session.comparison(inspection)
        )
        return found, view.by_label


class _View(RunView):
    """Shows runs as they go, with what the storage counted meanwhile."""

    def __init__(self, stage: Stage, store: Store, names: dict[str, Message], what: WhatOf) -> None:
        self._stage, self._store, self._names, self._what = stage, store, names, what
        self._label = ""
        self.by_label: dict[str, list[Loaded]] = {label: [] for label in names}

    def begin(self, label: str, place: str) -> None:
        """A run of this strategy starts."""
        del place
        self._label = label

    def follow(self, event: ev.AnyEvent, record: RunRecord) -> None:
        """Show how far it is, and count from its start to its end."""
        name = self._names[self._label]
        if isinstance(event, ev.Ready):
            self._store.counts()
        elif isinstance(event, ev.Sample) and record.planned:
            total = record.planned.planned_bytes
            self._stage.show(Progressed(name, record.delivered_bytes, total))
        elif isinstance(event, ev.Finished):
            run, counts = summarise(record), self._store.counts()
            found = Loaded(run, counts, tuple(record.blocks))
            self.by_label[self._label].append(found)
            figures = (run.wall_ns, self._what(found), run.model_bytes, counts, found.spent)
            self._stage.show(Ran(name, *figures))


@contextmanager
def stage(show: Callable[[Event], None], nbytes: int) -> Iterator[Stage]:
    """A stage with room for so many bytes, which leaves nothing. Raises DoesNotFitError."""
    parent = Path(tempfile.gettempdir())
    _remove_left_over(parent)
    if shutil.disk_usage(parent).free < 2 * nbytes:
        raise DoesNotFitError(
            Message("{folder} is too full for the demo's model.", folder=parent),
            Message("Set TMPDIR to a folder with more room."),
        )
    folder = Path(tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-", dir=parent))
    try:
        yield Stage(show, folder)
    finally:
        shutil.rmtree(folder)


def _remove_left_over(parent: Path) -> None:
    """What demos that were killed have left, as far as it is this user's."""
    for folder in parent.glob(f"{_FOLDER}*"):
        pid = folder.name.removeprefix(_FOLDER).partition("-")[0]
        if (
            pid.isdigit()
            and not Path("/proc", pid).exists()
            and folder.stat().st_uid == os.getuid()
        ):
            shutil.rmtree(folder, ignore_errors=True)
