"""The window begins with the page where models are opened; the rest is made a moment later."""

import subprocess
import sys

from legibility import settled
from PySide6.QtWidgets import QApplication, QMenu
from window_fakes import built, ended, opened

from modelmon.core.load.libraries import registry


def test_that_the_window_starts_without_what_draws_plots_and_writes_toml():
    found = "bool({'numpy', 'pyqtgraph', 'tomlkit'} & {*sys.modules})"
    code = f"import sys, modelmon.gui.shell.app; sys.exit({found})"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0


def test_that_the_start_page_is_shown_alone_and_gives_its_place_to_an_open_model(
    new_window, qtbot, monkeypatch
):
    window, looks, available = new_window, [], registry.available
    monkeypatch.setattr(registry, "available", lambda of: looks.append(of) or available(of))
    window.session.log("Told early.")
    # The menu offers the plots from the start.
    bar = window.menuBar()
    view = next(menu for menu in bar.findChildren(QMenu) if menu.title() == "&View")
    view.aboutToShow.emit()
    assert "Plots" in [action.text().replace("&", "") for action in view.actions()]
    settled(window)
    assert window.empty.isVisible()
    place, size = window.empty.mapTo(window, window.empty.rect().topLeft()), window.empty.size()
    # The rest is made once it is painted.
    qtbot.waitUntil(lambda: window.is_furnished, timeout=5000)
    settled(window)
    assert not window.actions_by_id["open_file"].icon().isNull()
    # None of its parts was a window of its own, which would take the keyboard.
    assert QApplication.activeWindow() is window
    # Whoever is made around it does not move it.
    assert window.empty.mapTo(window, window.empty.rect().topLeft()) == place
    assert window.empty.size() == size
    looks.clear()
    opened(window)
    qtbot.waitUntil(lambda: not window.empty.isVisible())
    assert window.workspace.plots.isVisible()
    assert all(card.isVisible() for card in window.workspace.cards.values())
    # What was told before is heard by those made after.
    assert window.workspace.log.toPlainText().count("Told early.") == 1
    settled(window)
    # Both cards have what is installed from one look.
    assert looks == [window.session.inspection.model]


def test_that_nothing_is_made_for_a_window_that_was_closed_and_its_choices_stay(qtbot, settings):
    settings.tab = "page-cache"
    window = built(settings)
    window.show()
    window.close()
    qtbot.wait(150)
    assert not window.is_furnished
    ended(window)
    assert settings.tab == "page-cache"
