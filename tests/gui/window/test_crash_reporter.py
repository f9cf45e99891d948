import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from modelmon.gui.shell.crash_reporter import CrashReporter


@pytest.fixture
def reporter(tmp_path, qtbot):
    made = CrashReporter(tmp_path / "data" / "crash.log")
    yield made
    if made.dialog is not None:
        made.dialog.close()


def report(reporter, text):
    with pytest.raises(RuntimeError) as caught:
        raise RuntimeError(text)
    reporter.report(caught.type, caught.value, caught.tb)


def shown(reporter, qtbot):
    qtbot.waitUntil(lambda: reporter.dialog is not None)
    assert reporter.dialog is not None
    return reporter.dialog


def test_that_an_error_is_a_sentence_on_screen_and_a_traceback_in_a_private_file(
    reporter, qtbot, tmp_path
):
    # What it quotes of a file is text, and the home folder is nobody's business.
    report(reporter, f"<img src=x>\x1b[31m \udcff {Path.home()}/models/secret.gguf")
    for at in range(4):
        report(reporter, f"frame {at}")
    dialog = shown(reporter, qtbot)
    qtbot.wait(1)
    assert reporter.dialog is dialog
    assert dialog.textFormat() == Qt.TextFormat.PlainText
    assert "RuntimeError: <img src=x>\ufffd[31m \ufffd ~/models/secret.gguf" in (
        dialog.informativeText()
    )
    assert "Traceback" not in dialog.text() + dialog.informativeText()
    next(button for button in dialog.buttons() if button.text() == "Copy details").click()
    assert dialog.isVisible()
    file = tmp_path / "data" / "crash.log"
    for text in (QGuiApplication.clipboard().text(), file.read_text()):
        assert "Traceback" in text
        assert "~/models/secret.gguf" in text
        assert str(Path.home()) not in text
    assert file.read_text().count("Traceback") == 5
    assert not file.stat().st_mode & 0o077


def test_that_errors_without_end_do_not_fill_the_disk(reporter, tmp_path, monkeypatch):
    monkeypatch.setattr("modelmon.core.crash_log._MOST_BYTES", 10_000)
    for _ in range(4):
        report(reporter, "x" * 6_000)
    sizes = [path.stat().st_size for path in (tmp_path / "data").iterdir()]
    assert len(sizes) == 2
    assert sum(sizes) < 36_000


def test_that_an_error_of_another_thread_is_shown_too(reporter, qtbot, monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    reporter.install()
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    assert "ZeroDivisionError" in shown(reporter, qtbot).informativeText()


def test_that_a_folder_that_cannot_be_written_does_not_make_it_worse(qtbot, tmp_path):
    (tmp_path / "file").touch()
    reporter = CrashReporter(tmp_path / "file" / "crash.log")
    report(reporter, "the plot is upside down")
    shown(reporter, qtbot).close()
