"""A run is replayed with the slider: plots, blocks and map follow, and come back whole."""

from dataclasses import replace

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.worker import events as ev
from modelmon.core.worker.events import encode
from modelmon.core.worker.record import record_of
from modelmon.core.worker.result import summarise
from modelmon.gui.runs.replay import SPEEDS, usual_speed
from modelmon.gui.session.session import LABELS


@pytest.fixture
def records(recordings):
    """8.28 s in A and 5.23 s in B."""
    return recordings.record(recordings.SLOW), recordings.record(recordings.FAST)


@pytest.fixture
def replayed(qtbot, window, inspection, records):
    """A window that replays both, paused at the start."""
    window.session.set_inspection(inspection)
    window.session.show_record("A", records[0])
    window.session.show_record("B", records[1])
    window.session.say(None)
    assert not window.workspace.replay.isVisible()
    window.activateWindow()
    window.actions_by_id["replay"].trigger()
    qtbot.waitUntil(window.workspace.replay.isVisible)
    window.runs_tab_controller.playback.pause()
    window.runs_tab_controller.playback.seek(0.0)
    return window


def seconds_drawn(window, label):
    seconds = window.workspace.plots.throughput.traces[label, "delivered"].line.at_x
    return float(seconds[-1]) if len(seconds) else 0.0


def test_that_everything_follows_the_slider_there_and_back(replayed, records):
    work, session = replayed.workspace, replayed.session
    slider = work.replay.slider
    axis = work.plots.throughput.canvas.x_range
    for share in (0.25, 0.9, 0.5):
        slider.setValue(round(slider.maximum() * share))
        at_s = share * 8.28
        assert seconds_drawn(replayed, "A") == pytest.approx(at_s, abs=0.06)
        assert seconds_drawn(replayed, "B") == pytest.approx(min(at_s, 5.23), abs=0.06)
        assert work.plots.throughput.canvas.x_range == axis
        shown = session.record("A")
        assert shown is not None
        work.tabs.setCurrentWidget(work.blocks)
        ready = sum((block.ready_ns or 0) <= at_s * 1e9 for block in records[0].blocks)
        assert len(work.blocks.arm_bars["A"].bars.rects) == ready
        assert sum(block.ready_ns is not None for block in shown.blocks) == ready
        work.tabs.setCurrentWidget(work.access_map)
        mapped = work.access_map.maps["A"].requests
        assert len(mapped.seconds) == len(shown.chunks)
        assert float(mapped.seconds.max()) <= at_s
    assert work.replay.time.text().endswith("of 8.28 s")
    work.replay.finish.click()
    assert (session.record("A"), session.record("B")) == records
    assert not work.replay.isVisible()
    assert seconds_drawn(replayed, "A") == pytest.approx(8.28, abs=0.01)


def test_that_it_plays_at_the_chosen_speed_and_stops_at_the_end(qtbot, replayed, records):
    bar, playback = replayed.workspace.replay, replayed.runs_tab_controller.playback
    bar.speed.setCurrentIndex(SPEEDS.index(32.0))
    qtbot.mouseClick(bar.play, Qt.MouseButton.LeftButton)
    assert bar.play.toolTip() == "Pause"
    qtbot.waitUntil(lambda: not playback.playing)
    assert playback.position_s == pytest.approx(playback.end_s)
    assert replayed.session.record("A") is records[0]
    assert bar.slider.value() == bar.slider.maximum()
    assert bar.play.toolTip() == "Play"
    bar.speed.setCurrentIndex(SPEEDS.index(0.01))
    qtbot.keyClick(bar.slider, Qt.Key.Key_Space)
    assert playback.playing
    assert playback.position_s < 1.0
    qtbot.keyClick(bar.slider, Qt.Key.Key_Escape)
    assert not playback.active


@pytest.mark.parametrize(
    ("seconds", "speed"), [(60.0, 1.0), (3.0, 1.0), (1.0, 0.25), (0.3, 0.05), (0.001, 0.01)]
)
def test_that_a_short_load_is_replayed_slowly(seconds, speed):
    assert usual_speed(seconds) == speed


