"""A run that ends while nobody looks at its window."""

import pytest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from tests.system.windows import idle, opened, shown_window

pytestmark = [pytest.mark.system, pytest.mark.long]


@pytest.mark.parametrize("looks", [False, True], ids=["minimised", "looked at"])
def test_that_the_desktop_hears_of_a_run_only_where_nobody_looks(
    qtbot, tmp_path, sample, monkeypatch, *, looks
):
    told = []
    monkeypatch.setattr("modelmon.gui.window.desktop_notice.LONG_S", 0.0)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda _: None)
    monkeypatch.setattr(
        QSystemTrayIcon, "showMessage", lambda _, title, text, *_rest: told.append((title, text))
    )
    with shown_window(qtbot, tmp_path / "window.ini") as window:
        opened(qtbot, window, sample)
        window.session.set_cache("as-is")
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        if not looks:
            window.showMinimized()
        window.actions_by_id["run_a"].trigger()
        idle(qtbot, window)
        QApplication.processEvents()
        assert [title.split(" after")[0] for title, _ in told] == (
            [] if looks else ["Run finished"]
        )
        assert all(text.startswith("A took ") for _, text in told)
