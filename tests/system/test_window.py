"""The window on real files with real workers, used as a person uses it."""

import os
import tomllib
from pathlib import Path

import numpy as np
import pytest
import safetensors
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QSystemTrayIcon,
)
from tests.system.windows import children, click, held_loader, idle, opened, shown_window

from modelmon.core import load_model
from modelmon.core.history.history import History
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.worker.record import read_record
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.open.found_models import NAME
from modelmon.gui.session.session import Activity
from modelmon.gui.shell.app import FirstMinute
from modelmon.gui.shell.help_dialogs import CommandPalette


def slot_text(window):
    notice = window.session.notice
    return f"{notice.headline} {notice.reason} {notice.caveat}" if notice is not None else ""


def blocks_are_rows(window):
    """Each block that was loaded has a row of the waterfall, which sorts by when it was ready."""
    waterfall, record = window.workspace.waterfall, window.session.record("B")
    window.workspace.tabs.setCurrentWidget(waterfall)
    assert waterfall.table.names == [block.name for block in record.blocks]
    assert all(waterfall.rows.marks("B"))
    waterfall.order_box.setCurrentText("B ready first")
    ready = sorted(record.blocks, key=lambda block: block.ready_ns or 0)
    assert waterfall.table.names == [block.name for block in ready]
    for block in record.blocks:
        assert 0 <= (block.requested_ns or 0) < block.arrivals_ns[-1][1] == block.ready_ns


def test_that_a_person_gets_from_a_file_to_an_exported_config(
    qtbot, window, own_copy, on_a_device, tmp_path
):
    del on_a_device
    opened(qtbot, window, own_copy)
    click(qtbot, window, "run_b")
    assert window.session.activity is Activity.RUNNING
    idle(qtbot, window)
    record = window.session.record("B")
    assert record.state == "finished"
    window.toolbar.repeats.setValue(1)
    click(qtbot, window, "compare")
    qtbot.waitUntil(lambda: window.session.comparison is not None)
    idle(qtbot, window)
    # A run from which the host took memory is made again.
    assert len(window.session.runs) >= 3
    comparison = window.session.comparison
    assert comparison.arm_a.runs == comparison.arm_b.runs == 1

    blocks_are_rows(window)
    plot = window.workspace.plots.throughput.canvas
    window.activateWindow()
    plot.setFocus()
    for key, shown in ((Qt.Key.Key_A, {"A"}), (Qt.Key.Key_B, {"B"})):
        with qtbot.waitSignal(window.workspace.plots.arms_shown) as toggled:
            qtbot.keyClick(plot, key)
        assert toggled.args == [shown]

    click(qtbot, window, "export")
    dialog = window.findChild(ExportDialog)
    shown_text = dialog.findChild(QPlainTextEdit).toPlainText()
    target = tmp_path / "out.toml"
    dialog.path.setText(str(target))
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert target.read_text() == shown_text
    stored = tomllib.loads(shown_text)["load"]
    loaded = load_model(own_copy, target)
    assert loaded.config.access == stored["access"]
    with safetensors.safe_open(own_copy, "np") as theirs:
        name = "model.norm.weight"
        assert list(loaded[name].shape) == theirs.get_slice(name).get_shape()
        np.testing.assert_array_equal(
            loaded[name].view(np.uint16), load_model(own_copy, "mmap")[name].view(np.uint16)
        )


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*QDragEnterEvent:DeprecationWarning")
def test_that_a_dropped_file_opens_and_its_recording_replays(qtbot, window, sample, tmp_path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(sample))])
    what = (mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    copy = Qt.DropAction.CopyAction
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(700, 300), copy, *what))
    QApplication.sendEvent(window, QDropEvent(QPointF(700, 300), copy, *what))
    qtbot.waitUntil(lambda: window.session.inspection is not None)
    idle(qtbot, window)
    click(qtbot, window, "run_a")
    idle(qtbot, window)
    recording = tmp_path / "a.jsonl"
    window.commands.write_recording(window.session.runs[0], recording)
    saved = read_record(recording)
    live = window.session.record("A")
    assert saved.blocks == live.blocks
    window.open_controller.open(str(recording))
    qtbot.waitUntil(lambda: len(window.session.runs) == 2)
    idle(qtbot, window)


