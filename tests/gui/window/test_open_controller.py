from dataclasses import replace

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from window_fakes import LOAD_B, make_comparison, make_inspection, opened, slot_of

from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import to_text, to_wire
from modelmon.core.model.sharded import ModelChoice
from modelmon.core.worker import events as ev
from modelmon.gui.background.commands import Command, Presence
from modelmon.gui.background.threads import MainThreadQueue
from modelmon.gui.open.open_controller import OpenController
from modelmon.gui.plots.timeline import timeline_of
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import LABELS, Activity, Session
from modelmon.gui.widgets.entry_list import ChoiceDialog

# Qt 6.12 has a new form of this constructor, which older ones lack.
ANY_DRAG = pytest.mark.filterwarnings("ignore:.*QDragEnterEvent:DeprecationWarning")


@pytest.fixture
def empty(qapp):
    return Session(qapp)


@pytest.fixture
def recording(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(ev.encode(event) for event in LOAD_B.events()))
    return str(path)


def result_file(tmp_path, comparison):
    path = tmp_path / "result.json"
    path.write_bytes(msgspec.json.encode(comparison, enc_hook=to_text))
    return str(path)


def open_in(session, settings, qtbot, path):
    opening = OpenController(session, settings)
    opening.open(path)
    qtbot.waitUntil(lambda: not session.busy)
    return opening


def answering(session, settings, program):
    return OpenController(session, settings, lambda arguments: Command(arguments, program))


def test_that_a_model_is_opened_and_remembered(empty, settings, script, qtbot, tmp_path):
    text = msgspec.json.encode(make_inspection(), enc_hook=to_wire).decode()
    opening = answering(empty, settings, script(f"print({text!r})"))
    path = str(tmp_path / "llama")
    with qtbot.waitSignal(opening.model_opened):
        opening.open(path)
    assert empty.inspection.model.name == "llama"
    assert [(recent.path, recent.blocks) for recent in settings.recents()] == [(path, 2)]


def test_that_a_file_that_is_no_model_leaves_the_open_one_and_says_why(
    session, settings, script, qtbot
):
    text = '{"error": {"message": "x.gguf breaks off.", "remedy": "Fetch it again."}}'
    opening = answering(session, settings, script(f"print('{text}'); raise SystemExit(2)"))
    before = session.inspection
    opening.open("/data/x.gguf")
    qtbot.waitUntil(lambda: not session.busy)
    assert session.inspection is before
    assert (session.notice.headline, session.notice.reason, session.notice.tone) == (
        "x.gguf breaks off.",
        "Fetch it again.",
        "bad",
    )
    assert settings.recents() == []
    # Opening can be stopped.
    opening = answering(session, settings, script("import time; time.sleep(60)"))
    opening.open("/data/x.gguf")
    assert session.busy
    opening.stop()
    assert not session.busy
    opening.shut_down()


def test_that_an_index_of_shards_is_a_model_and_no_comparison(empty, settings, qtbot):
    asked = []

    def remember(arguments):
        asked.append(arguments)
        return Command(arguments, ("/nowhere",))

    opening = OpenController(empty, settings, remember)
    opening.open("/data/model.safetensors.index.json")
    qtbot.waitUntil(lambda: not empty.busy)
    assert asked[0][:2] == ["inspect", "/data/model.safetensors.index.json"]


def test_that_a_recording_is_replayed_without_its_model(empty, settings, qtbot, recording):
    opening = open_in(empty, settings, qtbot, recording)
    record = empty.record("A")
    assert record.finished is not None
    assert empty.config("A") == LOAD_B.config
    assert [result.wall_ns for result in empty.results("A")] == [1_000_000_000]
    # No plot is there, and whichever comes has nothing left to read.
    assert timeline_of(record).seen_ns == record.samples[-1].t_ns
    opening.open(recording)
    qtbot.waitUntil(lambda: not empty.busy)
    assert empty.record("B") is not None


