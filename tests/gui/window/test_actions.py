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
