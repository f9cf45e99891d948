"""Every state of the window at 1280x800: all text is seen whole, all controls have a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from legibility import findings, settled, shown, told
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QWidget,
)
from window_fakes import LOAD_A, LOAD_B, make_comparison, make_preflight

from modelmon.core.experiment.summary import summarise
from modelmon.gui.activity import Activity
from modelmon.gui.export_dialog import ExportDialog
from modelmon.gui.help_dialogs import AboutDialog
from modelmon.gui.main_window import MainWindow
from modelmon.gui.panels.shortcuts_dialog import ShortcutsDialog
from modelmon.gui.plots.pens import main_pen, thin_pen
from modelmon.gui.session import LABELS
from modelmon.gui.slot import Notice, ProgressView, Square
from modelmon.gui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QDialog
    from pytestqt.qtbot import QtBot

    from modelmon.gui.settings import Settings
    from modelmon.gui.theme import Theme

SIZE = (1280, 800)


@pytest.fixture
def window(
    qapp: QApplication, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    del qapp
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))
    made = MainWindow(settings)
    made.resize(*SIZE)
    made.show()
    yield made
    made.close()
    made.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def nothing_open(window: MainWindow) -> None:
    del window


def model_open(window: MainWindow) -> None:
    window.session.set_preflight(make_preflight())


def comparing(window: MainWindow) -> None:
    model_open(window)
    squares = tuple(
        Square(label, "done" if at < 3 else "to-do") for at in range(5) for label in LABELS
    )
    view = ProgressView(
        "Compare: pair 2 of at most 11",
        share=0.3,
        time_left="At most about 1 min 20 s left in all",
        detail="B is loading: 1.10 of 2.00 GB at 1.35 GB/s",
        fact="Cold start verified: 0 % of the file was cached",
        arm="B",
        squares=squares,
    )
    window.session.begin(Activity.COMPARING, lambda: view)


def compared(window: MainWindow) -> None:
    model_open(window)
    for label, load in (("A", LOAD_A), ("B", LOAD_B)):
        record = load.record()
        window.session.add_run(label, record, None, summarise(record))
        window.session.show_record(label, record)
        window.session.set_results(label, (summarise(record),))
    window.session.set_comparison(make_comparison())


def failed(window: MainWindow) -> None:
    model_open(window)
    window.session.say(
        Notice(
            "The file changed while it was loading.",
            "/data/llama/model.safetensors has another size than before.",
            "Wait until it is written, then open it again.",
            tone="bad",
        )
    )


STATES = (nothing_open, model_open, comparing, compared, failed)


@pytest.mark.parametrize("reach", STATES, ids=lambda state: state.__name__)
def test_that_a_state_is_legible_and_named(
    window: MainWindow, reach: Callable[[MainWindow], None]
) -> None:
    reach(window)
    for at in range(window.workspace.tabs.count()):
        window.workspace.tabs.setCurrentIndex(at)
        assert findings(window) == {}, window.workspace.tabs.tabText(at)


def _settings(window: MainWindow) -> QDialog:
    return window.preferences.ask()


def _shortcuts(window: MainWindow) -> QDialog:
    window.handlers.shortcuts()
    return window.findChildren(ShortcutsDialog)[-1]


def _export(window: MainWindow) -> QDialog:
    compared(window)
    window.handlers.export()
    return window.findChildren(ExportDialog)[-1]


def _about(window: MainWindow) -> QDialog:
    window.handlers.about()
    return window.findChildren(AboutDialog)[-1]


DIALOGS = (_settings, _shortcuts, _export, _about)


@pytest.mark.parametrize("ask", DIALOGS, ids=lambda ask: ask.__name__.strip("_"))
def test_that_dialogs_are_legible_and_named(
    window: MainWindow, ask: Callable[[MainWindow], QDialog]
) -> None:
    dialog = ask(window)
    assert findings(dialog) == {}
    assert dialog.width() <= SIZE[0]
    assert dialog.height() <= SIZE[1]
    dialog.reject()


def test_that_all_controls_can_be_reached_by_keyboard(window: MainWindow) -> None:
    model_open(window)
    settled(window)
    left_out = [
        told(each)
        for each in shown(window)
        if isinstance(each, QAbstractButton | QLineEdit | QComboBox | QAbstractItemView)
        and each.isEnabled()
        and each.focusPolicy() == Qt.FocusPolicy.NoFocus
        and not isinstance(each.parentWidget(), QComboBox)
    ]
    assert left_out == []


def test_that_f6_goes_round_all_panels(qtbot: QtBot, window: MainWindow) -> None:
    model_open(window)
    settled(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    places: list[QWidget] = []
    for _ in range(12):
        window.handlers.focus_next_panel()
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in places:
            break
        places.append(focused)
    parts = (window.toolbar, window.side, *window.workspace.cards.values(), window.workspace.plots)
    for part in parts:
        assert any(part.isAncestorOf(place) for place in places), type(part).__name__


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_arms_differ_by_more_than_colour(theme: Theme) -> None:
    for pen in (main_pen, thin_pen):
        assert pen(theme, "A").style() != pen(theme, "B").style()