@pytest.mark.parametrize("end", [OpenController.stop, OpenController.shut_down])
def test_that_a_recording_that_was_stopped_or_closed_is_not_shown(
    empty, settings, qtbot, recording, end
):
    opening = OpenController(empty, settings)
    opening.open(recording)
    end(opening)
    # Looked out for until it has come.
    answers = opening.findChild(MainThreadQueue)
    qtbot.waitUntil(lambda: not answers.looking)
    assert empty.runs == []


def test_that_only_saved_results_are_opened(empty, settings, qtbot, tmp_path):
    saved = make_comparison()
    open_in(empty, settings, qtbot, result_file(tmp_path, saved))
    assert empty.comparison == saved
    assert empty.config("B") == LOAD_B.config
    assert len(empty.results("A")) == 5
    path, opening = tmp_path / "config.json", OpenController(empty, settings)
    for content, said in (
        ('{"model_type": "llama"}', "is not a recording"),
        ("no JSON", "is not a recording"),
        ('{"arm_a": 1}', "isn't a saved result"),
    ):
        path.write_text(content)
        opening.open_saved(str(path))
        qtbot.waitUntil(lambda: not empty.busy)
        assert said in empty.notice.headline


def test_that_a_saved_comparison_leaves_the_open_model_and_says_whose_it_is(
    session, settings, qtbot, tmp_path
):
    session.show_record("A", LOAD_B.record())
    session.set_config("A", LoadConfig(access="direct", readers=3))
    session.set_cache("warm")
    before = [session.config(label) for label in LABELS]
    saved = make_comparison()
    saved = msgspec.structs.replace(saved, model=msgspec.structs.replace(saved.model, name="qwen"))
    slot = slot_of(session)
    qtbot.addWidget(slot)
    with qtbot.assertNotEmitted(session.model_changed):
        open_in(session, settings, qtbot, result_file(tmp_path, saved))
    assert session.comparison == saved
    assert session.record("A") is None
    assert [session.config(label) for label in LABELS] == before
    assert session.cache == "warm"
    assert f"of another model: {saved.model.name}." in slot.page.texts.reason.whole


def test_that_a_recording_leaves_the_open_model_and_says_when_it_is_of_another(
    session, settings, qtbot, tmp_path
):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(ev.encode(event) for event in replace(LOAD_B, nbytes=7).events()))
    with qtbot.assertNotEmitted(session.model_changed):
        open_in(session, settings, qtbot, str(path))
    assert session.notice.caveat.startswith("It used another model")


def forged(**fields):
    made = msgspec.structs.replace(make_comparison(), **fields)
    return msgspec.json.encode(made, enc_hook=to_text).decode()


NO_TIME = tuple(msgspec.structs.replace(run, wall_ns=0) for run in make_comparison().runs_a)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("run.jsonl", "not an event\n", "run.jsonl"),
        *(("config.json", text, "isn't a saved result") for text in ("{}", "no json", "[]")),
        ("result.json", forged(runs_a=()), "No pair of its runs counts"),
        ("result.json", forged(runs_a=NO_TIME), "No pair of its runs counts"),
        ("result.json", forged(schema=999), "has schema 999"),
    ],
)
def test_that_another_file_is_refused_with_its_reason(
    empty, settings, qtbot, tmp_path, name, content, said
):
    (tmp_path / name).write_text(content)
    open_in(empty, settings, qtbot, str(tmp_path / name))
    assert said in empty.notice.headline
    assert empty.comparison is None
    assert empty.empty


def test_that_a_fault_of_the_program_is_reported_and_leaves_no_busy_window(
    empty, settings, qtbot, monkeypatch
):
    def fail(path, _):
        raise ZeroDivisionError(path)

    monkeypatch.setattr("modelmon.gui.open.open_controller.read_record", fail)
    opening = OpenController(empty, settings)
    with qtbot.captureExceptions() as caught:
        opening.open("/data/run.jsonl")
        qtbot.waitUntil(lambda: bool(caught))
    assert caught[0][0] is ZeroDivisionError
    assert not empty.busy


