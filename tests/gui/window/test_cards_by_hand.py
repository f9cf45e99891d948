"""Cards and plots with mouse and keys alone: menus, presets, impossible values, files."""

import pytest
from menus import choose, popped_up, take, type_file
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QToolTip
from window_fakes import opened

from modelmon.gui.compare.setting_chips import AxisEditor
from modelmon.gui.compare.strategy_card import PresetDialog

pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support")


@pytest.fixture
def window(window):
    """The window with a model and the first arms there are."""
    opened(window)
    for label, name in (("A", "mmap"), ("B", "parallel")):
        window.session.set_preset(label, name)
    return window


def test_that_an_arm_is_copied_swapped_and_reset_by_its_menu(qtbot, window):
    session, cards = window.session, window.workspace.cards
    choose(qtbot, cards["B"].menu_button, "Swap A and B")
    assert (session.strategy_name("A"), session.strategy_name("B")) == ("parallel", "mmap")
    choose(qtbot, cards["A"].menu_button, "Copy to B")
    assert (session.strategy_name("A"), session.strategy_name("B")) == ("parallel", "parallel")
    choose(qtbot, cards["A"].menu_button, "Reset A")
    assert session.strategy_name("A") == "mmap"


def test_that_settings_are_saved_as_a_preset_and_used_in_the_other_arm_by_keys(qtbot, window):
    session, cards = window.session, window.workspace.cards
    session.set_axis("A", "readers", "3")
    cards["A"].menu_button.setFocus()
    qtbot.keyClick(cards["A"].menu_button, Qt.Key.Key_Space)
    menu = popped_up(qtbot)
    while menu.activeAction() is None or not menu.activeAction().text().startswith("Save as"):
        qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(PresetDialog) is not None)
    dialog = window.findChild(PresetDialog)
    assert isinstance(dialog, PresetDialog)
    qtbot.keyClicks(dialog.name, "three")
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    assert session.strategy_name("A") == "three"
    box = cards["B"].preset
    box.setFocus()
    while box.currentText() != "three":
        before = box.currentIndex()
        qtbot.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() > before
    assert session.config("B") == session.config("A")


def test_that_keys_pass_over_an_impossible_value_and_its_tool_tip_says_why(qtbot, window):
    session, card = window.session, window.workspace.cards["A"]
    choose(qtbot, card.menu_button, "All settings…")
    editor = card.findChild(AxisEditor)
    assert editor is not None
    field = editor.fields["deliver"]
    assert isinstance(field, QComboBox)
    qtbot.keyClick(field, Qt.Key.Key_Home)
    reached = {field.currentText()}
    for _ in range(field.count()):
        qtbot.keyClick(field, Qt.Key.Key_Down)
        reached.add(field.currentText())
    every = {field.itemText(at) for at in range(field.count())}
    assert every - reached == {"untouched"}
    assert session.config("A").deliver == "decoded"

    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(field.view().isVisible)
    index = field.model().index(field.findText("untouched"), 0)
    place, viewport = field.view().visualRect(index).center(), field.view().viewport()
    hover = QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, hover)
    assert QToolTip.text().startswith("Only a library")
    QToolTip.hideText()
    field.hidePopup()
    editor.close()


PLOTS = ["throughput", "io_wait", "rss"]


@pytest.fixture
def plots(window, recordings):
    window.resize(1920, 1080)
    opened(window)
    window.session.show_record("A", recordings.record(recordings.SLOW))
    window.session.show_record("B", recordings.record(recordings.FAST))
    QApplication.processEvents()
    return window.workspace.plots


def seen(plots):
    return [key for key, plot in plots.by_key.items() if plot.isVisible()]


def test_that_a_plot_is_saved_as_what_its_name_or_kind_says(qtbot, plots, tmp_path):
    for typed, kind, written in (
        ("typed", "", "typed.png"),
        ("typed.svg", "", "typed.svg"),
        ("typed", "CSV (*.csv)", "typed.csv"),
    ):
        choose(qtbot, plots.rss.header.more, "Save plot…")
        type_file(qtbot, plots.rss, str(tmp_path / typed), kind)
        path = tmp_path / written
        assert [each.name for each in tmp_path.iterdir() if "typed" in each.name] == [written]
        if path.suffix == ".png":
            assert QImage(str(path)).width() == 2 * plots.rss.width()
        else:
            text, is_svg = path.read_text(), path.suffix == ".svg"
            assert ("<svg" in text) if is_svg else text.startswith("run,t_ns,rss_anon")
        path.unlink()


def test_that_figures_are_copied_from_the_menu_of_the_right_button(qtbot, window, plots):
    plot = plots.throughput
    place = plot.rect().center()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.postEvent(plot, QContextMenuEvent(reason, place, plot.mapToGlobal(place)))
    take(qtbot, "Copy as CSV")
    assert QGuiApplication.clipboard().text().startswith("run,t_ns,")
    assert "as CSV" in window.statusBar().currentMessage()


def test_that_a_plot_is_maximised_and_hidden_by_clicks_and_comes_back(qtbot, window, plots):
    qtbot.mouseClick(plots.rss.header.maximise, Qt.MouseButton.LeftButton)
    assert seen(plots) == ["rss"]
    assert not window.workspace.tabs.isVisible()
    choose(qtbot, plots.rss.header.more, "Restore")
    assert seen(plots) == PLOTS
    assert window.workspace.tabs.isVisible()
    choose(qtbot, plots.io_wait.header.more, "Hide plot")
    assert seen(plots) == ["throughput", "rss"]
    bar = window.menuBar()
    (view,) = [action for action in bar.actions() if action.text() == "&View"]
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.actionGeometry(view).center())
    shown_plots = plots.controls.menu
    take(qtbot, shown_plots.title())
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is shown_plots)
    take(qtbot, "I/O wait")
    assert seen(plots) == PLOTS


def test_that_a_legend_entry_hides_its_curve_by_a_click_and_shows_it_again(qtbot, plots):
    plot = plots.throughput
    entry = plot.entries["delivered"]
    for hidden in (True, False):
        qtbot.mouseClick(entry, Qt.MouseButton.LeftButton, pos=QPoint(5, entry.height() // 2))
        assert entry.isChecked() != hidden
        assert all(plot.traces[arm, "delivered"].visible != hidden for arm in ("A", "B"))
