import gzip
from dataclasses import replace
from types import SimpleNamespace

import psutil
import pytest
from window_fakes import LOAD_A, Load

from modelmon.core.worker import events as ev
from modelmon.core.worker.record import read_record, record_of
from modelmon.core.worker.run_warnings import RunWarning
from modelmon.gui.background.history_access import RunRecorder
from modelmon.gui.background.worker_process import Recording, WorkerProcess

JOB = ev.Job("/data/llama", LOAD_A.config)


def ended(qtbot, command):
    worker = WorkerProcess(JOB, command)
    with qtbot.waitSignal(worker.ended):
        worker.start()
    return worker


def test_that_a_run_is_followed_to_its_last_line(qtbot, playing, tmp_path):
    worker = ended(qtbot, playing(LOAD_A))
    assert worker.record.finished.wall_ns == 2_000_000_000
    assert len(worker.record.samples) == 4
    worker.recording.save(tmp_path / "run.jsonl")
    assert read_record(tmp_path / "run.jsonl").finished == worker.record.finished
    worker = ended(
        qtbot,
        playing(replace(LOAD_A, until_s=1.0), then='sys.stdout.write(\'{"event": "sam\')'),
    )
    assert worker.record.state == "failed"
    assert len(worker.record.samples) == 4


def test_that_the_worker_gets_its_job_as_its_first_line(qtbot, script):
    worker = ended(
        qtbot,
        script(
            """
            import json, sys
            job = json.loads(sys.stdin.readline())
            failed = {"event": "failed", "kind": "model", "message": job["path"]}
            print(json.dumps(failed))
            """
        ),
    )
    assert worker.record.failed.message == "/data/llama"


def test_that_a_recording_is_whole_however_much_of_it_is_packed(monkeypatch):
    for name, nbytes in (("_MOST_LOOSE_BYTES", 200), ("_PACKED_AT_ONCE_BYTES", 70)):
        monkeypatch.setattr(f"modelmon.gui.background.worker_process.{name}", nbytes)
    recording, lines = Recording(), [f'{{"number": {number}}}'.encode() for number in range(100)]
    whole = b"".join(line + b"\n" for line in lines)
    for line in lines:
        recording.append(line)
    assert recording.content() == whole
    assert gzip.decompress(recording.packed()) == recording.content() == whole
    assert recording.nbytes == len(whole)


def test_that_a_run_with_too_many_requests_is_kept_without_them(monkeypatch):
    recording, kept = Recording(), []
    requests = [ev.Chunks(0, (0,), (0,), (1,), (0,), (1,))] * 20
    *events, finished = LOAD_A.events()
    for event in (*events, *requests, finished):
        recording.append(ev.encode(event))
    for module in ("gui.background.history_access", "core.history.events"):
        monkeypatch.setattr(f"modelmon.{module}.MOST_LINES_BYTES", recording.nbytes - 1)
    access = SimpleNamespace(ask=lambda work, answer, _: answer(work(None)))
    recorder = SimpleNamespace(problem="", add=lambda *given: kept.append(given[-1]))
    RunRecorder(access, None, None, kept.append, recorder).add("A", None, recording, lambda _: None)
    record = record_of(map(ev.decode, kept[0].splitlines()))
    assert record.finished is not None
    assert not record.chunks


def test_that_a_worker_that_dies_or_writes_garbage_says_how_with_its_last_words(qtbot, script):
    dies = "import os, signal, sys, time; "
    for text, *said in (
        ("sys.stderr.write('no room on the bus'); sys.exit(7)", "code 7", "no room on the bus"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "signal 9"),
        *(
            (f"print({line!r}, flush=True); time.sleep(60)", "Couldn't read what the process wrote")
            for line in ("gibberish", '{"event": "sample"}', "[1, 2]")
        ),
    ):
        worker = ended(qtbot, script(dies + text))
        assert all(words in worker.record.failed.message for words in said), text
    worker = ended(qtbot, ("/nowhere/python",))
    assert "/nowhere/python" in worker.record.failed.remedy


@pytest.mark.parametrize("then", ["sys.stdin.read(); sys.exit(130)", "time.sleep(60)"])
def test_that_a_run_is_cancelled_whether_it_heeds_the_end_of_its_input_or_not(qtbot, playing, then):
    worker = WorkerProcess(JOB, playing(replace(LOAD_A, until_s=1.0), then=then))
    with qtbot.waitSignal(worker.ended):
        worker.start()
        qtbot.waitUntil(lambda: worker.record.state == "loading")
        worker.cancel()
    assert worker.record.failed.kind == "cancelled"


def test_that_shutting_down_leaves_no_process(qtbot, playing):
    worker = WorkerProcess(JOB, playing(replace(LOAD_A, until_s=1.0), then="time.sleep(60)"))
    worker.start()
    qtbot.waitUntil(lambda: worker.record.state == "loading")
    process_id = worker.process_id
    worker.shut_down()
    assert not psutil.pid_exists(process_id)


def test_that_warnings_and_a_late_failure_are_passed_on(qtbot, playing):
    warning = ev.encode(RunWarning("late-samples", "A sample came late.")).decode()
    worker = WorkerProcess(
        JOB, playing(replace(LOAD_A, until_s=1.0), then=f"print({warning!r}, end='')")
    )
    with qtbot.waitSignal(worker.warned) as caught:
        worker.start()
    assert caught.args == ["A sample came late."]
    worker.shut_down()
    worker = WorkerProcess(JOB, playing(Load(), exit_code=9))
    said = []
    worker.warned.connect(said.append)
    with qtbot.waitSignal(worker.ended):
        worker.start()
    assert worker.record.finished is not None
    assert any("code 9" in text for text in said)


def test_that_a_flood_of_lines_is_read_to_the_end(qtbot, script):
    count = 30_000
    head = "".join(ev.encode(event).decode() for event in LOAD_A.events()[:4])
    last = ev.encode(LOAD_A.events()[-1]).decode()
    warning = ev.encode(RunWarning("other-reader", "Others read from the disk.")).decode()
    worker = ended(
        qtbot,
        script(
            f"""
            import sys
            sys.stdin.readline()
            sys.stdout.write({head!r})
            sys.stdout.write({warning!r} * {count})
            sys.stdout.write({last!r})
            """
        ),
    )
    assert worker.record.finished is not None
    assert len(worker.record.warnings) == count
