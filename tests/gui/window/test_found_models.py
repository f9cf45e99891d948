"""Models found on this machine: shown as they come, in the way of nothing."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from window_fakes import make_inspection

from modelmon.core.machine.storage import Storage
from modelmon.core.model.found_models import FoundModel, SearchedPlace
from modelmon.gui.background.commands import Command
from modelmon.gui.open.found_models import COLUMNS, FITS, NAME, FoundList, FoundModelsController
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity, Session

GB = 10**9
NVME = Storage("/m", "/m", "ext4", "/dev/nvme0n1", "local-disk", device="nvme0n1")
SMALL = FoundModel("small", "Ollama", "/m/small", 548_000_000, "gguf", 14, "Q4_K", NVME)
LARGE = FoundModel("large", "Hugging Face", "/m/large", 472 * GB, "safetensors", 62, "BF16", NVME)
BROKEN = FoundModel("half", "ComfyUI", "/m/half", problem="/m/half: the file is cut off.")
SEARCHED = [SearchedPlace("Ollama", "/m", "read", 1), SearchedPlace("ComfyUI", "/c", "refused")]


def line(**said):
    return msgspec.json.encode(said).decode()


def telling(*lines, then=""):
    return f"print(*{lines!r}, sep='\\n', flush=True)\n{then}"


@pytest.fixture
def empty_session(qapp):
    """A session in which nothing is open."""
    del qapp
    return Session()


@pytest.fixture
def finds(empty_session, settings, script):
    """Makes a search whose process is a script."""

    def make(text):
        return FoundModelsController(
            empty_session,
            settings,
            lambda arguments: Command(arguments, script(text)),
            parent=empty_session,
        )

    return make


def test_that_models_are_there_before_the_search_is_over_and_no_process_is_waited_for(finds, qtbot):
    hangs = "import time; time.sleep(60)"
    found = finds(telling(line(model=SMALL), then=hangs))
    found.look()
    qtbot.waitUntil(lambda: found.models == [SMALL])
    assert found.looking
    found.shut_down()
    found = finds(telling(line(model=SMALL), line(searched=SEARCHED), then=hangs))
    found.look()
    qtbot.waitUntil(lambda: not found.looking)
    assert found.searched == SEARCHED
    found.shut_down()


def test_that_a_search_ends_when_something_else_starts_and_goes_on_after(
    finds, empty_session, qtbot
):
    found = finds("import time; time.sleep(60)")
    found.look()

    empty_session.begin(Activity.SAMPLING, lambda: ProgressView("At work"))
    assert not found.looking
    empty_session.end()
    assert found.looking
    empty_session.begin(Activity.OPENING, lambda: ProgressView("At work"))
    empty_session.set_inspection(make_inspection())
    empty_session.end()
    assert not found.looking
    qtbot.waitUntil(lambda: not found.looking)
    found.shut_down()


def test_that_a_search_that_fails_says_why(finds, qtbot):
    found = finds("import sys; sys.exit('Error: out of order')")
    found.look()

    qtbot.waitUntil(lambda: not found.looking)
    assert "out of order" in found.failure


def shown(qtbot, *models):
    panel = FoundList()
    qtbot.addWidget(panel)
    panel.resize(1000, 400)
    panel.show()
    panel.show_found(models, SEARCHED, usable_bytes=56 * GB, looking=False)
    return panel


def rows(panel):
    table = panel.view.model()
    return [
        [table.index(row, column).data() for column in range(len(COLUMNS))]
        for row in range(table.rowCount())
    ]


def test_that_the_largest_comes_first_and_an_empty_list_says_where_was_searched(qtbot):
    panel = shown(qtbot, BROKEN, SMALL, LARGE)

    assert [(row[NAME], row[FITS]) for row in rows(panel)] == [
        ("large", "Doesn't fit"),
        ("small", "Fits"),
        ("half: the file is cut off.", "Unreadable"),
    ]
    assert rows(panel)[1] == [
        *("small", "Ollama", "gguf, Q4_K", "548 MB", "14"),
        *("nvme0n1, NVMe SSD", "Fits"),
    ]
    panel = shown(qtbot)
    assert "/c" in panel.state.text()
    assert panel.state.isVisible()

    panel.show_found([], SEARCHED[:1], usable_bytes=GB, looking=False)
    assert panel.state.text().startswith("Searched: Hugging Face, LM Studio")
    assert "llama.cpp and ComfyUI." in panel.state.text()


def test_that_a_click_opens_the_filter_looks_at_every_column_and_news_leave_the_selection(qtbot):
    panel = shown(qtbot, SMALL, LARGE)
    place = panel.view.visualRect(panel.view.model().index(1, NAME)).center()
    with qtbot.waitSignal(panel.chosen) as chosen:
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == ["/m/small"]
    qtbot.keyClicks(panel.filter, "ollama")
    assert [row[NAME] for row in rows(panel)] == ["small"]
    panel.filter.clear()
    panel.show_found([SMALL], [], usable_bytes=56 * GB, looking=True)
    panel.view.selectRow(0)
    panel.show_found([SMALL, LARGE], [], usable_bytes=56 * GB, looking=True)
    assert [index.row() for index in panel.view.selectionModel().selectedRows()] == [1]
