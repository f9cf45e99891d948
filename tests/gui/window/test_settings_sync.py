"""What a window brings back, and windows beside each other."""

import pytest
from legibility import settled
from msgspec import structs
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from window_fakes import built, make_inspection, make_model

from modelmon.core.load.config import preset
from modelmon.gui.session.settings import Settings


@pytest.fixture
def start(qapp, tmp_path, monkeypatch):
    """Starts windows that share one file of settings, as the program's do."""
    del qapp
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))
    made = []

    def begin():
        window = built(Settings(tmp_path / "window.ini"))
        made.append(window)
        window.show()
        QApplication.processEvents()
        return window

    yield begin
    for window in made:
        window.close()
        window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def drag(qtbot, handle, upwards_px):
    """Move the handle between two panels."""
    here = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=here)
    there = here - QPoint(0, upwards_px)
    move = QMouseEvent(
        *(QEvent.Type.MouseMove, QPointF(there), QPointF(handle.mapToGlobal(there))),
        *(Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier),
    )
    QApplication.sendEvent(handle, move)
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=there)


def test_that_a_window_comes_back_as_it_was_left(qtbot, start):
    first = start()
    first.session.set_inspection(make_inspection())
    first.resize(790, 720)
    first.workspace.tabs.setCurrentWidget(first.workspace.log)
    first.actions_by_id["side_panel"].trigger()
    qtbot.waitUntil(lambda: first.size() == QSize(790, 720))
    settled(first)
    drag(qtbot, first.workspace.body.handle(1), 20)
    settled(first)
    heights = first.workspace.body.sizes()
    assert not first.workspace.division.isEmpty()
    first.close()

    second = start()
    second.session.set_inspection(make_inspection())
    settled(second)
    assert second.size() == QSize(790, 720)
    assert second.workspace.tabs.currentWidget() is second.workspace.log
    assert second.side.isHidden()
    assert second.workspace.body.sizes() == heights
    # Not in an empty ranking.
    second.workspace.tabs.setCurrentWidget(second.workspace.best)
    second.close()
    third = start()
    assert third.workspace.tabs.currentWidget() is not third.workspace.best


def test_that_settings_that_cannot_be_written_are_said_until_they_can_be(qtbot, tmp_path, start):
    window = start()
    place = tmp_path / "no folder"
    place.write_text("a file")
    window.settings._store = QSettings(str(place / "window.ini"), QSettings.Format.IniFormat)
    window.session.set_repeats(7)
    qtbot.waitUntil(lambda: "aren't saved" in window.session.unsaved.get("settings", ""))
    place.unlink()
    window.session.set_repeats(8)
    qtbot.waitUntil(lambda: not window.session.unsaved["settings"])
    assert Settings(place / "window.ini").repeats == 8


def test_that_windows_share_presets_and_know_nothing_of_each_others_model(start):
    first, second = start(), start()
    first.session.set_inspection(make_inspection(make_model("/data/one")))
    second.session.set_inspection(make_inspection(make_model("/data/two")))
    first.session.set_preset("A", "direct")
    first.session.own_presets.save("calm", preset("sequential").config)
    second.session.own_presets.save("bold", preset("direct").config)
    assert set(second.session.own_presets.configs) == {"calm", "bold"}
    first.session.own_presets.remove("calm")
    assert set(first.session.own_presets.configs) == {"bold"}
    first.close()
    assert second.isVisible()
    assert second.session.inspection.model.path == "/data/two"
    assert second.session.strategy_name("A") != "direct"
    assert set(start().session.own_presets.configs) == {"bold"}


def test_that_a_name_is_written_with_every_character_of_it(start):
    window = start()
    model = structs.replace(make_model("/data/R&D"), name="R&D")
    window.settings.add_recent(model.path, model, 1.0)
    window.session.set_inspection(make_inspection(model))
    menu = window.toolbar.chip.menu()
    menu.aboutToShow.emit()
    # Written once, it would underline the letter behind it.
    assert "R&&D" in window.toolbar.chip.text()
    assert "R&&D" in [action.text() for action in menu.actions()]