def test_that_killed_workers_and_a_vanished_file_are_sentences_and_what_was_measured_stays(
    qtbot, window, own_copy
):
    session = window.session
    opened(qtbot, window, own_copy)
    with held_loader(qtbot, window) as loader:
        loader.parent().kill()
    idle(qtbot, window)
    assert "stopped by signal 9" in slot_text(window)
    session.set_preset("A", "mmap")
    click(qtbot, window, "run_a")
    idle(qtbot, window)
    assert session.record("A").state == "finished"

    session.set_cache("as-is")
    session.set_repeats(5)
    before = len(session.runs)
    click(qtbot, window, "compare")
    qtbot.waitUntil(lambda: len(session.runs) >= before + 2)
    with held_loader(qtbot) as loader:
        loader.parent().kill()
    idle(qtbot, window)
    assert "stopped by signal 9" in slot_text(window)
    (resume,) = session.notice.choices
    assert resume.text == "Resume"
    kept = len(session.runs)
    resume.chosen()
    qtbot.waitUntil(lambda: session.busy and len(session.runs) > kept)
    own_copy.unlink()
    idle(qtbot, window)
    assert "copy.safetensors" in slot_text(window)
    # The history is written by a thread of its own.
    qtbot.waitUntil(lambda: experiment().state == "stopped")
    assert experiment().runs >= 2

    for again in (
        window.commands.does["run_a"],
        lambda: window.open_controller.open(str(own_copy)),
    ):
        again()
        idle(qtbot, window)
        assert "copy.safetensors" in slot_text(window)
        assert "Traceback" not in slot_text(window)


def experiment():
    """The only comparison of the history."""
    (found,) = [each for each in History().experiments() if each.kind == "compare"]
    return found


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_that_a_history_that_cannot_be_made_and_a_recording_without_room_cost_a_line_and_no_run(
    qtbot, window, sample
):
    Path(os.environ["MODELMON_DATA_DIR"]).write_text("a file where the folder should be")
    opened(qtbot, window, sample)
    window.session.set_cache("as-is")
    click(qtbot, window, "run_a")
    idle(qtbot, window)
    assert [run.record.state for run in window.session.runs] == ["finished"]
    assert "Not saved in the history" in slot_text(window)
    work = window.workspace
    work.tabs.setCurrentWidget(work.runs)
    qtbot.waitUntil(lambda: work.runs.table.runs.rowCount() == 1)
    window.commands.write_recording(window.session.runs[0], Path("/dev/full"))
    assert "/dev/full: No space left" in slot_text(window)


def answer(qtbot, window, text):
    """Click a button of the question that the window asks."""
    (question,) = window.findChildren(QMessageBox)
    qtbot.waitUntil(question.isVisible)
    (button,) = [b for b in question.findChildren(QPushButton) if text in b.text()]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_that_stopping_and_closing_are_heeded_and_leave_no_process(
    qtbot, window, sample, monkeypatch
):
    monkeypatch.setattr("modelmon.gui.shell.long_work.LONG_S", 0.0)
    session = window.session
    opened(qtbot, window, sample)
    session.set_cache("as-is")
    for label in ("A", "B"):
        for axis, value in (("access", "read"), ("order", "random"), ("chunk_bytes", "4KiB")):
            session.set_axis(label, axis, value)
    session.set_axis("B", "readers", "2")
    click(qtbot, window, "run_a")
    qtbot.waitUntil(lambda: bool(children()))
    click(qtbot, window, "stop")
    idle(qtbot, window)
    qtbot.waitUntil(lambda: not children())

    click(qtbot, window, "compare")
    qtbot.waitUntil(lambda: bool(session.runs))
    window.close()
    answer(qtbot, window, "Keep measuring")
    assert window.isVisible()
    assert session.activity is Activity.COMPARING
    done = len(session.runs)
    qtbot.waitUntil(lambda: len(session.runs) > done)
    window.close()
    answer(qtbot, window, "Stop and close")
    assert not window.isVisible()
    assert not children()
    assert experiment().state == "stopped"
    assert experiment().runs > done


