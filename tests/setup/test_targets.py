import sys

import pytest


def test_that_tests_stop_at_the_first_tool_that_fails(load, programs, monkeypatch, capsys):
    checks = load("checks")
    programs.add("mypy")
    programs.add("ruff", fails_at="format")
    monkeypatch.setattr(checks, "tool", lambda name: str(programs.folder / name))
    assert checks.run_checks([]) == 1
    assert set(programs.calls) - {"mypy "} == {"ruff check", "ruff format --check"}
    assert "make test stopped: format failed" in capsys.readouterr().err


def test_that_types_fail_beside_the_others_and_are_shown_in_one_piece(
    load, programs, monkeypatch, capsys
):
    checks = load("checks")
    for name in ("ruff", "lint-imports", "pytest"):
        programs.add(name)
    mypy = programs.folder / "mypy"
    mypy.write_text("#!/bin/sh\necho one >&2\necho two\nexit 1\n")
    mypy.chmod(0o755)
    monkeypatch.setattr(checks, "tool", lambda name: str(programs.folder / name))
    assert checks.run_checks([]) == 1
    assert programs.calls[-1].startswith("pytest")
    said = capsys.readouterr()
    assert "\n-- types: mypy\none\ntwo\n" in said.out
    assert "make test stopped: types failed" in said.err


def test_that_arguments_reach_pytest(load, programs, monkeypatch):
    checks = load("checks")
    for name in ("ruff", "mypy", "lint-imports", "pytest"):
        programs.add(name)
    monkeypatch.setattr(checks, "tool", lambda name: str(programs.folder / name))
    assert checks.run_checks(["-k", "plan"]) == 0
    assert programs.calls[-1].startswith("pytest -n ")
    assert programs.calls[-1].endswith(" -k plan")


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
