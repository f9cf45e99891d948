"""What `make test` and `make demo` run; a check that hangs ends with all that it started."""

import itertools
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

SETUP = Path(__file__).parents[2] / "setup"
HANGS = """#!/bin/sh
exec 3> {alive}
echo started >&3
sleep 1000 &
wait
"""
RUN = """
import sys
sys.path.insert(0, sys.argv[1])
import checks
checks.tool = lambda name: f"{sys.argv[2]}/{name}"
sys.exit(checks.run_checks([]))
"""


@pytest.fixture
def checks(load, programs, monkeypatch):
    """The checks, with stand-ins for the tools."""
    module = load("checks")
    for name in ("ruff", "mypy", "lint-imports", "pytest"):
        programs.add(name)
    monkeypatch.setattr(module, "tool", lambda name: str(programs.folder / name))
    return module


def test_that_tests_stop_at_the_first_tool_that_fails(checks, programs, capsys):
    programs.add("ruff", fails_at="format")
    assert checks.run_checks([]) == 1
    assert set(programs.calls) - {"mypy "} == {"ruff check", "ruff format --check"}
    assert "make test stopped: format failed" in capsys.readouterr().err


def test_that_types_fail_beside_the_others_and_are_shown_in_one_piece(checks, programs, capsys):
    (programs.folder / "mypy").write_text("#!/bin/sh\necho one >&2\necho two\nexit 1\n")
    assert checks.run_checks([]) == 1
    assert any(call.startswith("pytest") for call in programs.calls)
    said = capsys.readouterr()
    assert "\n-- types: mypy\none\ntwo\n" in said.out
    assert "make test stopped: types failed" in said.err


def test_that_arguments_reach_pytest(checks, programs):
    assert checks.run_checks(["-k", "plan"]) == 0
    # Types are checked beside it, and may begin later.
    [tests] = [call for call in programs.calls if call.startswith("pytest -n ")]
    assert tests.endswith(" -k plan")


@pytest.fixture
def alive(checks, programs, tmp_path, request):
    """What two processes of a check that hangs hold open: it ends when both have ended."""
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    del checks
    hanging = programs.folder / getattr(request, "param", "ruff")
    hanging.write_text(HANGS.format(alive=pipe))
    # To open it must not wait for who writes; to read it must.
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as held:
        os.set_blocking(held.fileno(), True)
        yield held


def test_that_a_check_that_hangs_is_ended_with_all_it_started(checks, alive, monkeypatch, capsys):
    def clock():
        """Its time is up as soon as it has started what hangs, and begins before that."""
        return checks.MOST_S if next(asked) and select.select([alive], [], [], 0)[0] else 0.0

    asked = itertools.count()
    monkeypatch.setattr(checks, "time", SimpleNamespace(monotonic=clock))
    monkeypatch.setattr(os, "isatty", lambda _: False)
    assert checks.run_checks([]) == 1
    assert "make test stopped: lint did not end" in capsys.readouterr().err
    assert alive.read() == b"started\n"


@pytest.mark.parametrize("alive", ["ruff", "mypy"], indirect=True)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_that_a_signal_ends_what_was_started_too(programs, alive, how):
    command = [sys.executable, "-c", RUN, str(SETUP), str(programs.folder)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as checking:
        select.select([alive], [], [])
        assert alive.readline() == b"started\n"
        checking.send_signal(how)
    assert checking.returncode
    assert alive.read() == b""


@pytest.fixture
def demonstration(load, programs, monkeypatch, tmp_path):
    module = load("demonstration")
    programs.add("modelmon")
    monkeypatch.setattr(module, "tool", lambda name: str(programs.folder / name))
    monkeypatch.setattr(load("environment"), "PYTHON", sys.executable)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return module


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_that_a_machine_without_a_display_is_answered_in_the_terminal(
    demonstration, programs, monkeypatch, capsys
):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert demonstration.start("a model.gguf") == 0
    assert programs.calls[0] == "modelmon inspect a model.gguf"
    assert programs.calls[1].startswith("modelmon compare a model.gguf --a mmap --b parallel")
    assert "No display found: doing the same in the terminal." in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_that_a_display_that_does_not_answer_counts_as_none(demonstration, monkeypatch, capsys):
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setenv("DISPLAY", ":9999")
    assert demonstration.start("model.gguf") == 0
    assert "The display cannot be used (" in capsys.readouterr().out


def test_that_a_sample_is_made_once(demonstration, programs, monkeypatch, tmp_path):
    monkeypatch.setattr(demonstration, "_why_no_window", lambda: "")
    sample = tmp_path / "modelmon" / "sample-512MiB.safetensors"
    demonstration.start("")
    sample.touch()
    demonstration.start("")
    assert programs.calls == [
        f"modelmon sample {sample} --size 512MiB",
        f"modelmon {sample}",
        f"modelmon {sample}",
    ]


def test_that_the_offscreen_platform_starts_and_an_unknown_one_gives_a_reason(load, monkeypatch):
    monkeypatch.setattr(load("environment"), "PYTHON", sys.executable)
    qt = load("qt")
    assert qt.why_not("offscreen") == ""
    assert "no-such-platform" in qt.why_not("no-such-platform")
