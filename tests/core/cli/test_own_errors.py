"""Errors of modelmon itself in the terminal: a sentence, a file, and a report to hand on."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from modelmon.core.cli import doctor
from modelmon.core.cli.main import main
from modelmon.core.crash_log import crash_log


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))


def test_that_an_error_of_its_own_is_a_sentence_and_part_of_a_bug_report(
    tmp_path, monkeypatch, capsys
):
    model, report = tmp_path / "secret name" / "a.gguf", tmp_path / "bug.md"
    model.parent.mkdir()
    model.write_bytes(b"GGUF")

    def fails(*_args, **_named):
        raise RuntimeError(f"HF_TOKEN=abcdef123456 {Path.home()}/x {model}")

    with monkeypatch.context() as patch:
        patch.setattr(doctor, "diagnose", fails)
        assert main(["doctor", str(model)]) == 1
    said = capsys.readouterr()
    assert "Something in modelmon went wrong: RuntimeError" in said.err
    assert "Traceback" not in said.err + said.out
    assert "abcdef" not in said.err + crash_log().read_text()
    assert not crash_log().stat().st_mode & 0o077

    assert main(["doctor", str(model), "--bug-report", str(report)]) == 0
    text = report.read_text()
    assert "Traceback" in text
    for private in ("secret name", "abcdef", str(Path.home()), str(tmp_path)):
        assert private not in text, private


@pytest.mark.parametrize("error", [OSError(22, "Invalid argument"), OSError(5, "I/O error", "/x")])
def test_that_an_error_of_the_system_is_not_laid_upon_the_output(monkeypatch, capsys, error):
    def fails(*_args, **_named):
        raise error

    monkeypatch.setattr(doctor, "diagnose", fails)
    assert main(["doctor", "/"]) == 1
    assert "Something in modelmon went wrong: OSError" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [("report",), ("export",), ("history", "--csv"), ("doctor", "--bug-report")]
)
def test_that_a_name_that_the_system_refuses_is_no_error_of_its_own(capsys, words):
    assert main([*words, "x" * 300]) in (1, 2)
    assert "went wrong" not in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_that_an_output_that_is_full_is_named():
    words = [sys.executable, "-P", "-m", "modelmon", "strategies"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(words, check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "Couldn't write the output: No space left on device.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="ends a process by a signal")
def test_that_what_a_signal_ends_leaves_its_stacks():
    code = (
        "import os, signal; from modelmon.core.crash_log import note_deaths; note_deaths()\n"
        "def paints(): os.kill(os.getpid(), signal.SIGSEGV)\npaints()"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], check=False)
    assert done.returncode == -signal.SIGSEGV
    assert "in paints" in crash_log().read_text()
