"""Every command: its keys, menu and handler; the list of commands and keys, and the tour."""

from types import SimpleNamespace

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_fakes import make_comparison, opened

from modelmon.gui.plots.plot_row import PlotRow
from modelmon.gui.runs.replay import Playback, ReplayBar
from modelmon.gui.runs.run_actions import RUN_ACTIONS
from modelmon.gui.session.actions import ACTIONS, MENUS, reasons_against
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity, Session
from modelmon.gui.shell.help_dialogs import (
    GESTURES,
    PLOT_KEYS,
    RANKING_KEYS,
    RECENTS_KEYS,
    REPLAY_KEYS,
    TREE_KEYS,
    CommandPalette,
)
from modelmon.gui.shell.tour import STEPS, Tour

KEYS = Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier


def ask(qtbot, window, focused=None):
    window.activateWindow()
    at = focused or window
    at.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is at)
    qtbot.keyClick(at, *KEYS)
    return window.findChildren(CommandPalette)[-1]


def row(palette, text):
    at = palette.shown.index(text)
    items = (palette.table.item(at, column) for column in range(3))
    return tuple(item.text() for item in items if item is not None)


def test_that_every_command_is_found_by_words_in_any_order_and_done_if_it_can_be(qtbot, window):
    palette = ask(qtbot, window)
    commands = {spec.text for spec in (*ACTIONS, *RUN_ACTIONS) if spec.id != "palette"}
    keys = (*PLOT_KEYS, *TREE_KEYS, *RANKING_KEYS, *REPLAY_KEYS, *RECENTS_KEYS, *GESTURES)
    assert set(palette.shown) == commands | {text for _, text in keys}
    assert row(palette, "Open file…") == ("Open file…", "File", "Ctrl+O")
    assert row(palette, "Compare A/B") == ("Compare A/B", "Open a model first.", "F5")

    def search(text):
        palette.search.clear()
        qtbot.keyClicks(palette.search, text)
        return palette.shown

    found = search("open")
    assert found[0] == "Open file…"
    assert found.index("Open recording…") < found.index("Compare A/B")
    assert search("colors system") == ["System colors"]
    assert search("f9")[0] == "Side panel"
    assert search("pgdown") == ["Move forward", "Move back"]
    assert row(palette, "Move back")[1] == "In a replay"
    assert search("no such thing") == []
    assert palette.nothing.isVisible()
    assert search("run a")[0] == "Run A"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert palette.isVisible()
    search("side panel")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return):
        assert window.side.isVisible()
        qtbot.keyClick(palette.search, key)
    assert not palette.isVisible()
    assert not window.side.isVisible()


def test_that_it_opens_from_a_field_and_from_the_runs_table_with_its_commands(qtbot, window):
    opened(window)
    ask(qtbot, window, window.side.tree.search).reject()
    work = window.workspace
    # Which runs they would change is not seen yet.
    hidden = ask(qtbot, window, window.side.tree.search)
    assert row(hidden, "Compare selected runs…")[1] == "Runs"
    hidden.search.setText("import recording")
    qtbot.keyClick(hidden.search, Qt.Key.Key_Return)
    assert hidden.isVisible()
    hidden.reject()
    work.tabs.setCurrentWidget(work.runs)
    palette = ask(qtbot, window, work.runs.table)
    assert row(palette, "Compare selected runs…") == (
        *("Compare selected runs…", "Select two or more runs."),
        "Ctrl+Shift+K",
    )


def progress():
    return ProgressView("At work")


def test_that_every_action_has_a_handler_a_key_of_its_own_and_is_in_its_menu(window):
    keys = [
        key.toString()
        for spec in ACTIONS
        if spec.shortcut
        for key in QKeySequence.listFromString(spec.shortcut)
    ]
    assert all(keys)
    assert len(keys) == len(set(keys))
    assert {*window.commands.does} >= {spec.id for spec in ACTIONS}
    found = {
        menu.title().replace("&", ""): {
            spec.id for spec in ACTIONS if window.actions_by_id[spec.id] in menu.actions()
        }
        for menu in (action.menu() for action in window.menuBar().actions())
    }
    assert found == {title: {spec.id for spec in ACTIONS if spec.menu == title} for title in MENUS}