def test_that_models_that_are_gone_are_looked_for_beside_the_window(qapp, qtbot, tmp_path):
    here, gone = tmp_path / "here.gguf", tmp_path / "gone.gguf"
    here.touch()
    presence = Presence(qapp)
    presence.look([str(here), str(gone)])
    qtbot.waitUntil(lambda: presence.gone == {str(gone)})
    gone.touch()
    presence.look([str(gone)])
    qtbot.waitUntil(lambda: presence.gone == set())


def test_that_a_folder_of_several_models_lets_one_be_chosen_from_all_of_them(window, script, qtbot):
    choices = [ModelChoice(f"m{at}.gguf", f"/zoo/m{at}.gguf", at * 10**9) for at in range(40)]
    choices.append(ModelChoice("half.gguf", "/zoo/half.gguf", None))
    error = {"message": "many", "remedy": "Open one of them.", "choices": choices}
    program = script(f"print({msgspec.json.encode({'error': error}).decode()!r}); exit(2)")
    asked = window.open_controller._asking
    asked._make_command = lambda arguments: Command(arguments, program)
    window.open_controller.open("/zoo")
    dialog = shown(qtbot, window, ChoiceDialog)
    assert [row.text(0) for row in dialog.entries.rows] == [each.name for each in choices]
    assert [row.text(2) for row in dialog.entries.rows[-2:]] == ["39 GB", "incomplete"]
    opened_paths = []
    window.open_controller.open = opened_paths.append  # type: ignore[method-assign]
    dialog.reject()
    assert window.session.notice.headline == "Choose one of the models in /zoo."
    # What was left can be taken up again.
    dialog.chosen.disconnect()
    window.session.notice.choices[0].chosen()
    dialog = shown(qtbot, window, ChoiceDialog)
    dialog.chosen.connect(opened_paths.append)
    qtbot.keyClicks(dialog.search, "M1")
    assert dialog.state.text() == "11 of 41 models"
    qtbot.keyClick(dialog.search, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert set(opened_paths) == {"/zoo/m10.gguf"}


class Drag:
    """Files held over the window."""

    def __init__(self, window, *paths):
        self.data = QMimeData()
        self.data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        self.window, self.where = window, QPointF(300, 300)
        self.how = (Qt.DropAction.CopyAction, self.data, Qt.MouseButton.LeftButton)
        enter = QDragEnterEvent(self.where.toPoint(), *self.how, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(window, enter)
        self.accepted = enter.isAccepted()

    def drop(self):
        drop = QDropEvent(self.where, *self.how, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self.window, drop)


def shown(qtbot, window, kind):
    """The dialog of this kind that has come up."""
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(kind)))
    return next(each for each in window.findChildren(kind) if each.isVisible())


@ANY_DRAG
def test_that_a_dropped_file_is_opened_and_of_several_one_is_chosen(
    qtbot, window, tmp_path, monkeypatch
):
    Drag(window, "/zoo/a.gguf", "/zoo/b.gguf").drop()
    dialog = shown(qtbot, window, ChoiceDialog)
    assert [row.text(0) for row in dialog.entries.rows] == ["a.gguf", "b.gguf"]
    assert not window.session.busy
    dialog.reject()
    asked = []
    monkeypatch.setattr(window.open_controller, "open", asked.append)
    zone, frame = window.workspace.empty.drop_zone, window.drop_controller.frame
    for model_is_open in (False, True):
        if model_is_open:
            opened(window)
        drag = Drag(window, tmp_path)
        assert drag.accepted
        assert zone.property("active") == "true"
        assert frame.isVisible() == model_is_open
        drag.drop()
        assert zone.property("active") == ""
        assert not frame.isVisible()
    assert asked == [str(tmp_path)] * 2
    window.session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    assert not Drag(window, "/tmp").accepted
    window.session.end()
