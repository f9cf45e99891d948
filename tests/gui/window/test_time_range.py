"""A range of time is selected in any plot: all plots tell its figures, and give it back."""

import pytest
from msgspec import structs
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.pointing import click, place_of
from window_fakes import opened

from modelmon.core.units import percent_text, rate_text, size_text, three_figures
from modelmon.core.worker.curves import range_figures

FIRST_S, LAST_S = 2.0, 4.0


@pytest.fixture(scope="module")
def records(recordings):
    return {
        "A": recordings.record(recordings.SLOW),
        "B": recordings.record(recordings.FAST),
    }


@pytest.fixture
def window(open_window):
    return open_window


@pytest.fixture
def work(window, records):
    window.resize(1440, 900)
    for label, record in records.items():
        window.session.show_record(label, record)
    QApplication.processEvents()
    return window.workspace


def drag(
    canvas, first_s, last_s, keys=Qt.KeyboardModifier.NoModifier, button=Qt.MouseButton.LeftButton
):
    """Press at one moment, move in steps, release at another."""
    QTest.qWait(20)
    low, high = canvas.y_range
    y = low + 0.6 * (high - low)
    (viewport, first), (_, last) = (place_of(canvas, at, y) for at in (first_s, last_s))
    places = [QPointF(first), QPointF(last)]
    press, move, release = (
        QMouseEvent.Type.MouseButtonPress,
        QMouseEvent.Type.MouseMove,
        QMouseEvent.Type.MouseButtonRelease,
    )
    nothing = Qt.MouseButton.NoButton
    send(viewport, move, places[0], nothing, nothing, Qt.KeyboardModifier.NoModifier)
    # Moves that come sooner than a hundredth of a second are left out.
    QTest.qWait(20)
    send(viewport, press, places[0], button, button, keys)
    for share in (0.3, 0.7, 1.0):
        at = places[0] + (places[1] - places[0]) * share
        send(viewport, move, at, Qt.MouseButton.NoButton, button, keys)
    send(viewport, release, places[1], button, Qt.MouseButton.NoButton, keys)
    QApplication.processEvents()


def double_click(canvas, seconds):
    viewport, place = place_of(canvas, seconds, 1.0)
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    # One event, as the second press of two; its release follows.
    QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=place)


def send(viewport, kind, at, button, buttons, keys):
    place = QPointF(viewport.mapToGlobal(at))
    QApplication.sendEvent(viewport, QMouseEvent(kind, at, place, button, buttons, keys))


def selected(work):
    seconds = work.plots.time_range.seconds
    assert seconds is not None
    return seconds


def second_px(canvas):
    low, high = canvas.x_range
    return 1.5 * (high - low) / canvas.size_px[0]


def test_that_a_drag_in_any_plot_selects_the_range_in_all(work):
    plots = {**work.plots.by_key, "waterfall": work.waterfall}
    for where in ("throughput", "io_wait", "rss", "waterfall"):
        canvas = plots[where].canvas
        before = canvas.x_range
        drag(canvas, LAST_S, FIRST_S)
        assert selected(work) == pytest.approx((FIRST_S, LAST_S), abs=second_px(canvas)), where
        assert all(plot.selector.span == pytest.approx(selected(work)) for plot in plots.values())
        assert canvas.x_range == before
        work.plots.time_range.clear()


def test_that_the_figures_are_those_that_the_record_tells(work, records):
    drag(work.plots.throughput.canvas, FIRST_S, LAST_S)
    first_s, last_s = selected(work)
    values = work.waterfall.column.values
    for label, record in records.items():
        found = range_figures(record, round(first_s * 1e9), round(last_s * 1e9))
        assert found is not None
        texts = {what: text for (what, arm), text in values.items() if arm == label}
        ready = [block.ready_ns or 0 for block in record.blocks]
        assert texts == {
            "Loaded": size_text(found.loaded_bytes),
            "Throughput": rate_text(found.loaded_bytes / (last_s - first_s)),
            "Readers waiting": f"≈\N{NO-BREAK SPACE}{percent_text(found.waiting_share or 0)}",
            "Requests": f"{sum(first_s < end / 1e9 <= last_s for end in record.chunks.end_ns):,}",
            "Blocks ready": str(sum(first_s < end / 1e9 <= last_s for end in ready)),
        }
        header = {key: plot.header.values[label].text() for key, plot in plots_of(work).items()}
        rate, waiting = texts["Throughput"], texts["Readers waiting"]
        grown = f"+{size_text(found.memory_growth_bytes or 0)}"
        for key, text in (("throughput", rate), ("io_wait", waiting), ("rss", grown)):
            assert f"{label} {text}".startswith(header[key])
            assert len(header[key]) > len(label)
    words = work.plots.throughput.header.values["A"].toolTip()
    mean = rate_text(records["B"].delivered_bytes * 1e9 / records["B"].t_ns)
    assert words.startswith("whole load: A 1.94")
    assert words.endswith(f"B {mean}")
    work.plots.time_range.clear()
    assert not any(value.text() for value in work.plots.io_wait.header.values.values())


