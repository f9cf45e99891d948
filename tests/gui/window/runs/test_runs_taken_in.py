"""Recordings made elsewhere are dropped onto the tab, marked, and never counted with others."""

import errno

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from runs_past import change, column, seen, settle
from window_fakes import LOAD_A, LOAD_B

from modelmon.core.comparison.posterior import usual_ratio
from modelmon.core.history.groups import side_by_side
from modelmon.core.worker import events as ev
from modelmon.gui.runs.run_lines import TITLES

# Qt 6.12 has a new form of the constructor of a drag, which older ones lack.
pytestmark = pytest.mark.filterwarnings("ignore:.*QDragEnterEvent:DeprecationWarning")


@pytest.fixture
def files(tmp_path):
    """Two recordings, the second cut in its middle."""
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    whole.write_bytes(b"".join(ev.encode(event) for event in LOAD_A.events()))
    cut.write_bytes(b"".join(ev.encode(event) for event in LOAD_B.events())[:-300])
    return [whole, cut]


def drop(panel, paths):
    """Drag files over the tab and let them go; whether the tab takes them."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    what = (mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, *what)
    panel.dragEnterEvent(enter)
    if enter.isAccepted():
        panel.dropEvent(QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, *what))
    return enter.isAccepted()


def test_that_a_dropped_recording_is_listed_as_imported_and_set_against_nothing(
    qtbot, window, past, inspection, files
):
    other = change(past.origin, model=change(past.origin.model, name="other", digest="other"))
    for at in range(40):
        past.keep(past.result("mmap", 100 + at, 1), other)
    panel = seen(qtbot, window, inspection)
    table = panel.table
    table.sortByColumn(TITLES.index("Time"), Qt.SortOrder.AscendingOrder)
    assert panel.filter.model.currentText() == "This model"
    assert drop(panel, files[:1])
    assert window.session.notice.headline == "Importing whole.jsonl"
    assert window.workspace.slot.page.offered["Close"].isVisible()
    # It is of another model than the open one, and the list moves to it.
    qtbot.waitUntil(lambda: bool(panel.selected))
    assert [line.elsewhere for line in panel.selected] == ["Imported"]
    assert panel.filter.model.currentText() == "All models"
    (row,) = {index.row() for index in table.selectionModel().selectedRows()}
    assert row == 40
    place = table.visualRect(table.runs.index(row, 0))
    assert table.viewport().rect().contains(place.center())
    assert any(text.startswith("Imported: Linux, 8 CPUs") for text in column(panel, "Where"))
    rows = past.history.runs()
    each = [(str(row.id), [row]) for row in (rows[-1], *rows[:1])]
    _, other = side_by_side(each, usual_ratio)
    assert other.times_as_fast is None
    assert "machine, disk and model of an import are uncertain" in other.differs
    assert "never compared with" in window.session.notice.reason
    # One of the open model leaves the list to that model.
    panel.filter.model.setCurrentText("This model")
    content = files[0].read_text().replace('"llama"', f'"{inspection.model.name}"')
    files[0].write_text(content)
    assert drop(panel, files[:1])
    settle(qtbot, window)
    assert [line.elsewhere for line in panel.selected] == ["Imported"]
    assert panel.filter.model.currentText() == "This model"


def test_that_a_cut_recording_is_refused_with_a_reason_and_the_others_are_taken(
    qtbot, window, past, inspection, files
):
    panel = seen(qtbot, window, inspection)
    assert drop(panel, files)
    settle(qtbot, window)
    assert len(past.history.runs()) == 1
    notice = window.session.notice
    assert notice.headline == "Imported 1 of 2 recordings: run 1."
    assert "breaks off" in notice.caveat
    assert drop(panel, files)
    settle(qtbot, window)
    assert "in the history already, as run 1" in window.session.notice.headline
    assert "1 more couldn't be imported" in window.session.notice.caveat


@pytest.fixture
def failing(monkeypatch):
    """Lets every import from then on meet with an error."""

    def let_fail(error):
        def fail(*_):
            raise error

        monkeypatch.setattr("modelmon.gui.runs.run_library.import_recording", fail)

    return let_fail


def test_that_faults_of_the_program_and_of_the_disk_are_told_apart(
    qtbot, window, inspection, files, failing, sample
):
    panel = seen(qtbot, window, inspection)
    failing(ZeroDivisionError())
    with qtbot.captureExceptions() as caught:
        assert drop(panel, files)
        qtbot.waitUntil(lambda: bool(caught))
    assert caught[0][0] is ZeroDivisionError
    assert not window.session.busy
    failing(OSError(errno.ENOSPC, "No space left on device"))
    assert drop(panel, files)
    settle(qtbot, window)
    assert not window.session.busy
    assert "No space left on device" in window.session.notice.headline
    # Models are left to the window.
    assert not drop(panel, [*files, sample])
