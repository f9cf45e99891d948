import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication

from modelmon.gui.best.best_tab import BestTab
from modelmon.gui.best.find_best_controller import FindBestController
from modelmon.gui.model.model_tree import ModelTree
from modelmon.gui.plots.plot_row import PlotRow
from modelmon.gui.runs.replay import Playback, ReplayBar
from modelmon.gui.runs.run_actions import RUN_ACTIONS
from modelmon.gui.session.actions import ACTIONS
from modelmon.gui.session.machine import ProgramFinder
from modelmon.gui.session.run_controller import RunController
from modelmon.gui.shell.help_dialogs import (
    PLOT_KEYS,
    REPLAY_KEYS,
    ShortcutsDialog,
    shortcut_groups,
)


@pytest.fixture
def sheet(qtbot):
    made = ShortcutsDialog(shortcut_groups())
    qtbot.addWidget(made)
    made.show()
    return made


def test_that_every_command_with_a_key_is_on_the_sheet(sheet):
    shown = {(row.keys, row.text) for row in sheet.shown()}
    for spec in [spec for spec in (*ACTIONS, *RUN_ACTIONS) if spec.shortcut]:
        for keys in QKeySequence.listFromString(spec.shortcut):
            text = keys.toString(QKeySequence.SequenceFormat.NativeText)
            assert any(
                text in keys.split(" · ") and does == spec.text.rstrip("…") for keys, does in shown
            ), spec.id


def test_that_a_search_by_word_or_key_leaves_what_matches(qtbot, sheet):
    qtbot.keyClicks(sheet.search, "compare a")
    assert [row.text for row in sheet.shown()] == ["Compare A/B"]
    sheet.search.clear()
    qtbot.keyClicks(sheet.search, "F9")
    assert [row.text for row in sheet.shown()] == ["Side panel"]
    qtbot.keyClicks(sheet.search, "no such")
    assert sheet.shown() == []


def test_that_a_plot_knows_every_key_that_the_sheet_names(qtbot, session):
    row = PlotRow(session)
    qtbot.addWidget(row)
    plot = row.throughput
    for keys, _ in PLOT_KEYS:
        pressed = QKeySequence(keys)[0]
        if pressed.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape):
            continue  # these go on to the window, see test_main_window.py
        text = keys if len(keys) == 1 else ""
        event = QKeyEvent(QEvent.Type.KeyPress, pressed.key(), pressed.keyboardModifiers(), text)
        QApplication.sendEvent(plot.canvas, event)
        assert event.isAccepted(), keys


def keys_in(title):
    """What each key does in a part of the window, as the sheet says."""
    return dict(dict(shortcut_groups())[title])


def test_that_the_keys_of_tree_and_ranking_are_on_the_sheet(qtbot, session):
    form = QKeySequence.SequenceFormat.NativeText
    best = FindBestController(session, RunController(session), ProgramFinder(session))
    tree, ranking = ModelTree(), BestTab(session, best)
    for part in (tree, ranking):
        qtbot.addWidget(part)
    shown = keys_in("In the model tree")
    for action in tree.view.actions():
        if keys := action.shortcut().toString(form):
            assert shown[keys] == action.text()
    (copy,) = ranking.table.findChildren(QShortcut)
    assert copy.key().toString(form) in keys_in("In the Find best ranking")


def test_that_the_search_of_the_tree_knows_the_keys_that_the_sheet_names(qtbot, session):
    assert session.inspection is not None
    tree = ModelTree()
    qtbot.addWidget(tree)
    tree.set_model(session.inspection.model)
    tree.show()
    form = QKeySequence.SequenceFormat.NativeText
    native = {QKeySequence(key).toString(form) for key in ("Return", "Esc")}
    assert native <= keys_in("In the model tree").keys()
    qtbot.keyClicks(tree.search, "layers")
    qtbot.keyClick(tree.search, Qt.Key.Key_Return)
    assert tree.view.currentIndex().isValid()
    qtbot.keyClick(tree.search, Qt.Key.Key_Escape)
    assert not tree.search.text()


def test_that_a_replay_knows_every_key_that_the_sheet_names(qtbot, session, recordings):
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


def test_that_the_sheet_opens_by_its_keys(qtbot, window):
    for press, key in ((qtbot.keyClicks, "?"), (qtbot.keyClick, Qt.Key.Key_F1)):
        window.activateWindow()
        window.setFocus()
        qtbot.waitUntil(lambda: window.isActiveWindow() and window.hasFocus())
        press(window, key)
        qtbot.waitUntil(lambda: window.findChild(ShortcutsDialog) is not None)
        window.findChild(ShortcutsDialog).close()
        qtbot.waitUntil(lambda: window.findChild(ShortcutsDialog) is None)
