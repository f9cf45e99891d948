"""The sample model: written on demand, compared at once, removed at the end."""

import os
import sys
import threading
from pathlib import Path

import pytest
from window_fakes import make_inspection, make_model

from modelmon.gui.background.commands import Command
from modelmon.gui.open.sample import SampleModel
from modelmon.gui.session.session import Session


@pytest.fixture
def empty(qapp):
    return Session(qapp)


FULL = '{"error": {"message": "No space is left."}}'
WRITES = """
import json, sys
path = sys.argv[2]
open(path, "wb").write(b"x" * 100)
print(json.dumps({"done_bytes": 268435456, "total_bytes": 536870912}), flush=True)
print(json.dumps({"path": path}))
"""


def sample_model(session, folder, program):
    return SampleModel(session, folder, lambda arguments: Command(arguments, program))


def test_that_the_sample_is_written_once_and_removed_at_the_end(empty, script, qtbot, tmp_path):
    sample = sample_model(empty, tmp_path / "cache", script(WRITES))
    with qtbot.waitSignal(sample.written) as caught:
        sample.write()
    path = Path((caught.args or [""])[0])
    assert path.exists()
    assert sample.progress().share == 0.5
    with qtbot.waitSignal(sample.written):
        sample.write()
    sample.shut_down()
    assert not path.exists()


def test_that_a_stopped_sample_leaves_no_file(empty, script, qtbot, tmp_path):
    program = script(f"{WRITES}\nimport time; time.sleep(60)")
    sample = sample_model(empty, tmp_path, program)
    sample.write()
    qtbot.waitUntil(lambda: sample.progress().share == 0.5)
    sample.stop()
    assert not empty.busy
    qtbot.waitUntil(lambda: not list(tmp_path.glob("sample-*")))


@pytest.mark.skipif(sys.platform == "win32", reason="no process can refuse to end there")
def test_that_stop_answers_before_a_writer_that_will_not_end(empty, script, qtbot, tmp_path):
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    sample = sample_model(empty, tmp_path, script(f"{deaf}\n{WRITES}\nimport time; time.sleep(60)"))
    sample.write()
    qtbot.waitUntil(lambda: sample.progress().share == 0.5)
    sample.stop()
    assert not empty.busy
    assert sample.findChildren(Command)
    qtbot.waitUntil(lambda: not sample.findChildren(Command))
    assert not list(tmp_path.glob("sample-*"))


def test_that_samples_of_dead_programs_are_removed(empty, tmp_path):
    dead, alive = tmp_path / "sample-4194304.safetensors", tmp_path / "sample-1.safetensors"
    dead.touch()
    alive.touch()
    SampleModel(empty, tmp_path).remove_orphans().join()
    assert not dead.exists()
    assert alive.exists()


def test_that_a_slow_disk_keeps_no_window_waiting_for_old_samples(empty, tmp_path, monkeypatch):
    (tmp_path / "sample-4194304.safetensors").touch()
    slow, unlink = threading.Event(), Path.unlink

    def unlink_slowly(path):
        slow.wait()
        unlink(path)

    monkeypatch.setattr(Path, "unlink", unlink_slowly)
    removing = SampleModel(empty, tmp_path).remove_orphans()
    assert list(tmp_path.glob("sample-*"))
    slow.set()
    removing.join()
    assert not list(tmp_path.glob("sample-*"))


def test_that_a_full_disk_is_a_sentence(empty, script, qtbot, tmp_path):
    sample = sample_model(empty, tmp_path, script(f"print({FULL!r}); raise SystemExit(1)"))
    sample.write()
    qtbot.waitUntil(lambda: not empty.busy)
    assert empty.notice.headline == "No space is left."
    assert str(os.getpid()) in sample.path.name


def test_that_a_sample_that_is_gone_when_it_is_written_is_a_sentence(
    empty, script, qtbot, tmp_path
):
    sample = sample_model(empty, tmp_path, script("pass"))
    sample.write()
    qtbot.waitUntil(lambda: not empty.busy)
    assert empty.notice.headline.startswith(f"Couldn't read {sample.path}: ")


def test_that_only_the_sample_is_compared_at_once(window, monkeypatch):
    compared = []
    monkeypatch.setattr(window.compare_controller, "start", lambda: compared.append("started"))
    # It cannot be opened, and the user opens another model instead.
    monkeypatch.setattr(window.open_controller, "open_model", lambda path, *, remember: None)
    window.commands.open_sample("/cache/sample.safetensors")
    window.session.set_inspection(make_inspection())
    window.open_controller.model_opened.emit()
    assert compared == []
    window.commands.open_sample(make_model().path)
    window.open_controller.model_opened.emit()
    assert compared == ["started"]
