"""The main states of the window, made of recordings that nobody had to measure."""

from dataclasses import replace

import msgspec
from window_fakes import GB, Load, make_comparison, make_inspection, make_model

from modelmon.core.find_best.plan import SearchConditions, coarse_candidates
from modelmon.core.find_best.session import SearchSession
from modelmon.core.messages import Message
from modelmon.core.model.found_models import FoundModel, SearchedPlace
from modelmon.core.probe.probe import Limits
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise
from modelmon.gui.best.best_words import search_progress
from modelmon.gui.compare.arm_runs import RunQueueView, run_progress
from modelmon.gui.plots.traces import OverlaidRun
from modelmon.gui.session.notices import Activity, Choice, Notice, Square
from modelmon.gui.session.run_progress import run_view
from modelmon.gui.session.session import LABELS
from modelmon.gui.session.watched_run import WatchedRun, program_of

LAYERS = 32
_COMMAND = "llama-server -m /data/llama/model.safetensors -c 8192 --port 8080"
_NO_TRACE = Message("the kernel's tracing needs root")
_WALL_S = {"mmap": 8.0, "parallel": 5.2, "direct": 4.9}
_USUAL_WALL_S = 6.5
_SCATTER = (1.0, 1.15, 0.86, 1.1, 0.9, 1.18, 0.84)
"""Of runs one after the other: several strategies stay in question."""


