"""The states of the window in the order in which a person meets them."""

import os
import shlex
import shutil
import sys

from tests.cluster.small_cluster import SmallCluster
from tests.system.ssh_server import ssh_server

from modelmon.core.cluster.on_ray import missing
from modelmon.core.demo.stories import STORIES
from modelmon.core.load.config import PRESETS
from modelmon.core.model.sample import write_sample
from modelmon.core.programs.registry import free_port
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB
from modelmon.gui.best.best_dialog import FindBestDialog
from modelmon.gui.cluster.cluster_dialog import ClusterDialog
from modelmon.gui.open.server_dialog import ServerDialog
from modelmon.gui.session.session import LABELS
from modelmon.gui.shell.stories_dialog import StoriesDialog
from modelmon.gui.watch.watch_dialog import ProgramDialog, WatchDialog

_STORIES = tuple(STORIES)
FOR_DOCUMENTS = (
    *("empty", "running", "compared", "race", "watched", "server", "cluster"),
    *_STORIES,
)
TABS = ("block-times", "access-map", "page-cache", "goals", "runs")
_IN_RUNS = "overlaid"
_RACES = ("race-question", "racing", "race")
_TUNED = ("tune-question", "tuning", "tuned", "tuned-export")
_WATCHED = ("watch-question", "watching", "watched")
_MACHINE = "machine"
_RANGES = ("range-of-blocks", "range-in-map")
_PROGRAMS = ("program-question", "program-chosen", "program-running", "program-compared")
_CLUSTER = ("cluster-question", "cluster-loading", "cluster")
_THERE = ("server-question", "server", "server-export")
_REOPENED = ("stopped", "restored", "run-shown")
_SERVER = """
import mmap, sys, time
time.sleep(0.4)
with open(sys.argv[-1], "rb") as file:
    pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
for at in range(0, len(pages), mmap.PAGESIZE):
    pages[at]
time.sleep(0.6)
print("server is listening", flush=True)
time.sleep(600)
"""
"""Starts, maps the model, touches its pages in order, and is ready a while later."""
EVERYTHING = (
    *("empty", "opened", _MACHINE, "running", "compared"),
    *("range", *_RANGES, *TABS, _IN_RUNS, "export", "settings", "palette"),
    *_RACES,
    *_TUNED,
    *_WATCHED,
    *_PROGRAMS,
    *_REOPENED,
    *_CLUSTER,
    *_THERE,
    *_STORIES,
)
_WITHOUT_COMPARING = {
    *("empty", "opened", _MACHINE),
    *(*_RACES, *_TUNED, *_WATCHED, *_PROGRAMS, *_CLUSTER, *_THERE, *_STORIES),
}
_NODES, _CLUSTER_REPEATS = 4, 5
_MB = 10**6
_NODE_RATE, _SHARED_RATE = 24 * _MB, 60 * _MB
"""What the nodes' storage gives each of them, and all: less than their machine could take."""
_LISTENS = "output:server is listening"
_SAMPLES = 4
_PAIRS = 5
_BUDGET_S = "300"
_TUNE_BUDGET_S = "60"
_RUNS_BEFORE = 3


def journey(photographer, model):
    """Find models, open one, compare, look around, find the best way."""
    _first_minute(photographer, model)
    if set(photographer.wanted) - _WITHOUT_COMPARING:
        _compare(photographer)
        _look_around(photographer)
    if any(name in photographer.wanted for name in _REOPENED):
        _reopen(photographer, model)
    if any(name in photographer.wanted for name in _RACES):
        _find_best(photographer)
    if any(name in photographer.wanted for name in _TUNED):
        _tune(photographer)
    if any(name in photographer.wanted for name in (*_WATCHED, *_PROGRAMS)):
        program = _server(photographer, model)
        if any(name in photographer.wanted for name in _WATCHED):
            _watch(photographer, program)
        if any(name in photographer.wanted for name in _PROGRAMS):
            _compare_a_program(photographer, program)
    if any(name in photographer.wanted for name in _CLUSTER):
        _measure_cluster(photographer, model)
    if any(name in photographer.wanted for name in _THERE):
        there = model.with_name("there")
        there.mkdir()
        with ssh_server(there) as server:
            os.environ |= server.environment | {"SSH_ASKPASS_REQUIRE": "never"}
            _measure_there(photographer, server, model)
    _play_stories(photographer)
    photographer.window.close()


def _play_stories(photographer):
    window = photographer.window
    for name in filter(photographer.wanted.__contains__, _STORIES):
        window.commands.show_stories()
        dialog = window.findChildren(StoriesDialog)[-1]
        dialog.choice.button(name).click()
        dialog.play.click()
        photographer.wait(dialog.play.isEnabled)
        dialog.text.setFixedHeight(round(dialog.text.document().size().height()) + 2)
        photographer.take_alone(name, dialog.text)
        dialog.reject()