@pytest.mark.long
def test_that_the_window_stays_alive_while_a_large_model_opens(qtbot, window, tmp_path):
    path = tmp_path / "many.safetensors"
    many_tensors(path, 20_000)
    window.open_controller.open(str(path))
    qtbot.waitUntil(lambda: bool(children()))
    (reading,) = children()
    reading.suspend()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: window.findChild(CommandPalette) is not None)
    assert window.session.activity is Activity.OPENING
    reading.resume()
    qtbot.waitUntil(lambda: window.session.inspection is not None)
    assert len(window.session.inspection.model.tensors) == 20_000


def many_tensors(path, count):
    entries = ",".join(
        f'"model.layers.{i // 200}.experts.{i % 200}.w":'
        f'{{"dtype":"U8","shape":[64],"data_offsets":[{i * 64},{i * 64 + 64}]}}'
        for i in range(count)
    )
    header = f"{{{entries}}}".encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(count * 64))


@pytest.mark.long
@pytest.mark.parametrize("looks", [False, True], ids=["minimised", "looked at"])
def test_that_the_desktop_hears_of_a_run_only_where_nobody_looks(
    qtbot, tmp_path, sample, monkeypatch, *, looks
):
    told = []
    monkeypatch.setattr("modelmon.gui.shell.long_work.LONG_S", 0.0)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda _: None)
    monkeypatch.setattr(
        QSystemTrayIcon, "showMessage", lambda _, title, text, *_rest: told.append((title, text))
    )
    with shown_window(qtbot, tmp_path / "window.ini") as window:
        opened(qtbot, window, sample)
        window.session.set_cache("as-is")
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        if not looks:
            window.showMinimized()
        window.actions_by_id["run_a"].trigger()
        idle(qtbot, window)
        QApplication.processEvents()
        assert [title.split(" after")[0] for title, _ in told] == (
            [] if looks else ["Run finished"]
        )
        assert all(text.startswith("A took ") for _, text in told)


@pytest.fixture
def hub_model(tmp_path, monkeypatch):
    """A model in a hub cache that is the only one on this machine."""
    commit = "c" * 40
    repository = tmp_path / "hf" / "hub" / "models--org--tiny"
    path = repository / "snapshots" / commit / "model.safetensors"
    path.parent.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    write_sample(path, "safetensors", 4 * MIB, 4, 0)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    for name in ("HF_HUB_CACHE", "OLLAMA_MODELS", "LLAMA_CACHE", "COMFYUI_PATH", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return path


@pytest.mark.long
def test_that_a_found_model_opens_by_a_click_with_both_arms_set(hub_model, tmp_path, qtbot):
    with shown_window(qtbot, tmp_path / "window.ini") as window:
        FirstMinute(window).begin()
        found = window.workspace.empty.found
        table = found.view.model()
        qtbot.waitUntil(lambda: table.rowCount() > 0 and found.again.isEnabled())
        place = found.view.visualRect(table.index(0, NAME)).center()

        qtbot.mouseClick(found.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.waitUntil(lambda: window.session.inspection is not None)

        assert table.index(0, NAME).data() == "tiny"
        assert [recent.path for recent in window.settings.recents()] == [str(hub_model)]
        page = window.workspace.slot.page
        assert page.texts.headline.whole.startswith("Compare mmap (A) with ")
        assert page.texts.caveat.whole.startswith("Fits in memory: ")
        assert window.toolbar.buttons["compare"].isEnabled()