def plots_of(work):
    return {key: work.plots.by_key[key] for key in work.plots.shown}


def test_that_a_range_is_told_of_in_the_access_map_and_selected_there(work, records):
    work.tabs.setCurrentWidget(work.access_map)
    canvas = work.access_map.maps["A"].canvas
    drag(canvas, FIRST_S, LAST_S)
    first_s, last_s = selected(work)
    assert (first_s, last_s) == pytest.approx((FIRST_S, LAST_S), abs=second_px(canvas))
    for label, record in records.items():
        found = range_figures(record, round(first_s * 1e9), round(last_s * 1e9))
        told = work.access_map.maps[label].detail.whole
        count, _, rest = told.partition(" of ")
        assert count == (f"{found.requests:,}" if found is not None else "0")
        assert f"requests in {work.plots.time_range.short_text}" in rest
        jumps = work.access_map.maps[label].requests.jumps_between(first_s, last_s)
        # Of the time under way, as the throughput of the range is.
        rate = jumps * 1e9 / found.duration_ns if found is not None else 0
        assert rest.endswith(f"{three_figures(rate)} seeks/s")
    work.plots.time_range.clear()
    assert "seeks (inferred)" in work.access_map.maps["A"].detail.whole


def test_that_the_range_has_a_chip_that_clears_it_and_a_zoom_to_it(qtbot, work):
    work.plots.time_range.select(FIRST_S, LAST_S)
    header, chip = work.plots.throughput.header, work.plots.controls.chip
    assert chip.text() == "2.0–4.0 s"
    assert "2.0–4.0 s" in work.waterfall.column.toPlainText()
    work.tabs.setCurrentWidget(work.blocks)
    assert work.blocks.of_whole_load.isVisible()
    work.tabs.setCurrentWidget(work.waterfall)
    qtbot.mouseClick(work.plots.controls.zoom, Qt.MouseButton.LeftButton)
    canvases = [*(plot.canvas for plot in work.plots.plots), work.waterfall.canvas]
    assert all(canvas.x_range == pytest.approx((FIRST_S, LAST_S)) for canvas in canvases)
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert work.plots.time_range.seconds is None
    assert not chip.isVisible()
    assert not any(each.text() for each in header.values.values())
    assert ("Loaded", "A") not in work.waterfall.column.values
    work.tabs.setCurrentWidget(work.blocks)
    assert not work.blocks.of_whole_load.isVisible()


def test_that_a_maximized_tab_zooms_to_the_range_and_clears_it_by_its_menu(qtbot, work):
    work.tabs.setCurrentWidget(work.waterfall)
    work.waterfall.toggle_maximised()
    assert not work.plots.controls.chip.isVisible()
    drag(work.waterfall.canvas, FIRST_S, LAST_S)
    span = selected(work)
    for text in ("Zoom to the selected range", "Clear the selected range (Esc)"):
        menu = work.waterfall.make_menu()
        qtbot.addWidget(menu)
        next(each for each in menu.actions() if each.text() == text).trigger()
    assert work.waterfall.canvas.x_range == pytest.approx(span)
    assert work.plots.time_range.seconds is None
    for part in (work.blocks, work.access_map):
        work.plots.time_range.select(FIRST_S, LAST_S)
        menu = part.make_menu()
        qtbot.addWidget(menu)
        actions = {each.text(): each for each in menu.actions()}
        assert "Zoom to the selected range" not in actions
        actions["Clear the selected range (Esc)"].trigger()
        assert work.plots.time_range.seconds is None


