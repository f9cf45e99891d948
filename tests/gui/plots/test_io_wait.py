from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from modelmon.gui.plots.io_wait import IoWaitPlot


@pytest.fixture
def plot(show):
    return show(IoWaitPlot(), 296)


def test_that_shares_are_drawn_in_percent_from_0_to_100(plot, slow):
    plot.set_record("A", slow)
    y = plot.traces["A", "psi"].line.at_y
    np.testing.assert_allclose(y, [(s.psi_io_share or 0) * 100 for s in slow.samples])
    assert plot.canvas.axes.title("left") == "%"
    assert [text for _, text in plot.canvas.axes._y_ticks] == ["0", "25", "50", "75", "100"]


def test_that_the_loads_own_share_is_marked_when_it_is_known(plot, slow, fast, recordings):
    plot.set_record("A", recordings.record(replace(recordings.SLOW, until_s=2.0)))
    assert plot.own.text == ""
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    assert plot.own.text == "this load: A 60%, B 94%"
    assert plot.own.levels["A"].at_y[0] == pytest.approx(60)
    names, rows = plot.values_at(3.0)
    assert names == ["waiting"]
    assert rows[2].texts[0].startswith("+")
    assert rows[2].texts[0].endswith(" points")
    plot.set_visible_arms({"B"})
    assert plot.own.text == "this load: B 94%"
    assert not plot.own.levels["A"].isVisible()


def test_that_the_loads_own_wait_is_shown_and_the_systems_one_click_away(plot, recordings):
    plot.set_record("A", waiting(recordings.record(recordings.SLOW), [1.0, 0.0] * 1000))
    shown = {key for key in ("waiting", "psi", "iowait") if plot.traces["A", key].visible}
    assert shown == {"waiting"}
    y = plot.traces["A", "waiting"].line.at_y
    assert set(np.round(y[2:-2])) == {40, 60}
    toggles = {action.text(): action for action in plot.make_menu().actions()}
    toggles["Show pressure"].trigger()
    assert plot.traces["A", "psi"].visible
    assert "other programs count" in toggles["Show pressure"].toolTip()
    assert plot.entries["psi"].accessibleDescription() == toggles["Show pressure"].toolTip()


def test_that_the_systems_figures_are_one_click_away_in_the_legend(qtbot, plot, slow):
    plot.set_record("A", waiting(slow, [1.0, 0.0] * 1000))
    for width, shown in ((296, True), (296, False), (900, True)):
        plot.resize(width, 256)
        QApplication.processEvents()
        assert plot.system.isVisible()
        qtbot.mouseClick(plot.system, Qt.MouseButton.LeftButton)
        assert [plot.traces["A", key].visible for key in ("psi", "iowait")] == [shown] * 2
    assert plot.entries["psi"].isVisible()
    for key in ("psi", "iowait"):
        assert plot.system.isChecked()
        plot.entries[key].click()
    assert not plot.system.isChecked()
    assert "PSI" in plot.system.toolTip()
    assert "idle processors" in plot.system.toolTip()


def waiting(record, shares):
    record.samples[:] = [
        structs.replace(sample, waiting_share=share)
        for sample, share in zip(record.samples, shares, strict=False)
    ]
    return record


def test_that_pressure_steps_in_where_waiting_threads_are_not_known_and_says_what_it_needs(
    plot, recordings
):
    plot.set_record("A", waiting(recordings.record(recordings.SLOW), [None] * 1000))  # type: ignore[list-item]
    assert plot.traces["A", "psi"].visible
    plot.set_record("A", recordings.record(replace(recordings.SLOW, psi_io_share=None)))
    assert not plot.entries["psi"].isEnabled()
    assert (
        plot.entries["psi"]
        .toolTip()
        .endswith("I/O pressure is unknown here: it needs Linux 4.20 or later with PSI enabled.")
    )


def test_that_figures_the_platform_lacks_are_drawn_as_nothing(plot, recordings):
    """Painting a row of gaps would warn, and warnings are errors here."""
    record = recordings.record(recordings.SLOW)
    few = record.samples[:5]
    record.samples[:] = [
        structs.replace(sample, psi_io_share=None, iowait_share=None) for sample in few
    ]
    plot.set_record("A", record)
    assert len(plot.traces["A", "psi"].line.at_x) == 0
    assert not plot.grab().isNull()


def test_that_the_figures_keep_their_room_and_lose_their_name(plot, slow, fast):
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    told = []
    for width in (296, 190, 160):
        plot.resize(width, 256)
        QApplication.processEvents()
        words = plot.own.caption.words.textItem
        assert words.boundingRect().width() <= plot.canvas.size_px[0]
        told.append(words.toPlainText())
    assert told == ["this load: A 60%, B 94%", "A 60%, B 94%", "A 60%\nB 94%"]
    assert plot.own.text == told[0]
