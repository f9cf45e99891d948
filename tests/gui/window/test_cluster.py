"""Many nodes in the window: asked for, followed, stopped, shown, opened, exported."""

import sys

import msgspec
import numpy as np
import pytest
from cluster_fakes import PATH, lines, result_of, told
from legibility import findings
from tests.core.cluster.starts import way

from modelmon.core.cluster.drive import Begun, Standing
from modelmon.core.cluster.scaling import Between
from modelmon.core.cluster.summary import cluster_result, keep
from modelmon.core.export.result_items import result_items
from modelmon.core.history.history import History
from modelmon.core.messages import Message, to_text
from modelmon.core.worker.events import WatchedProgram
from modelmon.core.worker.record import RunRecord
from modelmon.gui.background.commands import Command
from modelmon.gui.cluster import cluster_words
from modelmon.gui.cluster.cluster_controller import ClusterController
from modelmon.gui.cluster.cluster_dialog import ClusterDialog
from modelmon.gui.cluster.cluster_tab import ClusterTab
from modelmon.gui.export.sources import ExportSource
from modelmon.gui.session.actions import reasons_against
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.session.watched_run import WatchedRun
from modelmon.gui.widgets.tables import TextTable

WANTED = ["cluster", PATH, "--address", "auto", "--compare", "direct,direct/cluster"]


def driving(script, text, asked):
    def make(arguments):
        asked.append(arguments)
        return Command(arguments, script(text), keeps_input=True)

    return make


def telling(said, then=""):
    return f"import sys\nfor line in {said!r}:\n    print(line, flush=True)\n{then}"


@pytest.fixture(autouse=True)
def with_ray(monkeypatch):
    for module in ("session.actions", "shell.toolbar", "cluster.cluster_tab"):
        monkeypatch.setattr(f"modelmon.gui.{module}.missing", lambda: Message(""))


@pytest.fixture
def tab(qtbot, session):
    made = ClusterTab(session)
    qtbot.addWidget(made)
    return made


def test_that_a_cluster_is_measured_and_shown(session, script, qtbot):
    asked = []
    events = told()
    controller = ClusterController(session, driving(script, telling(lines(events)), asked))
    session.show_program(WatchedRun(WatchedProgram("server"), RunRecord(), None))
    controller.start(WANTED)
    assert session.activity is Activity.CLUSTERING
    assert "Connecting" in session.progress().headline
    assert cluster_words.place_text(session.clusters) == ""
    qtbot.waitUntil(lambda: not session.busy)
    assert cluster_words.place_text(session.clusters) == "8 nodes · cluster"
    # It takes the place of a program that was shown before.
    assert session.shown == session.verdict == result_of(events)
    assert asked == [[*WANTED, "--json", "--live"]]
    # A later run takes the slot and leaves the tab.
    session.begin(Activity.RUNNING, lambda: ProgressView(""))
    assert session.verdict is None
    assert session.clusters.known


def test_that_what_fails_is_said_and_what_was_measured_until_a_stop_is_shown(
    session, script, qtbot
):
    error = '{"error": {"message": "No cluster there.", "remedy": "Start one."}}'
    controller = ClusterController(session, driving(script, telling([error], "sys.exit(2)"), []))
    controller.start(WANTED)
    qtbot.waitUntil(lambda: not session.busy)
    assert (session.notice.headline, session.notice.reason) == ("No cluster there.", "Start one.")
    assert not session.clusters.known
    first, *others = lines(told())
    text = telling([first], f"sys.stdin.read()\nprint({others[-1]!r}, flush=True)")
    controller = ClusterController(session, driving(script, text, []))

    def begun():
        return session.clusters.live is not None and session.clusters.live.begun is not None

    controller.start(WANTED)
    qtbot.waitUntil(begun)
    controller.stop()
    assert session.activity is Activity.STOPPING
    qtbot.waitUntil(lambda: not session.busy)
    assert session.verdict is not None
    # Nothing is left of a driver when the window closes.
    controller.start(WANTED)
    qtbot.waitUntil(begun)
    controller.shut_down()
    assert not any(each._process.runs for each in controller.findChildren(Command))


def test_that_without_ray_the_reason_is_given_and_what_follows_can_be_written(session, monkeypatch):
    why = Message("Clusters need Ray, which isn't installed.")
    monkeypatch.setattr("modelmon.gui.session.actions.missing", lambda: why)
    assert "pip install 'ray[client]'" in reasons_against(session)["cluster"]
    source = ExportSource(result_of(told()))
    assert [value for value, _ in source.options] == ["A", "B"]
    own, whole, *others = source.entries("B")
    assert 'strategy = "direct"' in own.forms[0].text
    assert "the same for one process" in own.forms[0].text
    assert whole.forms[0].file_name == "cluster.json"
    assert others


