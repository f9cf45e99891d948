from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from window_fakes import LOAD_B, make_comparison, make_model, make_preflight

from modelmon.core.worker import events as ev
from modelmon.gui.answers import Answers
from modelmon.gui.commands import Command
from modelmon.gui.opening.opening import Opening
from modelmon.gui.opening.sample import SampleModel
from modelmon.gui.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from modelmon.gui.main_window import MainWindow
    from modelmon.gui.settings.settings import Settings

    Script = Callable[[str], tuple[str, ...]]


@pytest.fixture
def empty(qapp: QApplication) -> Session:
    return Session(qapp)


def answering(session: Session, settings: Settings, program: tuple[str, ...]) -> Opening:
    return Opening(session, settings, lambda arguments: Command(arguments, program))


def test_that_a_model_is_opened_and_remembered(
    empty: Session, settings: Settings, script: Script, qtbot: QtBot, tmp_path: Path
) -> None:
    text = msgspec.json.encode(make_preflight()).decode()
    opening = answering(empty, settings, script(f"print({text!r})"))
    path = str(tmp_path / "llama")
    with qtbot.waitSignal(opening.model_opened, timeout=10_000):
        opening.open(path)
    assert empty.preflight is not None
    assert empty.preflight.model.name == "llama"
    assert [(recent.path, recent.blocks) for recent in settings.recents()] == [(path, 2)]


def test_that_a_file_that_is_no_model_leaves_the_open_one_and_says_why(
    session: Session, settings: Settings, script: Script, qtbot: QtBot
) -> None:
    text = '{"error": {"message": "x.gguf breaks off.", "remedy": "Fetch it again."}}'
    opening = answering(session, settings, script(f"print('{text}'); raise SystemExit(2)"))
    before = session.preflight
    opening.open("/data/x.gguf")
    qtbot.waitUntil(lambda: not session.busy, timeout=10_000)
    assert session.preflight is before
    assert session.notice is not None
    assert (session.notice.headline, session.notice.reason, session.notice.tone) == (
        "x.gguf breaks off.",
        "Fetch it again.",
        "bad",
    )
    assert settings.recents() == []


def test_that_opening_can_be_stopped(session: Session, settings: Settings, script: Script) -> None:
    opening = answering(session, settings, script("import time; time.sleep(60)"))
    opening.open("/data/x.gguf")
    assert session.busy
    opening.stop()
    assert not session.busy
    opening.shut_down()


def test_that_an_index_of_shards_is_a_model_and_no_comparison(
    empty: Session, settings: Settings, qtbot: QtBot
) -> None:
    asked: list[list[str]] = []

    def remember(arguments: list[str]) -> Command:
        asked.append(arguments)
        return Command(arguments, ("/nowhere",))

    opening = Opening(empty, settings, remember)
    opening.open("/data/model.safetensors.index.json")
    qtbot.waitUntil(lambda: not empty.busy, timeout=10_000)
    assert asked[0][:2] == ["inspect", "/data/model.safetensors.index.json"]


def test_that_a_recording_is_replayed_without_its_model(
    empty: Session, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(ev.encode(event) for event in LOAD_B.events()))
    opening = Opening(empty, settings)
    opening.open(str(path))
    qtbot.waitUntil(lambda: not empty.busy, timeout=10_000)
    record = empty.record("A")
    assert record is not None
    assert record.finished is not None
    assert empty.config("A") == LOAD_B.config
    assert [result.wall_ns for result in empty.results("A")] == [1_000_000_000]
    opening.open(str(path))
    qtbot.waitUntil(lambda: not empty.busy, timeout=10_000)
    assert empty.record("B") is not None


def test_that_a_recording_that_was_stopped_is_not_shown(
    empty: Session, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(ev.encode(event) for event in LOAD_B.events()))
    opening = Opening(empty, settings)
    opening.open(str(path))
    opening.stop()
    assert not empty.busy
    # Looked out for until it has come.
    answers = opening.findChild(Answers)
    qtbot.waitUntil(lambda: not answers.looking, timeout=10_000)
    assert empty.runs == []