def _first_minute(photographer, model):
    window, first = photographer.window, photographer.first_minute
    first.begin()
    photographer.wait(lambda: bool(first.finding.searched) and not first.finding.looking)
    photographer.take("empty")
    window.open_controller.open(str(model))
    photographer.wait(lambda: window.session.inspection is not None)
    photographer.idle()
    photographer.take("opened")
    window.commands.does["probe"]()
    photographer.idle()
    if _MACHINE in photographer.wanted:
        photographer.take_dialog(_MACHINE, lambda: _details(photographer))


def _details(photographer):
    """With the rates of the decoders."""
    photographer.window.side.show_details()
    photographer.window.machine.measure_decoding()
    photographer.idle()


def _compare(photographer):
    session = photographer.window.session
    _begin_to_compare(photographer)
    photographer.take("running", lambda: _midway(session))
    photographer.wait(lambda: session.comparison is not None)
    photographer.idle()
    photographer.take("compared")


def _begin_to_compare(photographer):
    session = photographer.window.session
    photographer.window.commands.does["compare"]()
    photographer.wait(lambda: session.loading is not None or session.notice is not None)
    if session.notice is not None:
        # The disk is slow just now, and a part of the model is recommended.
        next(each for each in session.notice.choices if not each.primary).chosen()


def _midway(session):
    """Whether a run loads, and others are over."""
    record = session.loading_record
    seen = len(record.samples) if record is not None and not record.done else 0
    return len(session.runs) >= _RUNS_BEFORE and seen >= _SAMPLES


def _look_around(photographer):
    window = photographer.window
    work = window.workspace
    _select(window)
    photographer.take("range")
    for name, tab in zip(_RANGES, (work.blocks, work.access_map), strict=True):
        work.tabs.setCurrentWidget(tab)
        photographer.take(name)
    work.plots.time_range.clear()
    tabs = (work.blocks, work.access_map, work.page_cache, work.best, work.runs)
    for name, tab in zip(TABS, tabs, strict=True):
        work.tabs.setCurrentWidget(tab)
        photographer.take(name)
    photographer.wait(lambda: work.runs.table.runs.rowCount() > 0)
    work.runs.table.selectAll()
    work.runs.actions_by_id["overlay"].trigger()
    photographer.take(_IN_RUNS)
    work.overlays.clear_overlay.click()
    work.tabs.setCurrentWidget(work.waterfall)
    for name, ask in (
        ("export", window.commands.export),
        ("settings", window.commands.does["settings"]),
        ("palette", window.commands.palette),
    ):
        photographer.take_dialog(name, ask)


def _select(window):
    """A range in the middle of the longer load, and a block."""
    records = [window.session.record(label) for label in LABELS]
    end_s = max(record.t_ns / 1e9 for record in records if record is not None)
    window.workspace.plots.time_range.select(0.3 * end_s, 0.5 * end_s)
    window.page_cache_controller.selection.select("layers.12")


def _reopen(photographer, model):
    """Stop a second comparison, open the model again, give that up, and look at a recorded run."""
    window, session = photographer.window, photographer.window.session
    _begin_to_compare(photographer)
    # Without a pair that counts there would be nothing to go on with.
    photographer.wait(
        lambda: all(any(run.counts for run in session.results(arm)) for arm in LABELS)
    )
    window.commands.stop()
    photographer.idle()
    window.open_controller.open(str(model))
    photographer.wait(lambda: session.notice is not None)
    photographer.idle()
    photographer.take("stopped")
    session.notice.choices[1].chosen()
    window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    photographer.idle()
    photographer.take("restored")
    window.workspace.runs.table.setCurrentIndex(window.workspace.runs.table.runs.index(2, 0))
    window.runs_tab_controller.do("show")
    photographer.wait(lambda: session.notice is not None)
    photographer.take("run-shown")


def _find_best(photographer):
    window = photographer.window
    races = window.session.races
    window.commands.does["best"]()
    dialog = window.findChildren(FindBestDialog)[-1]
    dialog.budget.button(_BUDGET_S).click()
    photographer.wait(dialog.start.isEnabled)
    photographer.take("race-question")
    dialog.start.click()

    def midway():
        live = races.live
        return live is not None and len(live.runs) > len(live.arms)

    photographer.take("racing", midway)
    photographer.wait(lambda: window.session.verdict is not None)
    photographer.idle()
    photographer.take("race")


def _tune(photographer):
    """Race the settings of the first program that is here: safetensors, beside modelmon."""
    window = photographer.window
    races = window.session.races
    window.commands.does["best"]()
    dialog = window.findChildren(FindBestDialog)[-1]
    photographer.wait(lambda: dialog.program.count() > 1)
    dialog.budget.button(_TUNE_BUDGET_S).click()
    dialog.program.setCurrentIndex(1)
    dialog.program.activated.emit(1)
    photographer.wait(dialog.start.isEnabled)
    photographer.take("tune-question")
    dialog.start.click()
    live = races.live
    photographer.take("tuning", lambda: races.live is None or len(live.runs) > len(live.arms))
    photographer.wait(lambda: window.session.verdict is not None or not window.session.busy)
    photographer.idle()
    photographer.take("tuned")
    photographer.take_dialog("tuned-export", window.commands.export)


