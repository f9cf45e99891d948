from PySide6.QtGui import QKeySequence

from modelmon.gui.session.actions import ACTIONS, MENUS, reasons_against
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity, Session


def progress():
    return ProgressView("At work")


def test_that_every_action_has_a_handler_and_a_key_of_its_own(window):
    keys = [
        key.toString()
        for spec in ACTIONS
        if spec.shortcut
        for key in QKeySequence.listFromString(spec.shortcut)
    ]
    assert len(keys) == len(set(keys))
    assert all(keys)
    assert list(window.commands.does) == [spec.id for spec in ACTIONS]


def test_that_every_action_is_in_its_menu(window):
    menus = [action.menu() for action in window.menuBar().actions()]
    found = {
        menu.title().replace("&", ""): {
            spec.id for spec in ACTIONS if window.actions_by_id[spec.id] in menu.actions()
        }
        for menu in menus
    }
    assert found == {title: {spec.id for spec in ACTIONS if spec.menu == title} for title in MENUS}


def test_that_nothing_can_run_without_a_model(qapp):
    against = reasons_against(Session(qapp))
    assert {"run_a", "run_b", "compare", "stop", "export", "save_recording"} <= set(against)
    assert "open_file" not in against


def test_that_an_open_model_can_be_run(session):
    against = reasons_against(session)
    assert not {"run_a", "run_b", "compare"} & set(against)
    assert "stop" in against


def test_that_only_stop_is_left_while_something_runs(session):
    session.begin(Activity.RUNNING, progress)
    against = reasons_against(session)
    assert {"run_a", "run_b", "compare", "open_file", "swap"} <= set(against)
    assert "stop" not in against
    session.stopping()
    assert "stop" in reasons_against(session)
    session.end()
    assert "run_a" not in reasons_against(session)