def test_that_a_chosen_speed_stays_for_the_next_replay(replayed, recordings):
    playback = replayed.runs_tab_controller.playback
    assert playback.speed == 1.0
    playback.close()
    short = recordings.record(replace(recordings.SLOW, model_bytes=500_000_000))
    for label in ("A", "B"):
        replayed.session.show_record(label, short)
    playback.open()
    assert playback.speed < 1.0
    assert replayed.workspace.replay.speed.currentText() == f"{playback.speed:g}×"
    playback.set_speed(4.0)
    playback.close()
    playback.open()
    assert playback.speed == 4.0
    playback.close()


def test_that_a_run_that_starts_ends_the_replay(qtbot, replayed, records):
    replayed.session.set_cache("as-is")
    replayed.compare_controller.run("A")
    assert not replayed.runs_tab_controller.playback.active
    assert replayed.session.record("B") is records[1]
    qtbot.waitUntil(lambda: not replayed.session.busy)
    # So does another run in an arm, which stays.
    playback, other = replayed.runs_tab_controller.playback, records[0]
    playback.open()
    replayed.session.show_record("A", other)
    assert not playback.active
    assert replayed.session.record("A") is other


def test_that_a_replay_leaves_runs_of_the_arms_and_of_the_history_as_they_were(
    replayed, records, recordings
):
    session, playback = replayed.session, replayed.runs_tab_controller.playback
    others = recordings.record(recordings.FAST), recordings.record(recordings.SLOW)
    for label, other in zip(LABELS, others, strict=True):
        session.look_at(label, other)
    playback.open()
    playback.seek(1.0)
    playback.close()
    assert (session.record("A"), session.record("B")) == others
    playback.open()
    session.say(None)
    assert not playback.active
    assert (session.record("A"), session.record("B")) == records
    playback.open()
    session.swap()
    assert (session.record("B"), session.record("A")) == records


def test_that_a_recording_that_was_opened_offers_its_replay(qtbot, window, recordings, tmp_path):
    path = tmp_path / "elsewhere.jsonl"
    lines = [encode(event) for event in recordings.events(recordings.SLOW)]
    path.write_bytes(b"".join(lines[:-2]))
    window.commands.does["show_b"]()
    window.open_controller.open(str(path))
    qtbot.waitUntil(lambda: window.session.record("A") is not None)
    notice = window.session.notice
    assert "breaks off" in notice.caveat
    qtbot.waitUntil(lambda: window.workspace.plots.toggle.value == "both")

    def offers():
        return [
            each
            for each in window.workspace.slot.findChildren(QPushButton)
            if each.text().strip() == "Replay" and each.isVisible()
        ]

    qtbot.waitUntil(lambda: len(offers()) == 1)
    offers()[0].click()
    assert window.runs_tab_controller.playback.active


CHANGE = msgspec.structs.replace


def of_a_program(event):
    if isinstance(event, ev.Hello):
        program = ev.WatchedProgram("llama-server -m model.gguf", "http:8080/health")
        config = LoadConfig(library=PROGRAM)
        job = CHANGE(event.job, config=config, program=program, strategy="llama-server -m MODEL")
        return CHANGE(event, job=job)
    if isinstance(event, ev.Planned):
        return CHANGE(event, requests=0, readers=0)
    if isinstance(event, ev.Finished):
        told = {"first_byte_ns": 10**9, "last_byte_ns": event.wall_ns - 10**9}
        return CHANGE(event, memory_kind="unknown", seen_by="counters", **told)
    return event


def test_that_a_watched_program_is_shown_and_replayed(window, qtbot, inspection, recordings):
    record = record_of(of_a_program(event) for event in recordings.events(recordings.SLOW))
    window.session.set_inspection(inspection)
    window.session.show_record("A", record)
    window.session.set_results("A", (summarise(record),))
    qtbot.waitUntil(lambda: window.is_furnished)
    texts = " ".join(label.text() for label in window.findChildren(QLabel))
    assert "8.28 s" in texts
    shown = [*texts.split(), *(label.toolTip() for label in window.findChildren(QLabel))]
    assert any("before reading 1.00 s" in text for text in shown)
    window.actions_by_id["replay"].trigger()
    qtbot.waitUntil(window.workspace.replay.isVisible)
    window.runs_tab_controller.playback.pause()
    window.runs_tab_controller.playback.seek(4.0)
    seconds = window.workspace.plots.throughput.traces["A", "delivered"].line.at_x
    assert 0 < float(seconds[-1]) <= 4.0