def text_of(table):
    return [
        [str(table.data(table.index(row, column))) for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]


def test_that_the_window_shows_curve_nodes_and_stragglers(window, qtbot):
    window.session.conclude(result_of(told()))
    work = window.workspace
    work.show_cluster()
    assert work.cluster.isVisible()
    assert not work.cards["A"].isVisible()
    model = work.cluster.arms.model()
    assert isinstance(model, TextTable)
    a, b = text_of(model)
    # The storage gives 3 GB/s to eight that could take one each; the slow one takes twice as long.
    assert a[:5] == ["A  direct", "2.67 s", "2.67 s", "5.33 s", "1.50 GB/s (1.5×)"]
    assert (a[5], b[5]) == ("8.0×", "1.0×")
    assert "80 nodes, extrapolated" in cluster_words.arm_headings(window.session.clusters.arms)
    nodes = work.cluster.nodes.model()
    assert isinstance(nodes, TextTable)
    slowest = text_of(nodes)[0]
    assert slowest[0] == "n7"
    assert "2.0×" in slowest[-1]
    assert "2 pairs so far: 5.33 s and 667 ms" in work.slot.page.texts.reason.whole
    assert window.actions_by_id["export"].isEnabled()
    assert window.status.text.whole == work.slot.page.texts.headline.whole
    # A click on the topmost line of the map is one on the slowest node.
    work.cluster.map.node_clicked.emit("n7")
    assert work.cluster.nodes.selectionModel().selectedRows()[0].row() == 0


def test_that_nodes_are_followed_while_they_load(session):
    clusters = session.clusters
    clusters.begin()
    begun = told()[0]
    assert isinstance(begun, Begun)
    clusters.take(begun)
    names = ("n0", "n1")
    standings = [
        Standing(
            "A", "direct", 0, 2, names, (step * 10, step * 5), 90, (0,) * (step == 4), step * 10**9
        )
        for step in range(1, 5)
    ]
    for standing in standings:
        clusters.take(standing)
    live = clusters.live
    assert live is not None
    view = cluster_words.progress(live)
    assert view.headline == "Loading on 2 nodes: direct"
    assert "1 of 2 nodes ready" in view.detail
    times = clusters.times("A")
    rates = times.rates(4)
    assert rates[0] == pytest.approx(10.0)
    assert rates[1] == pytest.approx(5.0)
    assert times.ready_s[0] == 4.0
    assert np.isnan(times.ready_s[1])


def test_that_the_other_way_may_be_looked_at_while_one_loads(tab, session):
    clusters = session.clusters
    tab.show()
    clusters.begin()
    clusters.take(told()[0])

    def loading(label):
        clusters.take(Standing(label, "x", 0, 2, ("n0",), (1,), 9, (), 10**9))

    loading("B")
    assert tab.which.value == "B"
    tab.which.button("A").click()
    loading("B")
    assert tab.which.value == "A"
    loading("A")
    loading("B")
    assert tab.which.value == "B"


def test_that_a_measurement_that_fails_leaves_the_one_before_to_be_seen(tab, session):
    clusters = session.clusters
    before = result_of(told())
    session.conclude(before)
    clusters.begin()
    assert clusters.arms == ()
    assert not tab.details.isEnabled()
    clusters.give_up()
    assert clusters.arms == before.arms
    assert tab.details.isEnabled()


def test_that_a_curve_shows_its_limit_and_a_map_of_many_nodes_the_slow_one(tab, session):
    tab.show()
    session.conclude(result_of(told(4, slow={})))
    plot, arm = tab.scaling, session.clusters.arms[0]
    assert 10 ** plot.curves["A"].knee.value() == pytest.approx(arm.scaling.knee.value)
    assert "nodes (" in cluster_words.limit_text(arm)
    plot.entries["limit"].click()
    assert not plot.curves["A"].knee.isVisible()
    last = arm.curve[-1]
    for nodes, told_of in ((last.nodes, f"{last.runs}"), (arm.extrapolated.nodes, "extrapolated")):
        plot.canvas.hovered.emit(np.log10(nodes), 0.0)
        assert plot.readout.rows[0].texts[-1] == told_of
    assert findings(tab) == {}
    result = result_of(told(300, (way(),), repeats=1, slow={150: 3.0}, samples=4))
    session.conclude(result)
    times = tab.map.times
    assert times.names[-1] == "n150"
    assert times.ready_s[-1] == pytest.approx(3 * times.ready_s[-2])


def test_that_figures_without_a_logarithm_are_drawn(tab):
    result = result_of(told(4, slow={}))
    arm = result.arms[0]
    assert arm.scaling is not None
    assert arm.extrapolated is not None
    nothing = Between(0.0, 0.0, 0.0)
    change = msgspec.structs.replace
    forged = (
        change(arm, scaling=change(arm.scaling, per_node=nothing, shared=nothing, knee=nothing)),
        change(arm, extrapolated=change(arm.extrapolated, last_ns=nothing)),
        change(arm, curve=tuple(change(point, bytes_per_s=0.0) for point in arm.curve)),
    )
    for each in forged:
        tab.scaling.show_arms((each,))
        tab.scaling.grab()


def test_that_a_result_of_a_stranger_without_nodes_or_curves_is_shown(tab, session):
    result, change = result_of(told(4, slow={})), msgspec.structs.replace
    runs = tuple(change(run, nodes=()) for run in result.runs)
    session.conclude(change(result, runs=runs))
    tab.map.grab()
    assert tab.map.times is None
    arms = tuple(change(arm, curve=()) for arm in result.arms)
    assert list(result_items(change(result, arms=arms)))


def test_that_a_saved_result_is_opened_without_ray(window, qtbot, tmp_path):
    result = result_of(told())
    path = tmp_path / "cluster.json"
    path.write_bytes(msgspec.json.encode(result, enc_hook=to_text))
    with qtbot.waitSignal(window.open_controller.cluster_opened):
        window.open_controller.open(str(path))
    assert window.workspace.cluster.isVisible()
    assert window.session.verdict is not None
    assert "tiny.safetensors" in window.windowTitle()
    window.commands.copy_result()
    assert "ray" not in sys.modules


def test_that_one_of_before_is_found_again(window, qtbot, folder):
    history = History()
    result = result_of(told(nodes=3))
    keep(history, result)
    keep(history, msgspec.structs.replace(result, path="/models/other.gguf"))
    window.history._history = history
    # An earlier look may have found none yet.
    with qtbot.waitSignal(window.earlier_clusters.found, check_params_cb=bool) as all_of_them:
        window.earlier_clusters.look()
    assert [number for number, _ in all_of_them.args[0]] == [2, 1]
    window.workspace.cluster.earlier_wanted.emit(1)
    qtbot.waitUntil(lambda: window.session.clusters.known)
    assert window.session.verdict == result
    assert "Measured" in window.workspace.slot.page.texts.reason.whole
    qtbot.waitUntil(lambda: len(window.workspace.cluster._earlier_menu.actions()) == 1)
    (text,) = [each.text() for each in window.workspace.cluster._earlier_menu.actions()]
    assert "3 nodes" in text
    assert "other machines" not in text


def test_that_starts_that_do_not_count_are_no_good_news():
    result = result_of(told())
    runs = [msgspec.structs.replace(run, why_not=Message("Busy.")) for run in result.runs]
    ways = [arm.way for arm in result.arms]
    for each, tone in ((runs, "warn"), (result.runs, "good")):
        found = cluster_result(PATH, result.nodes, ways[:1], each)
        assert cluster_words.notice(found, "", ()).tone == tone


def test_that_the_question_says_its_command_or_what_is_refused(session, settings):
    dialog = ClusterDialog(session, settings)
    dialog.path.setText("/models/m.gguf")
    assert dialog.start.isEnabled()
    b = dialog.ways["B"]
    b.strategy.setCurrentIndex(b.strategy.findData("direct"))
    b.start.setCurrentIndex(b.start.findData("staggered"))
    assert not b.step.isHidden()
    assert dialog.arguments[:4] == ["cluster", "/models/m.gguf", "--address", "auto"]
    assert dialog.arguments[-2:] == ["--compare", "mmap,direct/staggered:2s"]
    assert "--repeats" not in dialog.command.text()
    dialog.repeats.setValue(7)
    assert "--repeats 7" in dialog.command.text()
    a = dialog.ways["A"]
    a.strategy.setCurrentIndex(a.strategy.findData("direct"))
    b.start.setCurrentIndex(0)
    assert not dialog.start.isEnabled()
    assert "the same" in dialog.problem.text()
    # A rank that is alone on its node is the node.
    a.copies.setCurrentIndex(a.copies.findData("rank"))
    assert "the same" in dialog.problem.text()
    dialog.ranks.setValue(4)
    a.copies.setCurrentIndex(a.copies.findData("cluster"))
    assert not dialog.start.isEnabled()
    assert "one rank per node" in dialog.problem.text()
    dialog.address.clear()
    assert "Name the Ray cluster" in dialog.problem.text()
    dialog.deleteLater()