class States:
    """Brings a window from one state to the next; `recordings` makes up its runs."""

    def __init__(self, window, recordings):
        self.window = window
        self._session = window.session
        self._recordings = recordings

    def nothing_open(self):
        models = [
            FoundModel("Llama-3.3-70B-Instruct", "llama.cpp", "/m/a.gguf", 42 * GB, "gguf", 82),
            FoundModel("broken", "Hugging Face", "/m/b", 3 * GB, problem="It is truncated."),
        ]
        searched = [SearchedPlace("llama.cpp", "/m", "read", 2)]
        self.window.workspace.empty.found.show_found(
            models, searched, usable_bytes=56 * GB, looking=False
        )

    def opened(self):
        self._session.set_inspection(make_inspection(make_model(layers=LAYERS)))

    def running(self):
        """A has run, B is loading."""
        self.opened()
        session, made = self._session, self._recordings
        a, b = made.record(made.SLOW), made.record(self._half_way())
        session.show_record("A", a)
        session.show_record("B", b)
        session.set_results("A", (summarise(a),))
        squares = tuple(
            Square(label, "done" if at < 3 else "to-do") for at in range(11) for label in LABELS
        )
        queue = RunQueueView("pair 2 of at most 11", "Up to 1 min 20 s left", "", squares)
        session.begin(Activity.COMPARING, lambda: run_progress(b, "B", queue))
        session.loading, session.loading_record = "B", b

    def compared(self):
        self.opened()
        session, made = self._session, self._recordings
        for label, fake in (("A", made.SLOW), ("B", made.FAST)):
            record = made.record(fake)
            session.add_run("A" if label == "A" else "B", record, None, summarise(record))
            session.show_record("A" if label == "A" else "B", record)
            session.set_results("A" if label == "A" else "B", (summarise(record),))
        session.conclude(make_comparison())

    def overlaid(self):
        """A third run is laid over both."""
        self.compared()
        record = self._recordings.record(self._recordings.SLOW)
        third = OverlaidRun("run 12, mmap of Meta-Llama-3-8B", record, 0)
        self.window.workspace.show_overlays((third,))

    def replayed(self):
        """Both are half way through their replay."""
        self.compared()
        self.window.actions_by_id["replay"].trigger()
        playback = self.window.runs_tab_controller.playback
        playback.pause()
        playback.seek(playback.end_s / 2)

    def failed(self):
        self.opened()
        self._session.say(
            Notice(
                "The file changed while it was loading.",
                "/data/llama/model.safetensors has another size than before.",
                "Wait until it is written, then open it again.",
                tone="bad",
            )
        )

    def stopped(self):
        """The model was opened again after a comparison was stopped."""
        self.compared()
        self._session.say(
            Notice(
                "Comparison stopped after 10 of up to 11 pairs, begun yesterday, 19:46.",
                "It compares mmap (A) with parallel (B).",
                "Saved as x12. Discard keeps its runs in the history.",
                choices=(Choice("Resume", lambda: None, primary=True), Choice("Discard", int)),
            )
        )

    def watching(self):
        """Somebody else's program is half way through the model."""
        self.opened()
        record = self._of_a_program(self._half_way())
        self._session.begin(Activity.WATCHING, lambda: run_view(record, "llama-server"))
        self._session.show_program(self._watched(record))

    def watched(self):
        """It was ready, on a server, and its reads couldn't be traced."""
        self.opened()
        record = self._of_a_program(self._recordings.SLOW)
        limits = Limits(device_bytes_per_s=2 * GB, memory_bytes_per_s=10 * GB)
        self.window.workspace.plots.throughput.set_limit(2 * GB, "Disk limit 2.00 GB/s")
        self._session.show_program(
            replace(
                self._watched(record),
                result=summarise(record),
                limits=limits,
                server="ssh://gpu-server",
                version="llama.cpp b10388",
            )
        )

    def _watched(self, record):
        program = program_of(record)
        assert program is not None
        return WatchedRun(program, record)

    def _of_a_program(self, fake):
        change, record = msgspec.structs.replace, RunRecord()
        for event in self._recordings.events(fake):
            if isinstance(event, ev.Hello):
                program = ev.WatchedProgram(_COMMAND, "http:8080/health")
                job = change(event.job, program=program, strategy="llama-server -m MODEL")
                told = change(event, job=job)
            elif isinstance(event, ev.Started):
                told = change(event, pid=41872)
            elif isinstance(event, ev.Finished):
                times = {"first_byte_ns": 10**9, "last_byte_ns": event.wall_ns - 10**9}
                told = change(event, seen_by="residency", why_no_trace=_NO_TRACE, **times)
            else:
                told = event
            record.feed(told)
        return record

    def racing(self):
        race = self._race(rounds=1)
        label, _ = race.next_job() or ("", None)
        record = self._recordings.record(self._half_way())
        self._session.races.begin(race)
        self._session.begin(Activity.RACING, lambda: search_progress(race, label, record))
        self._session.races.run(label)
        self.window.workspace.show_ranking()

    def raced(self):
        race = self._race(rounds=3)
        inspection = self._session.inspection
        assert inspection is not None
        self._session.conclude(race.race(inspection))
        self.window.workspace.show_ranking()

    def _half_way(self):
        fast = self._recordings.FAST
        return self._recordings.Fake(
            fast.model_bytes, fast.rate_bytes_per_s, readers=4, until_s=fast.wall_s / 2
        )

    def _race(self, rounds):
        """A race of all ways to load after so many rounds."""
        self.opened()
        model = make_model(layers=LAYERS)
        arms, _ = coarse_candidates(model, "usable", (), lambda _: "")
        conditions = SearchConditions(model.path, "cold", 600 * GB, GB)
        race = SearchSession(arms, conditions, lambda _: "")
        for number in range(rounds * len(arms)):
            step = race.next_job()
            if step is None:
                break
            job = step[1]
            cached_share = 1.0 if job.cache == "warm" else 0.0
            wall_s = _WALL_S.get(job.strategy, _USUAL_WALL_S) * _SCATTER[number % len(_SCATTER)]
            load = Load(job.config, job.strategy, job.cache, wall_s, cached_share=cached_share)
            race.add(load.record())
        return race


TOGETHER = (
    ("opened", "compared", "raced", "running"),
    ("nothing_open", "failed", "stopped", "replayed", "overlaid"),
    ("watching", "watched", "racing"),
)
"""All of them, those that one window may go through."""
