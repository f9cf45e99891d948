"""A recording that is taken in never passes for a run of this machine, nor for one of another."""

import pytest

from modelmon.core.errors import ModelmonError
from modelmon.core.history.file import HistoryError
from modelmon.core.history.recorder import import_recording
from modelmon.core.load.config import preset
from modelmon.core.machine.origin import this_machine
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job


@pytest.fixture
def recording(sample, tmp_path):
    """What `modelmon run --record` writes of a real run."""
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        run_job(Job(str(sample), preset("mmap").config, "mmap", "as-is"), recording=file)
    return path


def test_that_a_recording_is_taken_in_once_and_shown_again(history, recording):
    run_id = import_recording(history, recording)
    (row,) = history.runs()
    assert (row.id, row.strategy, row.model_name) == (run_id, "mmap", "tiny")
    assert row.is_imported
    assert row.machine_id != this_machine().id
    finished = history.record(run_id).finished
    assert finished.wall_ns == row.wall_ns
    with pytest.raises(HistoryError, match=f"already, as run {run_id}"):
        import_recording(history, recording)


def test_that_a_recording_with_too_many_requests_is_kept_without_them(
    history, recording, monkeypatch
):
    lines = recording.read_bytes().splitlines(keepends=True)
    others = [line for line in lines if b'"chunks"' not in line]
    room = sum(map(len, others)) + 300
    chunks = next(line for line in lines if b'"chunks"' in line)
    at = lines.index(chunks)
    lines[at:at] = [chunks] * (room // len(chunks))
    recording.write_bytes(b"".join(lines))
    monkeypatch.setattr("modelmon.core.history.events.MOST_LINES_BYTES", room)
    record = history.record(import_recording(history, recording))
    assert record.finished is not None
    assert not record.chunks
    assert "dropped-requests" in {warning.kind for warning in record.warnings}


def test_that_an_old_recording_of_a_run_that_verified_its_bytes_does_not_count(history, recording):
    lines = recording.read_text().replace('"verify":false', '"verify":true')
    assert '"counts":true' in lines
    recording.write_text(lines)
    result = history.result(import_recording(history, recording))
    assert not result.counts
    assert "were verified" in result.why_not


def test_that_a_recording_that_breaks_off_is_refused(history, recording):
    lines = recording.read_bytes().splitlines(keepends=True)
    recording.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(ModelmonError, match="breaks off") as refused:
        import_recording(history, recording)
    # Several may be taken in at once.
    assert str(recording) in refused.value.message
    assert history.runs() == []
