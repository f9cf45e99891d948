"""A program that was watched from the terminal, shown in the window like a run of its own."""

import msgspec
import pytest
from PySide6.QtWidgets import QLabel

from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise

CHANGE = msgspec.structs.replace


def watched(recordings, seen_by):
    """The record of a program that took a second before it read and one after it."""
    record = RunRecord()
    for event in recordings.events(recordings.SLOW):
        if seen_by == "residency" or not isinstance(event, ev.Chunks | ev.Blocks):
            record.feed(of_a_program(event, seen_by))
    return record


def of_a_program(event, seen_by):
    if isinstance(event, ev.Hello):
        program = ev.WatchedProgram("llama-server -m model.gguf", "http:8080/health")
        config = LoadConfig(library=PROGRAM)
        job = CHANGE(event.job, config=config, program=program, strategy="llama-server -m MODEL")
        return CHANGE(event, job=job)
    if isinstance(event, ev.Planned):
        return CHANGE(event, requests=0, readers=0)
    if isinstance(event, ev.Finished):
        told = {"first_byte_ns": 10**9, "last_byte_ns": event.wall_ns - 10**9}
        return CHANGE(event, memory_kind="unknown", seen_by=seen_by, **told)
    return event


@pytest.mark.parametrize("seen_by", ["residency", "counters"])
def test_that_a_watched_program_is_shown_and_replayed(
    window, qtbot, inspection, recordings, seen_by
):
    record = watched(recordings, seen_by)
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
