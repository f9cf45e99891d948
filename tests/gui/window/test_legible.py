"""Every state of the window: text is seen whole, controls have names, no plot is blank."""

import pytest
from dialogs import DIALOGS, asked, export, too_large
from legibility import blank_plots, drawn_plots, findings, settled, shown
from window_states import TOGETHER, States

from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.language import install
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.readout import Readout

SIZES = ((1280, 800), (1100, 700), (1440, 900), (1920, 1080))
LITTLE_ROOM, OTHERS = SIZES[1:2], (SIZES[0], *SIZES[2:])
LANGUAGES = ("en", pytest.param("zh_CN", marks=pytest.mark.long))
USUAL_PLOTS = {"ThroughputPlot", "IoWaitPlot", "RssPlot"}


@pytest.fixture
def language(request, qapp):
    """The window's language; not the tests', which is English."""
    wanted = request.param
    if install(qapp, wanted) is None and wanted != "en":
        pytest.skip(f"{wanted} is not compiled: make translations")
    return wanted


@pytest.fixture
def window(folder, window):
    del folder
    # What a larger window showed is still there when a smaller one is laid out.
    window.resize(*SIZES[-1])
    return window


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "sizes"),
    [
        ("en", LITTLE_ROOM),
        pytest.param("en", OTHERS, marks=pytest.mark.long),
        pytest.param("zh_CN", LITTLE_ROOM, marks=pytest.mark.long),
    ],
    indirect=["language"],
)
@pytest.mark.parametrize("states", TOGETHER, ids="-".join)
def test_that_states_are_legible_named_and_drawn(language, sizes, states, window, recordings):
    if window.devicePixelRatio() > 1:
        sizes = SIZES[1:2]
    for state in states:
        if window.session.busy:
            window.session.end()
        getattr(States(window, recordings), state)()
        check(window, sizes, language, state)


def check(window, sizes, language, state):
    tabs = window.workspace.tabs
    for size in sizes:
        window.resize(*size)
        settled(window)
        assert (window.width(), window.height()) == size
        ranking = [tabs.indexOf(window.workspace.best)] if state in {"racing", "raced"} else []
        for at in ranking or range(tabs.count()):
            tabs.setCurrentIndex(at)
            window.workspace.refresh_texts()
            window.workspace.refresh_plots()
            where = (language, state, size, tabs.tabText(at))
            found = findings(window)
            assert found == {}, where
            assert blank_plots(window) == [], where
            is_loaded = state in {"running", "compared", "overlaid", "replayed"}
            if is_loaded and window.workspace.plots.isVisible():
                assert drawn_plots(window) >= USUAL_PLOTS, where


@pytest.mark.parametrize("sizes", [LITTLE_ROOM, pytest.param(OTHERS, marks=pytest.mark.long)])
def test_that_hover_cards_lie_beside_what_is_pointed_at(window, recordings, sizes):
    States(window, recordings).compared()
    work = window.workspace
    seen = set()
    for size in sizes:
        window.resize(*size)
        settled(window)
        for at in range(work.tabs.count()):
            work.tabs.setCurrentIndex(at)
            settled(window)
            for canvas in (each for each in shown(window) if isinstance(each, Chart)):
                (low, high), (bottom, top) = canvas.x_range, canvas.y_range
                for share in (0.1, 0.5, 0.9):
                    x, y = low + share * (high - low), bottom + share * (top - bottom)
                    canvas.hovered.emit(x, y)
                    here = canvas.mapTo(window, canvas.to_px(x, y).toPoint())
                    cards = [each for each in window.findChildren(Readout) if each.isVisible()]
                    where = (size, type(canvas.parentWidget()).__name__, share)
                    for card in cards:
                        assert window.rect().contains(card.geometry()), where
                        assert not card.geometry().contains(here), where
                        seen.add(size)
                    canvas.left.emit()
    assert seen == set(sizes)


def test_that_cards_stay_whole_when_a_small_window_grows(window, recordings):
    States(window, recordings).compared()
    for size in (SIZES[1], SIZES[0]):
        window.resize(*size)
        settled(window)
    assert findings(window) == {}


@pytest.mark.parametrize("language", LANGUAGES[1:], indirect=True)
def test_that_dialogs_are_legible_in_other_languages(language, window):
    window.resize(*SIZES[0])
    for ask in DIALOGS:
        dialog = asked(window, ask)
        assert findings(dialog) == {}, (language, ask.__name__)
        assert too_large(dialog) == "", (language, ask.__name__)
        dialog.reject()


@pytest.mark.parametrize("language", LANGUAGES, indirect=True)
def test_that_every_export_is_legible(language, window):
    dialog = asked(window, export)
    assert isinstance(dialog, ExportDialog)
    for row in range(dialog.entries.count()):
        dialog.entries.setCurrentRow(row)
        assert findings(dialog) == {}, (language, row)
        assert too_large(dialog) == "", (language, row)
    dialog.reject()