def test_that_a_broken_recording_is_refused_with_its_name(
    empty: Session, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("not an event\n")
    opening = Opening(empty, settings)
    opening.open(str(path))
    qtbot.waitUntil(lambda: not empty.busy, timeout=10_000)
    assert empty.notice is not None
    assert "run.jsonl" in empty.notice.headline
    assert empty.empty


def test_that_a_saved_comparison_shows_its_verdict(
    empty: Session, settings: Settings, tmp_path: Path
) -> None:
    saved = make_comparison()
    path = tmp_path / "result.json"
    path.write_bytes(msgspec.json.encode(saved))
    Opening(empty, settings).open(str(path))
    assert empty.comparison == saved
    assert empty.config("B") == LOAD_B.config
    assert len(empty.results("A")) == 5


def test_that_a_saved_comparison_takes_the_curves_of_other_runs_away(
    session: Session, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    session.show_record("A", LOAD_B.record())
    path = tmp_path / "result.json"
    path.write_bytes(msgspec.json.encode(make_comparison()))
    with qtbot.assertNotEmitted(session.model_changed):
        Opening(session, settings).open(str(path))
    assert session.record("A") is None


def test_that_a_recording_leaves_the_open_model_and_says_when_it_is_of_another(
    session: Session, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(ev.encode(event) for event in replace(LOAD_B, nbytes=7).events()))
    with qtbot.assertNotEmitted(session.model_changed):
        Opening(session, settings).open(str(path))
        qtbot.waitUntil(lambda: not session.busy, timeout=10_000)
    assert session.notice is not None
    assert session.notice.caveat.startswith("Its model is not the open one")


@pytest.mark.parametrize("text", ["{}", "no json", "[]"])
def test_that_another_json_file_is_refused(
    empty: Session, settings: Settings, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "config.json"
    path.write_text(text)
    Opening(empty, settings).open(str(path))
    assert empty.notice is not None
    assert "is not a saved comparison" in empty.notice.headline
    assert empty.comparison is None


WRITES = """
import json, sys
path = sys.argv[2]
open(path, "wb").write(b"x" * 100)
print(json.dumps({"done_bytes": 268435456, "total_bytes": 536870912}), flush=True)
print(json.dumps({"path": path}))
"""


def sample_model(session: Session, folder: Path, program: tuple[str, ...]) -> SampleModel:
    return SampleModel(session, folder, lambda arguments: Command(arguments, program))


def test_that_the_sample_is_written_once_and_removed_at_the_end(
    empty: Session, script: Script, qtbot: QtBot, tmp_path: Path
) -> None:
    sample = sample_model(empty, tmp_path / "cache", script(WRITES))
    with qtbot.waitSignal(sample.written, timeout=10_000) as caught:
        sample.write()
    path = Path((caught.args or [""])[0])
    assert path.exists()
    assert sample.progress().share == 0.5
    with qtbot.waitSignal(sample.written):
        sample.write()
    sample.shut_down()
    assert not path.exists()


def test_that_a_stopped_sample_leaves_no_file(
    empty: Session, script: Script, qtbot: QtBot, tmp_path: Path
) -> None:
    program = script(f"{WRITES}\nimport time; time.sleep(60)")
    sample = sample_model(empty, tmp_path, program)
    sample.write()
    qtbot.waitUntil(lambda: sample.progress().share == 0.5, timeout=10_000)
    sample.stop()
    assert not empty.busy
    qtbot.waitUntil(lambda: not list(tmp_path.glob("sample-*")), timeout=10_000)


@pytest.mark.skipif(sys.platform == "win32", reason="no process can refuse to end there")
def test_that_stop_answers_before_a_writer_that_will_not_end(
    empty: Session, script: Script, qtbot: QtBot, tmp_path: Path
) -> None:
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    sample = sample_model(empty, tmp_path, script(f"{deaf}\n{WRITES}\nimport time; time.sleep(60)"))
    sample.write()
    qtbot.waitUntil(lambda: sample.progress().share == 0.5, timeout=10_000)
    sample.stop()
    assert not empty.busy
    assert sample.findChildren(Command)
    qtbot.waitUntil(lambda: not sample.findChildren(Command), timeout=10_000)
    assert not list(tmp_path.glob("sample-*"))


def test_that_samples_of_dead_programs_are_removed(empty: Session, tmp_path: Path) -> None:
    dead, alive = tmp_path / "sample-4194304.safetensors", tmp_path / "sample-1.safetensors"
    dead.touch()
    alive.touch()
    SampleModel(empty, tmp_path).shut_down()
    assert not dead.exists()
    assert alive.exists()


def test_that_a_full_disk_is_a_sentence(
    empty: Session, script: Script, qtbot: QtBot, tmp_path: Path
) -> None:
    sample = sample_model(empty, tmp_path, script("raise SystemExit('No space is left.')"))
    sample.write()
    qtbot.waitUntil(lambda: not empty.busy, timeout=10_000)
    assert empty.notice is not None
    assert empty.notice.headline == "No space is left."
    assert str(os.getpid()) in sample.path.name


def test_that_a_sample_that_is_gone_when_it_is_written_is_a_sentence(
    empty: Session, script: Script, qtbot: QtBot, tmp_path: Path
) -> None:
    sample = sample_model(empty, tmp_path, script("pass"))
    sample.write()
    qtbot.waitUntil(lambda: not empty.busy, timeout=10_000)
    assert empty.notice is not None
    assert empty.notice.headline.startswith(f"{sample.path} cannot be read")


def test_that_only_the_sample_is_compared_at_once(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    monkeypatch.setattr(window.comparing, "start", lambda: compared.append("started"))
    # It cannot be opened, and the user opens another model instead.
    monkeypatch.setattr(window.opening, "open_model", lambda path, *, remember: None)
    window.handlers.open_sample("/cache/sample.safetensors")
    window.session.set_preflight(make_preflight())
    window.opening.model_opened.emit()
    assert compared == []
    window.handlers.open_sample(make_model().path)
    window.opening.model_opened.emit()
    assert compared == ["started"]
