"""Measure the disk: progress, Stop, what is shown, and what becomes of it in the plots."""

import msgspec
import pytest
from machine_fakes import make_diagnosis, make_probe
from msgspec import structs
from PySide6.QtGui import QAction
from window_fakes import LOAD_A, make_inspection, make_model

from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.messages import to_wire
from modelmon.core.probe.client import ProbeAnswer
from modelmon.core.probe.probe import MemoryFigures, StorageFigures
from modelmon.gui.background.commands import Command
from modelmon.gui.model.model_facts import probe_facts
from modelmon.gui.model.probe_controller import ProbeController, probe_notice
from modelmon.gui.plots.plot_row import PlotRow
from modelmon.gui.session.machine import Machine, limit_text
from modelmon.gui.session.session import Activity
from modelmon.gui.shell.plot_controller import Limits
from modelmon.gui.shell.side_panel import SidePanel

BROKE = "modelmon doctor --probe ended with exit code 1. Last output: It broke."
WAITS = "import sys; sys.stdin.read()"


def saying(answer, then=""):
    """A probe that gives this answer."""
    line = msgspec.json.encode(answer, enc_hook=to_wire).decode()
    return f"import sys\nprint({line!r}, flush=True)\n{then}"


@pytest.fixture
def probing(session, script):
    def make(text):
        return ProbeController(
            session,
            lambda arguments: Command(
                arguments, script(text), keeps_input=True, name="doctor --probe"
            ),
            parent=session,
        )

    return make


def test_that_a_probe_ends_in_the_slot(session, probing, qtbot):
    made = probing(saying(ProbeAnswer(make_probe())))
    with qtbot.waitSignal(made.measured) as caught:
        made.start()
        assert session.activity is Activity.PROBING
    assert caught.args == [make_probe()]
    assert not session.busy
    assert session.notice.headline == "Storage: NVMe class, up to 3 GB/s."
    # The open model has 2 GB: 667 ms at 3 GB/s and a start, whatever the probed model's size was.
    assert session.notice.reason == "About 670 ms cold, 136 ms warm for this model."


def test_that_stop_answers_at_once_and_the_probe_does_not_outlive_its_window(
    session, probing, qtbot
):
    for end in (ProbeController.stop, ProbeController.shut_down):
        made = probing(f"print(flush=True)\n{WAITS}")
        made.start()
        qtbot.waitUntil(lambda made=made: made._asking._problem != "")
        (command,) = made.findChildren(Command)
        end(made)
        if end is ProbeController.stop:
            assert not session.busy
            assert session.notice.headline == "Disk measurement stopped."
            made.shut_down()
        assert command._process.processId() == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            saying({"error": {"message": "The disk is gone.", "remedy": ""}}, "sys.exit(3)"),
            "The disk is gone.",
        ),
        ("import sys; sys.exit('It broke.')", BROKE),
    ],
)
def test_that_a_probe_that_fails_says_why(session, probing, qtbot, text, said):
    made = probing(text)
    made.start()
    qtbot.waitUntil(lambda: not session.busy)
    assert (session.notice.headline, session.notice.tone) == (said, "bad")


def test_that_storage_that_hangs_is_given_up(session, probing, qtbot):
    made = probing(WAITS)
    made._deadline.setInterval(1000)
    made.start()
    qtbot.waitUntil(lambda: not session.busy)
    assert "llama doesn't respond" in session.notice.headline
    made.shut_down()


@pytest.fixture
def machine(session, script):
    """A machine whose doctor says nothing while the test lasts."""
    silent = script("import time; time.sleep(60)")
    return Machine(session, lambda arguments: Command(arguments, silent), parent=session)


def test_that_a_recent_stored_probe_is_used_at_once_and_a_newer_one_instead(
    session, machine, qtbot
):
    panel = SidePanel(session, machine, QAction("Measure the disk", session))
    qtbot.addWidget(panel)
    assert "Top speed" not in panel.storage.facts
    machine.diagnosis = make_diagnosis(probe=make_probe())
    machine.changed.emit()
    facts = panel.storage.facts
    assert facts["Top speed"] == "3 GB/s, NVMe class"
    assert facts["Latency"] == "80.0 µs, p99 190 µs"
    assert facts["Best cold start"].endswith(" (predicted)")
    assert facts["Best warm start"].endswith(" (predicted)")
    slower = make_probe(probed_unix_s=1_790_000_100.0, storage=StorageFigures("direct"))
    machine.set_probe(slower)
    assert machine.probe is slower
    assert "Best cold start" not in panel.storage.facts
    session.set_inspection(make_inspection(make_model("/data/other")))
    assert machine.probe is None
    machine.shut_down()


@pytest.fixture
def plots(session, machine, qtbot):
    made = PlotRow(session)
    qtbot.addWidget(made)
    Limits(session, machine, made)
    made.resize(1200, 300)
    made.show()
    return made


def test_that_the_limit_is_drawn_and_can_be_hidden(session, machine, plots):
    plot, entry = plots.throughput, plots.throughput.entries["limit"]
    assert not entry.isEnabled()
    assert "Measure the disk" in entry.toolTip()
    session.show_record("A", LOAD_A.record())
    machine.set_probe(make_probe())
    assert plot.limit.text == "Disk limit 3 GB/s"
    assert entry.isEnabled()
    assert "limit" not in plot.shown_series()
    entry.click()
    assert not plot.limit.isVisible()
    entry.click()
    assert plot.limit.isVisible()
    session.set_inspection(make_inspection(make_model("/data/other")))
    assert not plot.limit.isVisible()
    machine.shut_down()


def test_that_a_probe_of_memory_or_of_nothing_draws_no_disk_limit():
    in_memory = structs.replace(make_probe().storage, way="memory")
    assert limit_text(make_probe(storage=in_memory)) == ""
    refused = StorageFigures("none", "Direct reads are refused.")
    nothing = make_probe(storage=refused, memory=MemoryFigures(reason="too little RAM"))
    assert limit_text(nothing) == ""
    notice = probe_notice(nothing, make_model())
    assert (notice.reason, notice.tone) == ("Direct reads are refused.", "warn")
    rows = {fact.name: fact.value for fact in probe_facts(nothing, make_model())}
    assert rows == {"Top speed": "NVMe class"}


HANGS = "No response from storage for 15 s. Its mount may hang."


def looked(share):
    model = make_model()
    (size,) = (shard.size_bytes for shard in model.shards)
    pages = -(-size // 4096)
    file = FileResidency(size, "cachestat", (round(pages * share),))
    seen = ResidencyMap(pages * 4096, 4096, (file,))
    return make_diagnosis(file=FileState(1, size, size, share, "cachestat", cache_map=seen))


@pytest.fixture
def opened(window):
    window.session.set_inspection(make_inspection())
    window.machine.stop()
    cache = window.workspace.page_cache
    window.workspace.tabs.setCurrentWidget(cache)
    return window


def tell(window, found, failure=""):
    window.machine.diagnosis, window.machine.failure = found, failure
    window.machine.changed.emit()


def test_that_a_look_that_failed_leaves_the_one_before(opened):
    cache, found = opened.workspace.page_cache, looked(0.5)
    tell(opened, found)
    before = cache.lines.rows[0]
    assert before.summary.startswith("50%")
    tell(opened, found, HANGS)
    assert cache.lines.rows[0].summary == before.summary
    assert cache.lines.rows[0].caption == before.caption
    assert cache.note.isVisible()
    assert "may hang" in cache.note.text()
    tell(opened, looked(1.0))
    assert cache.lines.rows[0].summary.startswith("100%")
    assert not cache.note.isVisible()
