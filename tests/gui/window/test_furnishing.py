"""The window begins with the page where models are opened; the rest is made a moment later."""

import subprocess
import sys

import pytest
from legibility import settled
from PySide6.QtWidgets import QApplication, QMenu
from window_fakes import built, ended, opened

from modelmon.gui.compare import strategy_card


@pytest.fixture
def window(new_window):
    return new_window


def test_that_the_window_starts_without_what_draws_plots_and_writes_toml():
    found = "bool({'numpy', 'pyqtgraph', 'tomlkit'} & {*sys.modules})"
    code = f"import sys, modelmon.gui.shell.app; sys.exit({found})"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0


def test_that_the_start_page_is_shown_alone_and_gives_its_place_to_an_open_model(window, qtbot):
    settled(window)
    assert window.empty.isVisible()
    place = window.empty.mapTo(window, window.empty.rect().topLeft())
    size = window.empty.size()
    assert window.workspace.empty is window.empty
    settled(window)
    # None of its parts was a window of its own, which would take the keyboard.
    assert QApplication.activeWindow() is window
    # Whoever is made around it does not move it.
    assert window.empty.mapTo(window, window.empty.rect().topLeft()) == place
    assert window.empty.size() == size
    opened(window)
    qtbot.waitUntil(lambda: not window.empty.isVisible())
    assert window.workspace.plots.isVisible()


def test_that_what_was_told_before_is_heard_by_those_made_after(window, qtbot):
    window.session.log("Told early.")
    opened(window)
    qtbot.waitUntil(lambda: window.is_furnished)
    assert window.workspace.log.toPlainText().count("Told early.") == 1
    assert all(card.isVisible() for card in window.workspace.cards.values())


def test_that_nothing_is_made_for_a_window_that_was_closed(window, qtbot):
    window.close()
    qtbot.wait(150)
    assert not window.is_furnished


def test_that_the_menu_offers_the_plots_from_the_start(window):
    view = next(menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "&View")
    view.aboutToShow.emit()
    assert window.workspace.plots.controls.menu in [action.menu() for action in view.actions()]


def test_that_the_rest_is_made_once_the_start_page_is_painted(window, qtbot):
    qtbot.waitUntil(lambda: window.is_furnished, timeout=5000)
    assert window.empty.isVisible()
    assert not window.actions_by_id["open_file"].icon().isNull()


def test_that_a_window_closed_on_its_start_page_forgets_no_choice(qapp, settings):
    del qapp
    settings.tab = "page-cache"
    ended(built(settings))
    assert settings.tab == "page-cache"


def test_that_each_card_looks_for_libraries_once_for_a_model(window, monkeypatch):
    looks = []
    offered = strategy_card.offered
    monkeypatch.setattr(
        strategy_card, "offered", lambda *asked: looks.append(asked) or offered(*asked)
    )
    opened(window)
    assert window.workspace.isVisible()
    settled(window)
    assert len(looks) == len(window.workspace.cards)
    opened(window)
    assert len(looks) == 2 * len(window.workspace.cards)
