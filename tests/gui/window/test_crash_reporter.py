from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication

from modelmon.gui.window.crash_reporter import CrashReporter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QMessageBox
    from pytestqt.qtbot import QtBot


@pytest.fixture
def reporter(tmp_path: Path, qtbot: QtBot) -> Iterator[CrashReporter]:
    made = CrashReporter(tmp_path / "data" / "crash.log")
    yield made
    if made.dialog is not None:
        made.dialog.close()


def report(reporter: CrashReporter, text: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        raise RuntimeError(text)
    reporter.report(caught.type, caught.value, caught.tb)


def shown(reporter: CrashReporter, qtbot: QtBot) -> QMessageBox:
    qtbot.waitUntil(lambda: reporter.dialog is not None)
    assert reporter.dialog is not None
    return reporter.dialog


def test_that_an_error_is_a_sentence_on_screen_and_a_traceback_in_the_file(
    reporter: CrashReporter, qtbot: QtBot, tmp_path: Path
) -> None:
    report(reporter, "the plot is upside down")
    dialog = shown(reporter, qtbot)
    assert "RuntimeError: the plot is upside down" in dialog.informativeText()
    assert "Traceback" not in dialog.text() + dialog.informativeText()
    assert "Traceback" in (tmp_path / "data" / "crash.log").read_text()


def test_that_the_details_can_be_copied(reporter: CrashReporter, qtbot: QtBot) -> None:
    report(reporter, "the plot is upside down")
    dialog = shown(reporter, qtbot)
    copy = next(button for button in dialog.buttons() if button.text() == "Copy details")
    copy.click()
    assert "Traceback" in QGuiApplication.clipboard().text()
    assert dialog.isVisible()


def test_that_many_errors_open_one_dialog(
    reporter: CrashReporter, qtbot: QtBot, tmp_path: Path
) -> None:
    for at in range(5):
        report(reporter, f"frame {at}")
    dialog = shown(reporter, qtbot)
    qtbot.wait(1)
    assert reporter.dialog is dialog
    assert (tmp_path / "data" / "crash.log").read_text().count("Traceback") == 5


def test_that_an_error_of_another_thread_is_shown_too(
    reporter: CrashReporter, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    reporter.install()
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    assert "ZeroDivisionError" in shown(reporter, qtbot).informativeText()


def test_that_a_folder_that_cannot_be_written_does_not_make_it_worse(
    qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    reporter = CrashReporter(tmp_path / "file" / "crash.log")
    report(reporter, "the plot is upside down")
    shown(reporter, qtbot).close()
