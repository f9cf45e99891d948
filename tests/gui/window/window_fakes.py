"""Made-up models and runs that hang together, and windows that show them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog
from tests.endings import load_ended

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.doctor.inspection import Inspection
from modelmon.core.history.history import History
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import preset
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.storage import Storage
from modelmon.core.model.blocks import blocks_of
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.gui.session.arm_settings import ArmSettings, default_arms
from modelmon.gui.session.settings import Preferences
from modelmon.gui.shell.main_window import MainWindow
from modelmon.gui.shell.verdict_slot import VerdictSlot
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig

GB = 10**9
LAYER_BYTES = GB


def make_model(path="/data/llama", layers=2, tensors_per_layer=2):
    """A model of one shard: `layers` layers of 1 GB each."""
    each = LAYER_BYTES // tensors_per_layer
    names = [
        (f"layers.{layer}", f"model.layers.{layer}.{part}.{at}.weight")
        for layer in range(layers)
        for at, part in enumerate(["attn", *["mlp"] * (tensors_per_layer - 1)])
    ]
    tensors = tuple(
        Tensor(name, "BF16", (each // 2,), 0, at * each, each) for at, (_, name) in enumerate(names)
    )
    blocks = tuple(
        Block(
            f"layers.{layer}",
            tuple(range(layer * tensors_per_layer, (layer + 1) * tensors_per_layer)),
            each * tensors_per_layer,
        )
        for layer in range(layers)
    )
    size = each * len(tensors)
    shard = Shard(f"{path}/model.safetensors", size, 0)
    return Model("llama", path, "safetensors", (shard,), tensors, blocks, {}, is_folder=True)


def make_mixture(layers=12, experts=8):
    """Layers of experts in two shards, quantised, with norms that are not."""
    tensors = [Tensor("token_embd.weight", "Q6_K", (1000, 256), 0, 0, 210_000)]
    for layer in range(layers):
        shard = 2 * layer // layers
        tensors.append(Tensor(f"blk.{layer}.norm.weight", "F32", (256,), shard, 0, 1024))
        tensors += [
            Tensor(f"blk.{layer}.experts.{expert}.up.weight", "Q4_K", (256, 256), shard, 0, 36_864)
            for expert in range(experts)
        ]
    shards = tuple(Shard(f"/m/m-0000{at}-of-00002.gguf", 10**7, 0) for at in (1, 2))
    return Model("m", "/m", "gguf", shards, tuple(tensors), blocks_of(tensors), {})


def make_inspection(model=None, available_bytes=56 * GB):
    """The model on a disk of a machine with plenty of memory, unless said otherwise."""
    model = model or make_model()
    storage = Storage(model.path, "/data", "ext4", "/dev/nvme0n1p2", "local-disk", device="nvme0n1")
    memory = Memory(total_bytes=64 * GB, available_bytes=available_bytes)
    return Inspection(model, storage, memory, 0.0, "cachestat")


@dataclass(frozen=True)
class Load:
    """A made-up run; `until_s` stops it before its end, `failure` ends it badly."""

    config: LoadConfig = preset("mmap").config
    strategy: str = "mmap"
    cache: ev.Cache = "cold"
    wall_s: float = 2.0
    nbytes: int = 2 * GB
    cached_share: float | None = 0.0
    counts: bool = True
    until_s: float | None = None
    failure: ev.Failed | None = None

    def events(self):
        """The events that its worker writes."""
        job = ev.Job("/data/llama", self.config, self.strategy, self.cache)
        stream = [
            ev.Hello(ev.PROTOCOL, job, "0.1.0", 1_790_000_000.0, "Linux", 8),
            ev.Planned(
                *("llama", self.nbytes, self.nbytes, 2, self.config.readers),
                *(("/data/llama/model.safetensors",), (self.nbytes,)),
                *(("layers.0", "layers.1"), (self.nbytes // 2, self.nbytes // 2)),
                *("nvme0n1", "ext4"),
            ),
            ev.Ready(self.cached_share, "cachestat", 40_000_000),
            ev.Started(),
        ]
        end_s = self.wall_s if self.until_s is None else self.until_s
        for step in range(1, 5):
            t_ns = int(end_s * step / 4 * 1e9)
            delivered = int(self.nbytes * t_ns / (self.wall_s * 1e9))
            stream.append(
                ev.Sample(
                    *(t_ns, 1_000_000, delivered, delivered),
                    psi_io_share=0.6,
                    iowait_share=0.5,
                    waiting_share=0.6,
                    rss_anon_bytes=10**7,
                    rss_file_bytes=delivered,
                )
            )
        if self.failure is not None:
            stream.append(self.failure)
        elif self.until_s is None:
            stream.append(self._finished())
        return stream

    def record(self):
        """The record that its events give."""
        made = RunRecord()
        for event in self.events():
            made.feed(event)
        return made

    def _finished(self):
        cold = self.cached_share is not None and self.cached_share < 0.01
        return load_ended(
            int(self.wall_s * 1e9),
            self.nbytes,
            memory_kind=self.config.memory_kind,
            cache_state="cold" if cold else "mixed",
            counts=self.counts,
            samples=4,
            device_bytes=self.nbytes,
            io_wait_share=0.6,
            peak_rss_bytes=self.nbytes + 10**7,
        )


LOAD_A = Load()
LOAD_B = Load(config=preset("parallel").config, strategy="parallel", wall_s=1.0)


def make_comparison(load_a=LOAD_A, load_b=LOAD_B, pairs=5):
    """What comparing two made-up loads says."""
    arms = [Entrant(x, y.strategy, y.config) for x, y in (("A", load_a), ("B", load_b))]
    comparing = CompareSession(arms[0], arms[1], Conditions("/data/llama", "cold", max_pairs=pairs))
    while (following := comparing.next_job()) is not None:
        label, job = following
        comparing.add(replace(load_a if label == "A" else load_b, config=job.config).record())
    return comparing.comparison(make_inspection())


def built(settings):
    """A window that starts no process to look at what lies below a made-up model."""
    made = MainWindow.built(settings)
    made.machine._look_if_idle = lambda: None  # type: ignore[method-assign]
    return made


def opened(window):
    """Give the window a model, as if it had been opened."""
    window.session.set_inspection(make_inspection())


def as_new(window, inspection=None):
    """Bring back what a window is before anything was measured or chosen in it."""
    for dialog in window.findChildren(QDialog):
        dialog.reject()
    window.history._history = History()
    session, work = window.session, window.workspace
    if session.busy:
        session.end()
    window.preferences.use(replace(Preferences.usual(), mode=manager().mode))
    window.show_side_panel(True)
    window.settings._store.clear()
    session.arms, session.proposed = ArmSettings(), default_arms()
    session.settings_changed.emit()
    # None as where it starts; nothing closes a model.
    session.set_inspection(inspection)
    window.open_controller.recents_changed.emit()
    work.show_overlays(())
    work.explain_no_curves("")
    while work.take_back():
        pass
    work.plots.show_plots(())
    work.plots.show_arms("both")
    work.browse_history(browsing=False)
    playback = window.runs_tab_controller.playback
    playback.speed, playback._speed_chosen = 1.0, False
    show_every_run(work.runs)
    work.plots.throughput.set_limit(None)
    window.resize(1280, 800)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.processEvents()


def show_every_run(panel):
    """Take back how the list of runs was narrowed."""
    for box in (panel.filter.model, panel.filter.strategy, panel.filter.start):
        box.setCurrentIndex(0)
    panel.filter.search.clear()
    panel.filter.only_here.setChecked(True)
    panel.filter.starred.setChecked(False)


def ended(window):
    """Close and delete at once: each living widget makes the next test's style sheet slower."""
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def slot_of(session):
    """The slot as the window makes it; `done` has the commands that it was asked to do."""
    done = []
    names = ("stop", "export", "compare")
    does = {name: partial(done.append, name) for name in names}
    slot = VerdictSlot(session, SimpleNamespace(use=int, ask_for_program=int), does)
    slot.done = done
    return slot