def _watch(photographer, program):
    window, session = photographer.window, photographer.window.session
    window.commands.does["watch"]()
    dialog = window.findChildren(WatchDialog)[-1]
    dialog.fields.fill_in(*program)
    photographer.wait(dialog.start.isEnabled)
    photographer.take("watch-question")
    dialog.start.click()

    def midway():
        record = session.loading_record
        return not session.busy or (record is not None and len(record.samples) >= _SAMPLES)

    photographer.take("watching", midway)
    photographer.idle()
    photographer.take("watched")


def _compare_a_program(photographer, program):
    session = photographer.window.session
    session.show_program(None)
    session.conclude(None)
    session.set_repeats(max(_PAIRS, photographer.looks))
    dialog = photographer.window.commands.ask_for_program("B")
    dialog.fields.fill_in(*program)
    photographer.wait(dialog.use.isEnabled)
    photographer.take("program-question")
    dialog.use.click()
    photographer.wait(lambda: not photographer.window.findChildren(ProgramDialog))
    photographer.take("program-chosen")
    photographer.window.commands.does["compare"]()
    photographer.wait(lambda: session.loading is not None or session.notice is not None)
    if session.notice is not None:
        session.notice.choices[0].chosen()
    photographer.take("program-running", lambda: session.loading == "B" and _midway(session))
    photographer.wait(lambda: session.comparison is not None)
    photographer.idle()
    photographer.take("program-compared")


def _measure_cluster(photographer, model):
    """Nodes of this machine, which read from a store whose limits are known."""
    why = missing() or mounts.why_not()
    if why:
        sys.stdout.write(f"No picture of a cluster: {why}\n")
        return
    window, clusters = photographer.window, photographer.window.session.clusters
    window.session.show_program(None)
    mount = model.with_name("models")
    mount.mkdir(exist_ok=True)
    small = write_sample(model.with_name("small.safetensors"), "safetensors", 64 * MIB, 4, 1)
    nodes = SmallCluster(_NODES)
    streams = PRESETS["direct"].config.readers
    try:
        with served(
            small,
            mount,
            Cost(
                first_byte_s=0.0, bytes_per_s=_SHARED_RATE, stream_bytes_per_s=_NODE_RATE / streams
            ),
        ) as store:
            window.settings.cluster_address = nodes.address
            window.commands.measure_cluster()
            dialog = window.findChildren(ClusterDialog)[-1]
            dialog.path.setText(str(store.path))
            for fields in dialog.ways.values():
                fields.strategy.setCurrentIndex(fields.strategy.findData("direct"))
            b = dialog.ways["B"]
            b.copies.setCurrentIndex(b.copies.findData("cluster"))
            dialog.repeats.setValue(_CLUSTER_REPEATS)
            photographer.take("cluster-question")
            dialog.start.click()

            def midway():
                live = clusters.live
                loading = live is not None and live.starts_done > 1 and live.loading is not None
                return loading or not window.session.busy

            photographer.take("cluster-loading", midway)
            photographer.idle()
            photographer.take("cluster")
    finally:
        nodes.shutdown()


def _measure_there(photographer, server, model):
    window, session = photographer.window, photographer.window.session
    folder = model.with_name("models")
    # The nodes of a cluster may have read from there.
    folder.mkdir(exist_ok=True)
    os.link(model, folder / model.name)
    session.conclude(None)
    session.set_repeats(_PAIRS)
    window.commands.open_on_server()
    dialog = window.findChildren(ServerDialog)[-1]
    dialog.address.setText(f"{server.url}{folder}")
    dialog.connect_button.click()
    photographer.wait(lambda: dialog.entries.topLevelItemCount() > 1)
    dialog.entries.setCurrentItem(dialog.entries.topLevelItem(1))
    photographer.take("server-question")
    dialog.open_button.click()
    photographer.wait(lambda: bool(session.inspection and session.inspection.server))
    photographer.idle()
    window.commands.does["compare"]()
    photographer.wait(lambda: session.loading is not None or session.notice is not None)
    if session.notice is not None:
        session.notice.choices[0].chosen()
    photographer.wait(lambda: session.comparison is not None)
    photographer.idle()
    photographer.take("server")
    photographer.take_dialog("server-export", window.commands.export)


def _server(photographer, model):
    """The command of a server that loads the open model, and the sign that it has: of llama.cpp's,
    for which another model is opened, or where that isn't on the PATH of one that stands for it.
    """
    if not shutil.which("llama-server"):
        server = model.with_name("llama-server")
        server.write_text(f"#!{sys.executable}{_SERVER}")
        server.chmod(0o755)
        return shlex.join((str(server), "--model", str(model))), _LISTENS
    taken = model.with_suffix(".gguf")
    write_sample(taken, "gguf", model.stat().st_size, layers=32, seed=0)
    window = photographer.window
    window.open_controller.open(str(taken))
    photographer.wait(
        lambda: (
            bool(inspection := window.session.inspection) and inspection.model.path == str(taken)
        )
    )
    photographer.idle()
    port = free_port()
    words = ("llama-server", "--model", str(taken), "--port", str(port))
    return shlex.join(words), f"http:{port}/health"