def test_that_only_what_is_possible_can_be_used(qapp, session):
    loads = {"run_a", "run_b", "compare"}
    nothing_open = reasons_against(Session(qapp))
    assert {*loads, "stop", "export", "save_recording"} <= set(nothing_open)
    assert "open_file" not in nothing_open
    idle = set(reasons_against(session))
    assert not loads & idle
    assert "stop" in idle
    session.begin(Activity.RUNNING, progress)
    busy = set(reasons_against(session))
    assert {*loads, "open_file", "swap"} <= busy
    assert "stop" not in busy
    session.stopping()
    assert "stop" in reasons_against(session)
    session.end()
    assert set(reasons_against(session)) == idle
    session.conclude(make_comparison())
    assert not {"share", "copy_result"} & set(reasons_against(session))
    # A watched program that failed is shown in place of the verdict.
    session.program = SimpleNamespace(result=None, record=None)
    assert {"share", "copy_result"} <= set(reasons_against(session))


def test_that_it_ends_after_five_steps_or_at_once_and_keeps_nothing(qtbot, window):
    def tour():
        window.actions_by_id["tour"].trigger()
        (made,) = window.findChildren(Tour)
        return made

    made, titles = tour(), []
    for _ in STEPS:
        titles.append(made.title.text())
        assert window.rect().contains(made.geometry())
        qtbot.mouseClick(made.next_button, Qt.MouseButton.LeftButton)
    assert len(set(titles)) == len(STEPS) == 5
    assert made.isHidden()
    qtbot.waitUntil(lambda: not window.findChildren(Tour))
    qtbot.mouseClick(tour().leave_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.findChildren(Tour))
    QTest.keyClick(tour().next_button, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(Tour))


def test_that_a_plot_knows_every_key_that_the_list_names(qtbot, session):
    row = PlotRow(session)
    qtbot.addWidget(row)
    plot = row.throughput
    for keys, does in PLOT_KEYS:
        pressed = QKeySequence.listFromString(keys)[0][0]
        if pressed.key() == Qt.Key.Key_Tab:
            assert does == "Leave the plot"
        if pressed.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Escape):
            continue  # these go on to the window, see test_window_keys.py
        text = keys if len(keys) == 1 else ""
        event = QKeyEvent(QEvent.Type.KeyPress, pressed.key(), pressed.keyboardModifiers(), text)
        QApplication.sendEvent(plot.canvas, event)
        assert event.isAccepted(), keys


def test_that_a_replay_knows_every_key_that_the_list_names(qtbot, session, recordings):
    session.show_record("A", recordings.record(recordings.FAST))
    playback, bar = Playback(session), ReplayBar()
    qtbot.addWidget(bar)
    bar.follow(playback)
    playback.open()
    playback.pause()
    playback.seek(playback.end_s / 2)
    told = []
    playback.changed.connect(lambda: told.append(None))
    for keys, _ in REPLAY_KEYS:
        for sequence in QKeySequence.listFromString(keys):
            told.clear()
            qtbot.keyClick(bar.slider, sequence[0].key())
            assert told or not playback.active, keys
    assert not playback.active


def test_that_the_list_opens_by_its_keys(qtbot, window):
    for press, key in ((qtbot.keyClicks, "?"), (qtbot.keyClick, Qt.Key.Key_F1)):
        window.activateWindow()
        window.setFocus()
        qtbot.waitUntil(lambda: window.isActiveWindow() and window.hasFocus())
        press(window, key)
        qtbot.waitUntil(lambda: window.findChild(CommandPalette) is not None)
        window.findChild(CommandPalette).close()
        qtbot.waitUntil(lambda: window.findChild(CommandPalette) is None)
