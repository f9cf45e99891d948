"""The window on real files with real workers, used as a person uses it."""

import tomllib

import numpy as np
import pytest
import safetensors
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from tests.system.windows import children, click, held_loader, idle, opened

from modelmon.core import load_model
from modelmon.core.worker.record import read_record
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.panels.shortcuts_dialog import ShortcutsDialog
from modelmon.gui.session import Activity

pytestmark = pytest.mark.system


def slot_text(window):
    notice = window.session.notice
    return f"{notice.headline} {notice.reason} {notice.caveat}" if notice is not None else ""


def blocks_are_rows(window):
    """Each block that was loaded has a row of the waterfall, which sorts by when it was ready."""
    waterfall, record = window.workspace.waterfall, window.session.record("B")
    assert record is not None
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
    assert record is not None
    assert record.state == "finished"
    window.toolbar.repeats.setValue(1)
    click(qtbot, window, "compare")
    qtbot.waitUntil(lambda: window.session.comparison is not None)
    idle(qtbot, window)
    # A run from which the host took memory is made again.
    assert len(window.session.runs) >= 3
    comparison = window.session.comparison
    assert comparison is not None
    assert comparison.arm_a.runs == comparison.arm_b.runs == 1

    blocks_are_rows(window)
    for key, shown in ((Qt.Key.Key_A, {"A"}), (Qt.Key.Key_B, {"B"})):
        with qtbot.waitSignal(window.workspace.plots.arms_shown) as toggled:
            qtbot.keyClick(window, key)
        assert toggled.args == [shown]

    click(qtbot, window, "export")
    dialog = window.findChild(ExportDialog)
    assert dialog is not None
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
    assert live is not None
    assert saved.blocks == live.blocks
    window.open_controller.open(str(recording))
    qtbot.waitUntil(lambda: len(window.session.runs) == 2)
    idle(qtbot, window)


def test_that_a_killed_worker_and_a_vanished_file_are_sentences_and_the_next_run_works(
    qtbot, window, own_copy
):
    opened(qtbot, window, own_copy)
    with held_loader(qtbot, window) as loader:
        worker = loader.parent()
        assert worker is not None
        worker.kill()
    idle(qtbot, window)
    assert "worker" in slot_text(window).lower()
    window.session.set_preset("A", "mmap")
    click(qtbot, window, "run_a")
    idle(qtbot, window)
    record = window.session.record("A")
    assert record is not None
    assert record.state == "finished"

    own_copy.unlink()
    click(qtbot, window, "run_a")
    idle(qtbot, window)
    assert "copy.safetensors" in slot_text(window)
    assert "Traceback" not in slot_text(window)
    window.open_controller.open(str(own_copy))
    idle(qtbot, window)
    assert "copy.safetensors" in slot_text(window)


def slow(window):
    """Make A take a few seconds."""
    for axis, value in (("access", "read"), ("order", "random"), ("chunk_bytes", "4KiB")):
        window.session.set_axis("A", axis, value)


def test_that_stop_and_closing_end_a_run_and_leave_no_process(qtbot, window, sample):
    opened(qtbot, window, sample)
    slow(window)
    click(qtbot, window, "run_a")
    qtbot.waitUntil(lambda: bool(children()))
    click(qtbot, window, "stop")
    idle(qtbot, window)
    qtbot.waitUntil(lambda: not children())

    click(qtbot, window, "run_a")
    qtbot.waitUntil(lambda: bool(children()))
    window.close()
    assert not window.isVisible()
    assert not children()


@pytest.mark.long
def test_that_the_window_stays_alive_while_a_large_model_opens(qtbot, window, tmp_path):
    path = tmp_path / "many.safetensors"
    many_tensors(path, 20_000)
    window.open_controller.open(str(path))
    qtbot.waitUntil(lambda: bool(children()))
    (reading,) = children()
    reading.suspend()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: window.findChild(ShortcutsDialog) is not None)
    assert window.session.activity is Activity.OPENING
    reading.resume()
    qtbot.waitUntil(lambda: window.session.inspection is not None)
    assert window.session.inspection is not None
    assert len(window.session.inspection.model.tensors) == 20_000


def many_tensors(path, count):
    entries = ",".join(
        f'"model.layers.{i // 200}.experts.{i % 200}.w":'
        f'{{"dtype":"U8","shape":[64],"data_offsets":[{i * 64},{i * 64 + 64}]}}'
        for i in range(count)
    )
    header = f"{{{entries}}}".encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(count * 64))