def test_that_escape_clears_the_range_first_and_then_the_block(qtbot, window, work):
    window.page_cache_controller.selection.select("layers.1")
    for canvas in (work.waterfall.canvas, work.plots.rss.canvas, work.blocks.canvas):
        work.plots.time_range.select(FIRST_S, LAST_S)
        if canvas is work.blocks.canvas:
            work.tabs.setCurrentWidget(work.blocks)
        canvas.setFocus()
        qtbot.keyClick(canvas, Qt.Key.Key_Escape)
        assert work.plots.time_range.seconds is None
        assert window.page_cache_controller.selection.block == "layers.1"
    for part in (work.waterfall, work.blocks):
        work.tabs.setCurrentWidget(part)
        window.page_cache_controller.selection.select("layers.1")
        qtbot.keyClick(part.canvas, Qt.Key.Key_Escape)
        assert window.page_cache_controller.selection.block == ""


def test_that_shift_and_a_drag_zoom_and_a_double_click_resets(work):
    waterfall, throughput = work.waterfall.canvas, work.plots.throughput.canvas
    whole = throughput.x_range
    drag(waterfall, FIRST_S, LAST_S, Qt.KeyboardModifier.ShiftModifier)
    assert work.plots.time_range.seconds is None
    assert throughput.x_range == waterfall.x_range
    assert throughput.x_range == pytest.approx((FIRST_S, LAST_S), abs=0.05)
    double_click(throughput, 3.0)
    assert throughput.x_range == waterfall.x_range == whole


def test_that_the_middle_button_moves_what_is_shown_and_an_edge_is_dragged(work):
    canvas, time_range = work.plots.throughput.canvas, work.plots.time_range
    canvas.zoom_to(FIRST_S, LAST_S)
    drag(canvas, 3.5, 3.0, button=Qt.MouseButton.MiddleButton)
    assert canvas.x_range == pytest.approx((FIRST_S + 0.5, LAST_S + 0.5), abs=0.05)
    assert time_range.seconds is None
    work.plots.throughput.reset_view()
    time_range.select(FIRST_S, LAST_S)
    drag(canvas, LAST_S, 5.0)
    assert selected(work) == pytest.approx((FIRST_S, 5.0), abs=second_px(canvas))
    drag(canvas, FIRST_S, 7.0)
    assert selected(work) == pytest.approx((5.0, 7.0), abs=2 * second_px(canvas))
    time_range.clear()
    # A click selects none.
    click(work.waterfall.canvas, 3.0, -2.5)
    assert time_range.seconds is None
    assert work.waterfall.selected == "layers.1"


def test_that_the_figures_are_those_of_the_runs_as_they_are_now(work, window, records, recordings):
    time_range, session = work.plots.time_range, window.session
    # After the end of a run nothing is known of it.
    time_range.select(records["B"].t_ns / 1e9 + 0.1, 8.0)
    values = work.waterfall.column.values
    assert {text for (_, arm), text in values.items() if arm == "B"} == {"–"}
    assert "–" not in {text for (_, arm), text in values.items() if arm == "A"}
    # They grow with a load.
    session.show_record("A", recordings.record(recordings.Fake(until_s=3.0)))
    time_range.select(FIRST_S, LAST_S)
    before = work.waterfall.column.values["Loaded", "A"]
    session.show_record("A", recordings.record(recordings.Fake(until_s=3.5)))
    work.refresh_plots()
    assert work.waterfall.column.values["Loaded", "A"] != before
    # Other plots have some, too.
    work.plots.show_plots(tuple(work.plots.by_key))
    for key in ("cpu", "faults", "device"):
        assert work.plots.by_key[key].header.values["A"].text() not in ("", "A –"), key
    # Pressure that stands in for waiting says what it is.
    record = recordings.record(recordings.SLOW)
    record.samples[:] = [structs.replace(each, waiting_share=None) for each in record.samples]
    session.show_record("A", record)
    time_range.select(FIRST_S, LAST_S)
    found = range_figures(record, round(FIRST_S * 1e9), round(LAST_S * 1e9))
    text = f"{percent_text(found.io_pressure_share or 0)} (PSI)"
    assert work.waterfall.column.values["Readers waiting", "A"] == text
    assert work.plots.by_key["io_wait"].header.values["A"].text() == f"A {text}"
    # A range of loads of another model is not kept.
    opened(window)
    assert time_range.seconds is None
    assert all(plot.selector.span is None for plot in work.plots.plots)
